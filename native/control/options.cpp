#include "control/options.hpp"

#include <algorithm>
#include <cmath>

namespace surefoot::control {
namespace {

constexpr double kLooked = 1.0 / 8.0;  // [s] between looks whether a target is reached

}  // namespace

Options::Options(const learning::Transitions& table, const Moves& moves,
                 const std::vector<int32_t>& actions, double rate)
    : rate_(rate), actions_(table.actions), index_(table.states * table.actions, -1) {
  for (size_t state = 0; state < table.states; ++state) {
    first_.push_back(all_.size());
    reach_.push_back(0.0);
    for (size_t action = 0; action < table.actions; ++action) {
      const size_t pair = state * table.actions + action;
      if (!table.viable[pair]) continue;
      const double* const motion = table.motions.data() + 3 * pair;
      const int32_t own = actions[action];
      index_[pair] = static_cast<int32_t>(all_.size());
      all_.push_back({static_cast<int32_t>(action), own, table.successors[pair],
                      table.rewards[pair], table.discounts[pair], motion[0], motion[1], motion[2],
                      std::cos(motion[2]), std::sin(motion[2]), elapsed(moves.move(own).duration)});
      reach_.back() = std::max(reach_.back(), std::hypot(motion[0], motion[1]));
    }
  }
  first_.push_back(all_.size());
  for (const int32_t own : actions) {
    first_stand_.push_back(stands_.size());
    first_place_.push_back(places_.size());
    far_.push_back(moves.move(own).reach);
    const double lasts = moves.move(own).duration;
    const int looks = std::max(1, static_cast<int>(std::ceil(lasts / kLooked)));
    for (int i = 1; i <= looks; ++i) {
      const double t = lasts * i / looks;
      const Level here = moves.at(own, t);
      places_.push_back({here.x, here.y});
      // At its end a move stands on what it stood on before.
      if (moves.airborne(own, std::min(t, lasts - 1e-6))) continue;
      stands_.push_back({here.x, here.y, elapsed(t)});
    }
  }
  first_stand_.push_back(stands_.size());
  first_place_.push_back(places_.size());
}

double Options::elapsed(double time) const {
  return rate_ == 0.0 ? time : (1.0 - std::exp(-rate_ * time)) / rate_;
}

double Options::nearest(int32_t action, double x, double y, double near) const {
  const double reach = far_[action] + near;
  if (x * x + y * y > reach * reach) return near;
  double least = near * near;
  for (size_t i = first_place_[action]; i < first_place_[action + 1]; ++i) {
    const double dx = x - places_[i].x, dy = y - places_[i].y;
    least = std::min(least, dx * dx + dy * dy);
  }
  return std::sqrt(least);
}

double Options::reaches(const Option& option, double x, double y, double radius) const {
  const double reach = far_[option.action] + radius;
  if (x * x + y * y > reach * reach) return -1.0;
  for (size_t i = first_stand_[option.action]; i < first_stand_[option.action + 1]; ++i) {
    const double dx = x - stands_[i].x, dy = y - stands_[i].y;
    if (dx * dx + dy * dy <= radius * radius) return stands_[i].lasts;
  }
  return -1.0;
}

}  // namespace surefoot::control
