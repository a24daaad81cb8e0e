// What index policies share: play the arm with the largest mean + slope / sqrt(count).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "lanes.hpp"

namespace native {

// What four runs remember of their arms. Only an arm that has changed needs a division and a root.
struct Memory {
  Vec total[kArms], count[kArms];  // sums of rewards and of plays
  Vec mean[kArms], width[kArms];   // total / count and 1 / sqrt(count)

  Memory() {
    for (int k = 0; k < kArms; ++k) {
      total[k] = count[k] = width[k] = same(0.0);
      mean[k] = same(std::numeric_limits<double>::infinity());  // an untried arm goes first
    }
  }

  // The largest index; the lower arm keeps a tie.
  Choice choose(Vec slope) const {
    Vec index[kArms];
    for (int k = 0; k < kArms; ++k) index[k] = multiply_add(slope, width[k], mean[k]);
    const Vec later = less(index[0], index[1]);
    const Vec last = less(larger(index[0], index[1]), index[2]);
    return {either(later, last), last};
  }

  // Add a play to the arm.
  void learn(Choice arm, Vec reward, Vec weight) {
    const Vec new_total = pick(arm, total) + reward;
    const Vec new_count = pick(arm, count) + weight;
    put(arm, new_total, total);
    put(arm, new_count, count);
    put(arm, new_total / new_count, mean);
    put(arm, root(same(1.0) / new_count), width);
  }

  // Add a play and take an old one out, both of weight 1; all sums are whole numbers. Either arm
  // is renewed from the sums after both, so neither waits for the other.
  void exchange(Choice arm, Vec reward, Choice old_arm, Vec old_reward) {
    add(arm, reward, total);
    add(arm, same(1.0), count);
    add(old_arm, -old_reward, total);
    add(old_arm, same(-1.0), count);
    renew_or_clear(old_arm);
    renew(arm);
  }

  // Divide the weights of all plays.
  void lighten(double divisor) {
    const Vec scale = same(1.0 / divisor), widen = same(std::sqrt(divisor));
    for (int k = 0; k < kArms; ++k) {
      total[k] = total[k] * scale;
      count[k] = count[k] * scale;
      width[k] = width[k] * widen;
    }
  }

 private:
  // Renew the mean and width of an arm.
  void renew(Choice arm) {
    const Vec plays = pick(arm, count);
    put(arm, pick(arm, total) / plays, mean);
    put(arm, root(same(1.0) / plays), width);
  }

  // The same for an arm that may have no play left: it is untried again.
  void renew_or_clear(Choice arm) {
    const Vec plays = pick(arm, count);
    const Vec tried = less(same(0.0), plays);
    const Vec untried = same(std::numeric_limits<double>::infinity());
    put(arm, blend(untried, pick(arm, total) / plays, tried), mean);
    put(arm, both(root(same(1.0) / plays), tried), width);
  }
};

// The numbers of an index: padding * sqrt(xi * log(clock)) is what 1 / sqrt(count) is worth.
struct Index {
  double xi, padding;

  double slope(double clock) const {
    return padding * std::sqrt(xi * std::log(std::max(clock, 1.0)));
  }
};

}  // namespace native
