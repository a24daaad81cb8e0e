// The paper's first experiment, and what is kept of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lanes.hpp"

namespace native {

constexpr int kHorizon = 10000;
constexpr int kMarks = 200;  // checkpoints
constexpr int kStride = kHorizon / kMarks;
static_assert(kStride * kMarks == kHorizon, "checkpoints are evenly spaced");

// The means of the arms in round t = 1, 2, ...
struct Means {
  Vec arm[kArms];
  Vec best;

  explicit Means(int t) {
    const double third = 3000 <= t && t < 5000 ? 0.9 : 0.4;
    const double means[kArms] = {0.5, 0.3, third};
    for (int k = 0; k < kArms; ++k) arm[k] = same(means[k]);
    best = same(*std::max_element(means, means + kArms));
  }
};

// What four runs have lost and played so far.
struct Tally {
  Vec regret = same(0.0);
  Bits middle_plays = _mm256_setzero_si256();
  Bits last_plays = _mm256_setzero_si256();  // those of arm 0 are the other rounds

  void add(Choice arm, Vec loss) {
    regret = regret + loss;
    middle_plays = _mm256_sub_epi64(middle_plays, _mm256_castpd_si256(arm.middle()));
    last_plays = _mm256_sub_epi64(last_plays, _mm256_castpd_si256(arm.last));
  }
};

// What a block of runs did.
struct Record {
  double regret[kMarks][kLanes];
  std::int64_t plays[kArms][kLanes];

  void mark(int place, const Tally (&tallies)[kVectors]) {
    for (int v = 0; v < kVectors; ++v) {
      _mm256_storeu_pd(&regret[place][v * kWidth], tallies[v].regret);
    }
  }

  void close(const Tally (&tallies)[kVectors]) {
    for (int v = 0; v < kVectors; ++v) {
      const int lane = v * kWidth;
      const Bits others = _mm256_add_epi64(tallies[v].middle_plays, tallies[v].last_plays);
      store(0, lane, _mm256_sub_epi64(_mm256_set1_epi64x(kHorizon), others));
      store(1, lane, tallies[v].middle_plays);
      store(2, lane, tallies[v].last_plays);
    }
  }

 private:
  void store(int arm, int lane, Bits counts) {
    _mm256_storeu_si256(reinterpret_cast<Bits*>(&plays[arm][lane]), counts);
  }
};

}  // namespace native
