// D-UCB and UCB-1.
#pragma once

#include <cmath>
#include <vector>

#include "index.hpp"
#include "lanes.hpp"
#include "world.hpp"

namespace native {

// D-UCB, and UCB-1 as its case discount = 1. Old plays do not fade, new ones weigh more: the
// play of step s since the last checkpoint weighs discount^-s, and there all are made lighter.
class DiscountedUcb {
 public:
  static constexpr bool kDraws = false;

  struct Numbers {
    Index index;
    double discount;
  };

  // What is the same for all runs.
  struct Schedule {
    std::vector<double> slope;
    double weight[kStride + 1];

    explicit Schedule(const Numbers& numbers) {
      weight[0] = 1.0;
      for (int s = 0; s < kStride; ++s) weight[s + 1] = weight[s] / numbers.discount;
      double clock = 0.0;
      for (int t = 0; t < kHorizon; ++t) {
        slope.push_back(numbers.index.slope(clock) * std::sqrt(weight[t % kStride]));
        clock = numbers.discount * clock + 1.0;
      }
    }
  };

  explicit DiscountedUcb(const Schedule& schedule) : schedule_(schedule) {}

  void begin_round(int t) {
    slope_ = same(schedule_.slope[t - 1]);
    weight_ = same(schedule_.weight[(t - 1) % kStride + 1]);
  }

  template <class Pay>
  void play(int v, Vec, Pay pay) {
    const Choice arm = memory_[v].choose(slope_);
    memory_[v].learn(arm, both(pay(arm), weight_), weight_);
  }

  void settle() {
    for (Memory& memory : memory_) memory.lighten(schedule_.weight[kStride]);
  }

 private:
  const Schedule& schedule_;
  Vec slope_, weight_;
  Memory memory_[kVectors];
};

}  // namespace native
