// The paper's four policies on its first experiment, by hand in AVX2: how fast can it be?
//
//   bandits POLICY RUNS SEED REPEATS NAME=NUMBER...
//
//   bandits ucb 1280 1 7 discount=0.9975 xi=0.5 padding=2     (UCB-1 is discount=1 padding=1)
//   bandits sliding-window-ucb 1280 1 7 window=1213 xi=0.5 padding=1
//   bandits exp3s 1280 1 7 exploration=0.0638 sharing=0.0001
//
// Prints one line of JSON; `seconds` is the median over the repetitions, on one core.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "discounted_ucb.hpp"
#include "exp3s.hpp"
#include "simulate.hpp"
#include "sliding_window_ucb.hpp"

namespace native {
namespace {

struct Order {
  std::string policy;
  int runs, seed, repeats;
  std::map<std::string, double> numbers;

  double number(const std::string& name) const {
    const auto found = numbers.find(name);
    if (found == numbers.end()) throw std::invalid_argument(policy + " needs " + name + "=NUMBER");
    return found->second;
  }

  int window() const {
    const double rounds = number("window");
    if (!(rounds >= 1.0)) throw std::invalid_argument("window must be at least 1");
    return static_cast<int>(std::min<double>(rounds, kHorizon));
  }

  Index index() const { return {number("xi"), number("padding")}; }
};

int whole(const std::string& name, const std::string& word, int least) {
  const bool digits = word.find_first_not_of("0123456789") == std::string::npos;
  const int value = digits && !word.empty() && word.size() < 10 ? std::stoi(word) : -1;
  if (value >= least) return value;
  throw std::invalid_argument(name + " must be a whole number from " + std::to_string(least) +
                              " to 999999999, got " + word);
}

std::pair<std::string, double> named_number(const std::string& word) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const char* const start = word.c_str() + equals + (equals < word.size());
  char* end;
  const double value = std::strtod(start, &end);
  if (end == start || *end != 0) throw std::invalid_argument("expected NAME=NUMBER, got " + word);
  return {word.substr(0, equals), value};
}

Order read_order(const std::vector<std::string>& words) {
  if (words.size() < 4) {
    throw std::invalid_argument("usage: bandits POLICY RUNS SEED REPEATS NAME=NUMBER...");
  }
  Order order;
  order.policy = words[0];
  order.runs = whole("RUNS", words[1], 2);
  order.seed = whole("SEED", words[2], 0);
  order.repeats = whole("REPEATS", words[3], 1);
  for (std::size_t i = 4; i < words.size(); ++i) order.numbers.insert(named_number(words[i]));
  return order;
}

struct Summary {
  double mean_regret = 0.0, standard_error = 0.0;
  double plays[kArms] = {};
};

Summary summarise(const std::vector<Record>& records, int runs) {
  Summary summary;
  double squares = 0.0;
  for (int run = 0; run < runs; ++run) {
    const Record& record = records[run / kLanes];
    const double regret = record.regret[kMarks - 1][run % kLanes];
    summary.mean_regret += regret / runs;
    squares += regret * regret / runs;
    for (int k = 0; k < kArms; ++k) {
      summary.plays[k] += static_cast<double>(record.plays[k][run % kLanes]) / runs;
    }
  }
  const double variance = squares - summary.mean_regret * summary.mean_regret;
  summary.standard_error = std::sqrt(std::max(variance, 0.0) / (runs - 1));
  return summary;
}

void print(const Order& order, double seconds, const Summary& summary) {
  std::printf(
      "{\"policy\": \"%s\", \"runs\": %d, \"horizon\": %d, \"seconds\": %.9g, "
      "\"ns_per_round\": %.6g, \"mean_regret\": %.17g, \"standard_error\": %.17g, "
      "\"plays\": [%.17g, %.17g, %.17g]}\n",
      order.policy.c_str(), order.runs, kHorizon, seconds,
      1e9 * seconds / (static_cast<double>(order.runs) * kHorizon), summary.mean_regret,
      summary.standard_error, summary.plays[0], summary.plays[1], summary.plays[2]);
}

template <class Policy>
void run(const Order& order, const typename Policy::Numbers& numbers) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  std::vector<Record> records;
  for (int i = 0; i < order.repeats; ++i) {
    const Clock::time_point start = Clock::now();
    records = simulate<Policy>(numbers, order.runs, order.seed);
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  const auto median = seconds.begin() + seconds.size() / 2;
  std::nth_element(seconds.begin(), median, seconds.end());
  print(order, *median, summarise(records, order.runs));
}

void run(const Order& order) {
  if (order.policy == "ucb") {
    run<DiscountedUcb>(order, {order.index(), order.number("discount")});
  } else if (order.policy == "sliding-window-ucb") {
    run<SlidingWindowUcb>(order, {order.index(), order.window()});
  } else if (order.policy == "exp3s") {
    run<Exp3s>(order, {order.number("exploration"), order.number("sharing")});
  } else {
    throw std::invalid_argument("POLICY must be ucb, sliding-window-ucb or exp3s, got " +
                                order.policy);
  }
}

// Apart from main, so that nothing wide runs before the processor has been asked.
[[gnu::noinline]] int obey(int count, char** words) {
  try {
    run(read_order({words + 1, words + count}));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bandits: %s\n", error.what());
    return 1;
  }
}

}  // namespace
}  // namespace native

int main(int count, char** words) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::fputs("bandits: this processor has no AVX2 with FMA\n", stderr);
    return 2;
  }
  return native::obey(count, words);
}
