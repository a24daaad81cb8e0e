// Many runs of a policy, block after block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lanes.hpp"
#include "streams.hpp"
#include "world.hpp"

namespace native {

// Play one round with all vectors of a block.
template <class Policy>
inline void play_round(int t, Policy& policy, const Vec* luck, const Vec* noise, Tally* tallies) {
  const Means means(t);
  policy.begin_round(t);
  for (int v = 0; v < kVectors; ++v) {
    policy.play(v, noise[v], [&](Choice arm) {
      const Vec mean = pick(arm, means.arm);
      tallies[v].add(arm, means.best - mean);
      return less(luck[v], mean);
    });
  }
}

// Play all rounds of a block, from checkpoint to checkpoint.
template <class Policy>
void play_block(const typename Policy::Schedule& schedule, std::uint64_t seed,
                std::uint64_t first_run, Record& record) {
  Policy policy(schedule);
  Tally tallies[kVectors];
  Streams rewards(seed, Purpose::rewards, first_run);
  Streams own(seed, Purpose::policy, first_run);
  Vec luck[kStride][kVectors];
  Vec noise[kStride][kVectors] = {};
  for (int place = 0; place < kMarks; ++place) {
    rewards.fill(luck);
    if (Policy::kDraws) own.fill(noise);
    for (int step = 0; step < kStride; ++step) {
      play_round(place * kStride + step + 1, policy, luck[step], noise[step], tallies);
    }
    policy.settle();
    record.mark(place, tallies);
  }
  record.close(tallies);
}

// Play `runs` runs; the last block may hold a few more.
template <class Policy>
std::vector<Record> simulate(const typename Policy::Numbers& numbers, int runs,
                             std::uint64_t seed) {
  const typename Policy::Schedule schedule(numbers);
  std::vector<Record> records((runs + kLanes - 1) / kLanes);
  for (std::size_t block = 0; block < records.size(); ++block) {
    play_block<Policy>(schedule, seed, block * kLanes, records[block]);
  }
  return records;
}

}  // namespace native
