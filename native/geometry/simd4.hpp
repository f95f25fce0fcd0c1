// Four floats at once: SSE2 on x86, NEON on Arm, plain loops elsewhere.
#pragma once

#include <cstdint>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define SUREFOOT_SSE2 1
#elif defined(__aarch64__) || defined(_M_ARM64)
#include <arm_neon.h>
#define SUREFOOT_NEON 1
#endif

namespace surefoot {

#if defined(SUREFOOT_SSE2)

struct Float4 {
  __m128 v;
  static Float4 load(const float* p) { return {_mm_loadu_ps(p)}; }
  static Float4 all(float x) { return {_mm_set1_ps(x)}; }
  void store(float* p) const { _mm_storeu_ps(p, v); }
  friend Float4 operator+(Float4 a, Float4 b) { return {_mm_add_ps(a.v, b.v)}; }
  friend Float4 operator-(Float4 a, Float4 b) { return {_mm_sub_ps(a.v, b.v)}; }
  friend Float4 operator*(Float4 a, Float4 b) { return {_mm_mul_ps(a.v, b.v)}; }
  friend Float4 min(Float4 a, Float4 b) { return {_mm_min_ps(a.v, b.v)}; }
  friend Float4 max(Float4 a, Float4 b) { return {_mm_max_ps(a.v, b.v)}; }
  // Bit i is set where a[i] <= b[i].
  friend unsigned less_equal(Float4 a, Float4 b) {
    return static_cast<unsigned>(_mm_movemask_ps(_mm_cmple_ps(a.v, b.v)));
  }
};

#elif defined(SUREFOOT_NEON)

struct Float4 {
  float32x4_t v;
  static Float4 load(const float* p) { return {vld1q_f32(p)}; }
  static Float4 all(float x) { return {vdupq_n_f32(x)}; }
  void store(float* p) const { vst1q_f32(p, v); }
  friend Float4 operator+(Float4 a, Float4 b) { return {vaddq_f32(a.v, b.v)}; }
  friend Float4 operator-(Float4 a, Float4 b) { return {vsubq_f32(a.v, b.v)}; }
  friend Float4 operator*(Float4 a, Float4 b) { return {vmulq_f32(a.v, b.v)}; }
  friend Float4 min(Float4 a, Float4 b) { return {vminq_f32(a.v, b.v)}; }
  friend Float4 max(Float4 a, Float4 b) { return {vmaxq_f32(a.v, b.v)}; }
  friend unsigned less_equal(Float4 a, Float4 b) {
    const uint32x4_t bits = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcleq_f32(a.v, b.v), bits));
  }
};

#else

struct Float4 {
  float v[4];
  static Float4 load(const float* p) { return {{p[0], p[1], p[2], p[3]}}; }
  static Float4 all(float x) { return {{x, x, x, x}}; }
  void store(float* p) const {
    for (int i = 0; i < 4; ++i) p[i] = v[i];
  }
  template <class F>
  static Float4 each(Float4 a, Float4 b, F f) {
    return {{f(a.v[0], b.v[0]), f(a.v[1], b.v[1]), f(a.v[2], b.v[2]), f(a.v[3], b.v[3])}};
  }
  friend Float4 operator+(Float4 a, Float4 b) {
    return each(a, b, [](float x, float y) { return x + y; });
  }
  friend Float4 operator-(Float4 a, Float4 b) {
    return each(a, b, [](float x, float y) { return x - y; });
  }
  friend Float4 operator*(Float4 a, Float4 b) {
    return each(a, b, [](float x, float y) { return x * y; });
  }
  friend Float4 min(Float4 a, Float4 b) {
    return each(a, b, [](float x, float y) { return x < y ? x : y; });
  }
  friend Float4 max(Float4 a, Float4 b) {
    return each(a, b, [](float x, float y) { return x > y ? x : y; });
  }
  friend unsigned less_equal(Float4 a, Float4 b) {
    unsigned bits = 0;
    for (int i = 0; i < 4; ++i) bits |= (a.v[i] <= b.v[i] ? 1u : 0u) << i;
    return bits;
  }
};

#endif

}  // namespace surefoot
