// EXP3.S: exponential weights that share.
#pragma once

#include <cmath>

#include "lanes.hpp"

namespace native {

// e^x for 0 <= x <= 1 within 2e-16, and exactly 1 at 0: 1 + x + x^2 q(x), where q interpolates
// (e^x - 1 - x) / x^2 in the eleven Chebyshev points of [0, 1].
inline Vec exp_within_one(Vec x) {
  constexpr double terms[] = {2.220645347630379e-08,
                              2.795283852576346e-07,
                              2.752367578794893e-06,
                              2.4803412198705466e-05,
                              1.9841206545354593e-04,
                              1.3888890253663988e-03,
                              8.333333316201244e-03,
                              4.1666666667767874e-02,
                              1.666666666666391e-01,
                              5.000000000000001e-01,
                              1.0,
                              1.0};
  Vec value = same(3.2030006086231598e-09);
#pragma GCC unroll 16
  for (const double term : terms) value = multiply_add(value, x, same(term));
  return value;
}

// p_i = (1 - exploration) w_i / W + exploration / K; the arm i played gains
// w_i <- w_i exp(exploration X / (K p_i)), then every weight sharing * e / K * W.
class Exp3s {
 public:
  static constexpr bool kDraws = true;

  struct Numbers {
    double exploration, sharing;
  };

  struct Schedule {
    double keep, floor, share;

    explicit Schedule(const Numbers& numbers)
        : keep(1.0 - numbers.exploration),
          floor(numbers.exploration / kArms),
          share(std::exp(1.0) * numbers.sharing / kArms) {}
  };

  explicit Exp3s(const Schedule& schedule) : schedule_(schedule) {
    for (auto& weights : weights_) {
      for (Vec& weight : weights) weight = same(1.0);
    }
  }

  void begin_round(int) {}

  template <class Pay>
  void play(int v, Vec uniform, Pay pay) {
    Vec(&weight)[kArms] = weights_[v];
    const Vec total = weight[0] + weight[1] + weight[2];
    const Vec scale = same(schedule_.keep) / total;
    const Vec floor = same(schedule_.floor);
    Vec chance[kArms];
    for (int k = 0; k < kArms; ++k) chance[k] = multiply_add(scale, weight[k], floor);

    const Choice arm = draw(uniform, chance);
    const Vec gain = both(pay(arm), same(1.0)) / pick(arm, chance);
    put(arm, pick(arm, weight) * exp_within_one(gain * floor), weight);
    for (Vec& each : weight) each = multiply_add(same(schedule_.share), total, each);
  }

  // Divide by the largest weight; between two checkpoints no weight can overflow.
  void settle() {
    for (auto& weight : weights_) {
      const Vec largest = larger(larger(weight[0], weight[1]), weight[2]);
      for (Vec& each : weight) each = larger(each / largest, same(kLightest));
    }
  }

 private:
  static constexpr double kLightest = 1e-200;  // a weight never underflows to zero

  static Choice draw(Vec uniform, const Vec (&chance)[kArms]) {
    const Vec two = chance[0] + chance[1];
    return {_mm256_cmp_pd(uniform, chance[0], _CMP_GE_OQ), _mm256_cmp_pd(uniform, two, _CMP_GE_OQ)};
  }

  const Schedule& schedule_;
  Vec weights_[kVectors][kArms];
};

}  // namespace native
