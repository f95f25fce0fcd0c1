#include "topology/leap.hpp"

namespace surefoot::topology {
namespace {

// A hair's breadth over a limit is rounding.
constexpr double kRounding = 1e-9;

}  // namespace

double reach(const Leap& leap, double rise) {
  // The faster upward the farther, unless the landing becomes too hard.
  const double hard = leap.landing * leap.landing + 2 * kGravity * rise;
  if (hard < 0) return -1;
  const double up = std::min(leap.vertical, std::sqrt(hard));
  const double down = up * up - 2 * kGravity * rise;
  if (down < 0) return -1;
  return leap.horizontal * (up + std::sqrt(down)) / kGravity;
}

double most_rise(const Leap& leap) { return leap.vertical * leap.vertical / (2 * kGravity); }

double most_drop(const Leap& leap) { return leap.landing * leap.landing / (2 * kGravity); }

double most_reach(const Leap& leap) {
  // Where full impulse just makes the hardest landing.
  const double up = leap.vertical, down = std::max(leap.landing, 0.0);
  const double rise = (up * up - down * down) / (2 * kGravity);
  return std::max({reach(leap, rise), reach(leap, std::min(0.0, most_rise(leap))), 0.0});
}

Flight flight_between(Vec3 from, Vec3 to, double start, double lasts) {
  const Vec3 mean = (to - from) * (1 / lasts);
  return {start, lasts, from, mean + Vec3{0, 0, 0.5 * kGravity * lasts}};
}

bool possible(const Leap& leap, const Flight& flight, Vec3 from_velocity, Vec3 to_velocity) {
  const Vec3 impulse = flight.launch - from_velocity;
  if (std::hypot(impulse.x, impulse.y) > leap.horizontal * (1 + kRounding)) return false;
  if (impulse.z > leap.vertical * (1 + kRounding)) return false;
  const double sinking = kGravity * flight.lasts - flight.launch.z + to_velocity.z;
  // Feet come down on what they land on.
  return sinking >= 0 && sinking <= leap.landing * (1 + kRounding);
}

}  // namespace surefoot::topology
