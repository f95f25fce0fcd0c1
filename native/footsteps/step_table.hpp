// What a character can do next: annotated steps at some speeds and turns, and which may follow
// which (beacco2013, sections 4.3, 5.2 and 5.4).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace surefoot::footsteps {

// Sampled moments of a step, and points of the body at each (4.3): the root, around which the trunk
// is, then what the five cylinders of 5.5 are around; feet last.
inline constexpr int kSamples = 9, kPoints = 6;
inline constexpr int kRoot = 0, kFeet = 4;

struct Point {
  float x, y, z;
};
using Figure = Point[kPoints];

// One action: a step at a speed. Lengths are in the frame that the body travels in when it begins:
// x where it faces, y to its left.
struct Action {
  double dx, dy;        // [m] how far the body goes
  double turn;          // [rad] how far it turns
  double cosine, sine;  // of the turn
  double duration;      // [s]
  double effort;        // [J/kg] of 5.3
  double excess;        // [J/kg] at least, beyond what the distance alone costs, until it can stand
  int32_t shape;        // row of the samples
  int32_t stop;         // what to do next to come to a stand; itself where it stands
  float girth;          // [m] radius of the one cylinder of 5.5 around root and all five others
  float pace;           // [m/s] of the fastest of its points
  int32_t kind;         // actions of a kind leave a body in about the same motion
  uint8_t stands;       // 1: both feet stay, the body is at rest
};

struct StepTable {
  std::vector<Action> actions;
  // Those that may follow action a: successors[offsets[a]] to successors[offsets[a + 1]], with what
  // the change costs [J/kg].
  std::vector<int32_t> offsets, successors;
  std::vector<float> changes;
  std::vector<float> samples;         // shapes x kSamples x kPoints x 3
  float radii[kPoints];               // [m] of the cylinders; the root's is not used
  float low[kPoints], high[kPoints];  // [m] which heights around a point its cylinder fills
  double price;                       // [J/(kg m)] at least: 2 sqrt(e_s e_w) (5.3)

  std::span<const int32_t> after(int32_t action) const {
    return {successors.data() + offsets[action], successors.data() + offsets[action + 1]};
  }
  const Point* figure(int32_t shape, int sample) const {
    const size_t row = static_cast<size_t>(shape) * kSamples + static_cast<size_t>(sample);
    return reinterpret_cast<const Point*>(samples.data() + row * kPoints * 3);
  }
};

// Where a body travels when an action begins or ends.
struct State {
  double x, y, z;       // [m] the floor between the feet
  double cosine, sine;  // of where it faces
  double heading;       // [rad], not wrapped
  double t;             // [s]
};

// Where an action takes a body.
inline State moved(const State& from, const Action& action) {
  State to = from;
  to.x += from.cosine * action.dx - from.sine * action.dy;
  to.y += from.sine * action.dx + from.cosine * action.dy;
  to.cosine = from.cosine * action.cosine - from.sine * action.sine;
  to.sine = from.sine * action.cosine + from.cosine * action.sine;
  to.heading += action.turn;
  to.t += action.duration;
  return to;
}

inline State facing(double x, double y, double z, double heading, double t) {
  return {x, y, z, std::cos(heading), std::sin(heading), heading, t};
}

// A point of a sample where the body is.
inline Point placed(const State& at, const Point& p) {
  const auto c = static_cast<float>(at.cosine), s = static_cast<float>(at.sine);
  return {static_cast<float>(at.x) + c * p.x - s * p.y,
          static_cast<float>(at.y) + s * p.x + c * p.y, static_cast<float>(at.z) + p.z};
}

}  // namespace surefoot::footsteps
