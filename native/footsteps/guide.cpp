#include "footsteps/guide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/checks.hpp"

namespace surefoot::footsteps {
namespace {

constexpr double kPi = 3.14159265358979323846;

// The angle of a vector in turns, 0 to 1, to within a thousandth of a turn: much faster than the
// library's, and the same on every machine.
double turns_of(double x, double y) {
  const double ax = std::abs(x), ay = std::abs(y);
  const double high = std::max(ax, ay), low = std::min(ax, ay);
  if (high == 0) return 0;
  const double z = low / high;
  double angle = z * (0.97239411 - 0.19194795 * z * z) / (2 * kPi);
  if (ay > ax) angle = 0.25 - angle;
  if (x < 0) angle = 0.5 - angle;
  return y < 0 ? 1 - angle : angle;
}

}  // namespace

Guide::Spot Guide::spot(double away, double side) {
  Spot s;
  s.outside = static_cast<float>(std::max(away - kFarthest, 0.0));
  const double ring = std::min(away, kFarthest) / kSpacing;
  const int r = std::min(static_cast<int>(ring), kRings - 2);
  const auto u = static_cast<float>(ring - r);
  const double turn = side * kSides;
  const int k = static_cast<int>(turn);
  const auto v = static_cast<float>(turn - k);
  const int a = k % kSides, b = (k + 1) % kSides;
  s.cells[0] = r * kSides + a, s.cells[1] = r * kSides + b;
  s.cells[2] = (r + 1) * kSides + a, s.cells[3] = (r + 1) * kSides + b;
  s.weights[0] = (1 - u) * (1 - v), s.weights[1] = (1 - u) * v;
  s.weights[2] = u * (1 - v), s.weights[3] = u * v;
  return s;
}

double Guide::cost(int32_t action, double ahead, double left, double beyond) const {
  check_index(action, costs_.size() / kCells, "action");
  const double away = std::sqrt(ahead * ahead + left * left);
  require(away + beyond >= 0 && std::isfinite(away + beyond), "the goal is ", away + beyond,
          " m away; that must be finite");
  return read(action, spot(away + beyond, turns_of(ahead, left)));
}

Guide::Guide(const StepTable& table, double tolerance, double precise, int sweeps)
    : price_(static_cast<float>(table.price)) {
  table.check();
  check_size(tolerance, "tolerance");
  check_number(precise, "precise", 0, kMaxSize);
  require(sweeps >= 0, "sweeps is ", sweeps, "; it must be at least 0");
  const size_t n = table.actions.size();
  // Where a goal is seen after each action, from each cell that it was seen in before.
  std::vector<Spot> seen(n * kCells);
  costs_.resize(n * kCells);
  for (size_t a = 0; a < n; ++a) {
    const Action& action = table.actions[a];
    for (int cell = 0; cell < kCells; ++cell) {
      const int ring = cell / kSides;
      const double away = kSpacing * ring;
      const double angle = 2 * kPi * (cell % kSides) / kSides;
      const double x = away * std::cos(angle) - action.dx, y = away * std::sin(angle) - action.dy;
      const double ahead = action.cosine * x + action.sine * y;
      const double left = action.cosine * y - action.sine * x;
      seen[a * kCells + cell] = spot(std::hypot(ahead, left), turns_of(ahead, left));
      costs_[a * kCells + cell] =
          static_cast<float>(table.price * std::max(away - tolerance, 0.0) + action.excess);
    }
  }
  std::vector<float> done(n * kCells), next(kCells);
  for (sweeps_ = 0; sweeps_ < sweeps; ++sweeps_) {
    for (size_t a = 0; a < n; ++a) {
      const auto effort = static_cast<float>(table.actions[a].effort);
      for (int cell = 0; cell < kCells; ++cell)
        done[a * kCells + cell] = effort + read(static_cast<int32_t>(a), seen[a * kCells + cell]);
    }
    float change = 0;
    for (size_t a = 0; a < n; ++a) {
      std::fill(next.begin(), next.end(), std::numeric_limits<float>::max());
      // Who does usual things goes on so: level ground is all that a guide knows.
      const int32_t last = table.actions[a].platform ? table.offsets[a + 1] : table.usual[a];
      for (int32_t edge = table.offsets[a]; edge < last; ++edge) {
        const float* row = done.data() + static_cast<size_t>(table.successors[edge]) * kCells;
        const float extra = table.changes[edge];
        for (int cell = 0; cell < kCells; ++cell)
          next[cell] = std::min(next[cell], extra + row[cell]);
      }
      float* row = costs_.data() + a * kCells;
      for (int cell = 0; cell < kCells; ++cell) {
        const int ring = cell / kSides;
        const double away = kSpacing * ring;
        if (table.actions[a].stands && away <= tolerance) next[cell] = 0;
        change = std::max(change, std::abs(next[cell] - row[cell]));
        row[cell] = next[cell];
      }
    }
    if (change <= precise) break;
  }
}

}  // namespace surefoot::footsteps
