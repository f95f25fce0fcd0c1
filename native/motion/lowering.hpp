// How far a pelvis sinks for its legs to reach, along a curve that bends gently; as
// motion/playing/lowering.py has it.
#pragma once

#include <span>
#include <vector>

namespace surefoot {

// A curve on or above even values, `step` [s] apart, whose second derivative stays within -peaks
// and valleys.
std::vector<double> curve_over(std::span<const double> values, double step, double peaks,
                               double valleys);

class Lowering {
 public:
  // Goes on over even times on or above what is needed.
  void grow(std::span<const double> times, std::span<const double> needed);
  double at(double t) const;

 private:
  std::vector<double> times_, drops_;
};

}  // namespace surefoot
