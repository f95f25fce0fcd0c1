// Random numbers that are the same with every standard library.
#pragma once

#include <cstdint>
#include <string>

#include "geometry/vec.hpp"
#include "tests/testing.hpp"

namespace surefoot::testing {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // SplitMix64.
  uint64_t bits() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
  }
  // 0 to count - 1.
  int below(int count) { return static_cast<int>(bits() % static_cast<uint64_t>(count)); }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  Vec3 in_box(double half) {
    return {uniform(-half, half), uniform(-half, half), uniform(-half, half)};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = in_box(1);
      const double size = length(v);
      if (size > 0.1 && size <= 1) return v * (1 / size);
    }
  }
  Quat rotation() { return from_rotation_vector(direction() * uniform(0, 3)); }
  Pose pose(double half) { return {in_box(half), rotation()}; }

 private:
  uint64_t state_;
};

// run(random) for some seeds; a check that fails names the seed.
template <class Run>
void each_seed(int count, Run run) {
  for (int seed = 0; seed < count; ++seed) {
    context = "seed " + std::to_string(seed);
    Random random(static_cast<uint64_t>(seed));
    run(random);
  }
  context.clear();
}

}  // namespace surefoot::testing
