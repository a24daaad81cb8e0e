// Random numbers: one xoshiro256+ a run and purpose (Blackman & Vigna 2021), seeded by SplitMix64.
#pragma once

#include <cstdint>

#include "lanes.hpp"

namespace native {

enum class Purpose : std::uint64_t { rewards, policy };

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

inline std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// The generators of four runs.
struct Generator {
  Bits a, b, c, d;

  // Uniform on (0, 1): (k + 1/2) 2^-52 for the upper 52 bits k of the sum. As the fraction of a
  // double in [1, 2) they are 1 + k 2^-52, so one exact subtraction remains.
  Vec uniform() {
    const Bits sum = _mm256_add_epi64(a, d);
    advance();
    const Bits one = _mm256_castpd_si256(same(1.0));
    const Bits above_one = _mm256_or_si256(_mm256_srli_epi64(sum, 12), one);
    return _mm256_castsi256_pd(above_one) - same(1.0 - 0x1p-53);
  }

 private:
  void advance() {
    const Bits shifted = _mm256_slli_epi64(b, 17);
    c = _mm256_xor_si256(c, a);
    d = _mm256_xor_si256(d, b);
    b = _mm256_xor_si256(b, c);
    a = _mm256_xor_si256(a, d);
    c = _mm256_xor_si256(c, shifted);
    d = _mm256_or_si256(_mm256_slli_epi64(d, 45), _mm256_srli_epi64(d, 19));
  }
};

// The generators of a block of runs.
class Streams {
 public:
  Streams(std::uint64_t seed, Purpose purpose, std::uint64_t first_run) {
    const std::uint64_t key = mixed(mixed(seed) + static_cast<std::uint64_t>(purpose));
    alignas(32) std::uint64_t words[4][kWidth];
    for (int v = 0; v < kVectors; ++v) {
      for (int i = 0; i < kWidth; ++i) {
        const std::uint64_t base = mixed(key + kGolden * (first_run + v * kWidth + i + 1));
        for (int word = 0; word < 4; ++word) words[word][i] = mixed(base + kGolden * (word + 1));
      }
      generators_[v] = {load(words[0]), load(words[1]), load(words[2]), load(words[3])};
    }
  }

  // Draw the numbers of `rounds` rounds. Generators stay in registers meanwhile, two at a time:
  // one alone would wait for itself.
  template <int rounds>
  void fill(Vec (&numbers)[rounds][kVectors]) {
    static_assert(kVectors % 2 == 0, "generators advance in pairs");
    for (int v = 0; v < kVectors; v += 2) {
      Generator one = generators_[v], two = generators_[v + 1];
      for (int round = 0; round < rounds; ++round) {
        numbers[round][v] = one.uniform();
        numbers[round][v + 1] = two.uniform();
      }
      generators_[v] = one;
      generators_[v + 1] = two;
    }
  }

 private:
  static Bits load(const std::uint64_t* words) {
    return _mm256_load_si256(reinterpret_cast<const Bits*>(words));
  }

  Generator generators_[kVectors];
};

}  // namespace native
