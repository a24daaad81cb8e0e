// SW-UCB.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "index.hpp"
#include "lanes.hpp"
#include "world.hpp"

namespace native {

// UCB on the last `window` rounds. Their plays lie in a ring, a byte a run and round.
class SlidingWindowUcb {
 public:
  static constexpr bool kDraws = false;

  struct Numbers {
    Index index;
    int window;
  };

  struct Schedule {
    std::vector<double> slope;
    int window;

    explicit Schedule(const Numbers& numbers) : window(numbers.window) {
      for (int t = 0; t < kHorizon; ++t) {
        slope.push_back(numbers.index.slope(std::min(t, window)));
      }
    }
  };

  explicit SlidingWindowUcb(const Schedule& schedule)
      : schedule_(schedule), ring_(static_cast<std::size_t>(schedule.window) * kLanes) {}

  void begin_round(int t) {
    slope_ = same(schedule_.slope[t - 1]);
    full_ = t > schedule_.window;
    row_ = &ring_[static_cast<std::size_t>(t % schedule_.window) * kLanes];
  }

  template <class Pay>
  void play(int v, Vec, Pay pay) {
    std::uint8_t* const place = row_ + v * kWidth;
    const Choice arm = memory_[v].choose(slope_);
    const Vec rewarded = pay(arm);
    const Vec reward = both(rewarded, same(1.0));
    if (full_) {
      const Play old = load(place);
      memory_[v].exchange(arm, reward, old.arm, both(old.rewarded, same(1.0)));
    } else {
      memory_[v].learn(arm, reward, same(1.0));
    }
    store(place, {arm, rewarded});
  }

  void settle() {}

 private:
  struct Play {
    Choice arm;
    Vec rewarded;
  };

  // Bits of a play: 0 for a later arm, 1 for the last arm, 2 for a reward.
  static Play load(const std::uint8_t* place) {
    int bytes;
    std::memcpy(&bytes, place, sizeof bytes);
    const Bits plays = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(bytes));
    return {{mask(plays, 0), mask(plays, 1)}, mask(plays, 2)};
  }

  static Vec mask(Bits plays, int bit) {
    const Bits wanted = _mm256_set1_epi64x(1 << bit);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(plays, wanted), wanted));
  }

  static Bits flag(Vec mask, int bit) {
    return _mm256_and_si256(_mm256_castpd_si256(mask), _mm256_set1_epi64x(1 << bit));
  }

  static void store(std::uint8_t* place, Play play) {
    const Bits arms = _mm256_or_si256(flag(play.arm.later, 0), flag(play.arm.last, 1));
    const Bits plays = _mm256_or_si256(arms, flag(play.rewarded, 2));
    // the lowest byte of each run: runs 0 and 1 from the lower half, 2 and 3 from the upper
    const Bits take = _mm256_setr_epi64x(0xFFFF0800, -1, 0x0800FFFF, -1);
    const Bits apart = _mm256_shuffle_epi8(plays, take);
    const int bytes = _mm_cvtsi128_si32(
        _mm_or_si128(_mm256_castsi256_si128(apart), _mm256_extracti128_si256(apart, 1)));
    std::memcpy(place, &bytes, sizeof bytes);
  }

  const Schedule& schedule_;
  std::vector<std::uint8_t> ring_;
  std::uint8_t* row_ = nullptr;
  bool full_ = false;
  Vec slope_;
  Memory memory_[kVectors];
};

}  // namespace native
