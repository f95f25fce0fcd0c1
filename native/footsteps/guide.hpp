// What it costs to get to a goal and stand there when nothing is in the way, after any action and
// for any goal around the body: the search's sense of direction. It knows what starting, stopping
// and turning cost, which the optimal effort of 5.3 does not.
#pragma once

#include <vector>

#include "footsteps/step_table.hpp"

namespace surefoot::footsteps {

class Guide {
 public:
  // Solved by sweeps over a polar grid, until nothing changes by more than `precise` [J/kg].
  Guide(const StepTable& table, double tolerance, double precise, int sweeps);

  // [J/kg] after `action` to a goal `ahead` and `left` [m] of where the body faces then, `beyond`
  // [m] farther on the way.
  double cost(int32_t action, double ahead, double left, double beyond) const;
  int sweeps() const { return sweeps_; }

 private:
  static constexpr int kRings = 25, kSides = 32, kCells = kRings * kSides;
  static constexpr double kSpacing = 0.25, kFarthest = kSpacing * (kRings - 1);

  // Where between the cells a goal lies, and how far outside.
  struct Spot {
    int32_t cells[4];
    float weights[4];
    float outside;
  };
  static Spot spot(double away, double side);
  float read(int32_t action, const Spot& spot) const {
    const float* row = costs_.data() + static_cast<size_t>(action) * kCells;
    float sum = price_ * spot.outside;
    for (int i = 0; i < 4; ++i) sum += spot.weights[i] * row[spot.cells[i]];
    return sum;
  }

  std::vector<float> costs_;  // actions x rings x sides
  float price_;
  int sweeps_ = 0;
};

}  // namespace surefoot::footsteps
