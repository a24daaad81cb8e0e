// Runs in lockstep: four of them in a vector, a few vectors in a block.
#pragma once

#include <immintrin.h>

namespace native {

using Vec = __m256d;   // a number of four runs; a mask if all bits of a run are the same
using Bits = __m256i;  // 64 bits of four runs

constexpr int kArms = 3;
constexpr int kWidth = 4;  // runs in a vector

// Vectors in a block: enough that the latency of one's division hides behind the others, few
// enough that their state stays in the first-level cache.
#ifndef NATIVE_VECTORS
#define NATIVE_VECTORS 8
#endif
constexpr int kVectors = NATIVE_VECTORS;
constexpr int kLanes = kWidth * kVectors;

inline Vec same(double x) { return _mm256_set1_pd(x); }
inline Vec either(Vec a, Vec b) { return _mm256_or_pd(a, b); }
inline Vec both(Vec a, Vec b) { return _mm256_and_pd(a, b); }
inline Vec without(Vec a, Vec b) { return _mm256_andnot_pd(b, a); }
inline Vec less(Vec a, Vec b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
inline Vec larger(Vec a, Vec b) { return _mm256_max_pd(a, b); }
inline Vec multiply_add(Vec a, Vec b, Vec c) { return _mm256_fmadd_pd(a, b, c); }
inline Vec root(Vec a) { return _mm256_sqrt_pd(a); }

// b where the mask's sign is set, else a.
inline Vec blend(Vec a, Vec b, Vec mask) { return _mm256_blendv_pd(a, b, mask); }

// The arm that each of four runs plays.
struct Choice {
  Vec later;  // mask: not arm 0
  Vec last;   // mask: arm 2

  Vec middle() const { return without(later, last); }
};

// The entry of the arm that each run plays.
inline Vec pick(Choice arm, const Vec (&from)[kArms]) {
  return blend(blend(from[0], from[1], arm.later), from[2], arm.last);
}

// Replace the entry of the arm that each run plays.
inline void put(Choice arm, Vec value, Vec (&into)[kArms]) {
  into[0] = blend(value, into[0], arm.later);
  into[1] = blend(into[1], value, arm.middle());
  into[2] = blend(into[2], value, arm.last);
}

// Add to the entry of the arm that each run plays.
inline void add(Choice arm, Vec value, Vec (&to)[kArms]) {
  to[0] = to[0] + without(value, arm.later);
  to[1] = to[1] + both(value, arm.middle());
  to[2] = to[2] + both(value, arm.last);
}

}  // namespace native
