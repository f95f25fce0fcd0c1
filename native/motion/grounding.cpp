// Which plants are on the ground. There is no one floor: floors drift in captures, and stairs and
// platforms lie at other heights, so a plant is compared with others near it in time.
#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/plants.hpp"

namespace surefoot {
namespace {

constexpr double kTouching = 0.03;   // [s] that plants overlap to be at once
constexpr double kNear = 1.0;        // [s] between plants that are compared
constexpr double kOverNear = 0.6;    // of the band: how far above its neighbours a flight is
constexpr double kBrief = 0.35;      // [s] the turning point of a jump lasts less
constexpr double kFalling = -2.0;    // [m/s^2] of height; free fall is -9.8, legs move besides
constexpr double kFlat = 0.03;       // [m] between heel and toe, beside how they lie in plants
constexpr double kCarrying = 0.25;   // [s] alone on a foot: it must be on something
constexpr double kKnownAlone = 0.2;  // [s] alone on a foot: it shows that something is there
constexpr double kKnownNear = 0.4;   // [m] from such a plant

double shared(const Plant& a, const Plant& b) {
  return std::min(a.end, b.end) - std::max(a.start, b.start);
}

// How long a plant carries the body without the other foot.
double alone(const Plant& plant, const std::vector<const Plant*>& others) {
  double both = 0;
  for (const Plant* other : others)
    if (other->foot != plant.foot) both += std::max(shared(plant, *other), 0.0);
  return plant.end - plant.start - both;
}

// Whether the foot's height bends down as in free flight: by least squares.
bool falling(const Plant& plant, const PointSeries& points, size_t parts, double rate) {
  const size_t first = plant.first == 0 ? 0 : plant.first - 1;
  const size_t last = std::min(plant.last + 1, points.n);
  if (last - first < 4) return true;
  const auto count = static_cast<double>(last - first);
  double s2 = 0, s4 = 0, sz = 0, s2z = 0;
  for (size_t i = first; i < last; ++i) {
    const double t = (static_cast<double>(i - first) - (count - 1) / 2) / rate;
    double z = 0;
    for (size_t part = 0; part < parts; ++part)
      z += points.at(static_cast<size_t>(plant.foot) * parts + part, 2)[i] /
           static_cast<double>(parts);
    s2 += t * t;
    s4 += t * t * t * t;
    sz += z;
    s2z += t * t * z;
  }
  return 2 * (count * s2z - s2 * sz) / (count * s4 - s2 * s2) < kFalling;
}

bool held_in_air(const Plant& plant, const std::vector<const Plant*>& others,
                 const PointSeries& points, size_t parts, double rate, double band, double scale) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  const Plant *before = nullptr, *after = nullptr;
  double beside = none;  // the highest level at the same time
  for (const Plant* other : others) {
    if (other == &plant) continue;
    if (other->foot != plant.foot && shared(plant, *other) > kTouching) {
      beside = std::max(beside, other->place[2]);
      continue;
    }
    if (other->end <= plant.start && plant.start - other->end < kNear &&
        (!before || other->end > before->end))
      before = other;
    if (other->start >= plant.end && other->start - plant.end < kNear &&
        (!after || other->start < after->start))
      after = other;
  }
  const double level = plant.place[2];
  const double near = std::max(before ? before->place[2] : none, after ? after->place[2] : none);
  // The turning point of a jump is above where it came from and where it goes, and falls.
  if (near > none && level > near + kOverNear * band && plant.end - plant.start < kBrief &&
      falling(plant, points, parts, rate))
    return true;
  if (beside == none || level <= beside + band) return false;
  // Higher than the foot beside it: a step up carries the body in the end, a held foot never.
  if (alone(plant, others) >= kCarrying) return false;
  // Whether it will, or did, is not known of one that is cut off; feet that hang are not flat.
  if ((plant.first == 0 || plant.last == points.n) && plant.flat) return false;
  return std::none_of(others.begin(), others.end(), [&](const Plant* other) {
    return other != &plant && std::abs(other->place[2] - level) <= band &&
           alone(*other, others) >= kKnownAlone &&
           std::hypot(other->place[0] - plant.place[0], other->place[1] - plant.place[1]) <
               kKnownNear * scale;
  });
}

}  // namespace

std::vector<Plant> on_the_ground(std::vector<Plant> plants, const PointSeries& points, size_t parts,
                                 double rate, double band, double scale) {
  if (plants.empty()) return plants;
  // The tips are left out: they hang low from feet in the air.
  const size_t used = std::min<size_t>(parts, 2);
  std::vector<double> rear, higher;
  for (Plant& plant : plants) {
    double low[2] = {0, 0};
    for (size_t part = 0; part < used; ++part) {
      const double* z = points.at(static_cast<size_t>(plant.foot) * parts + part, 2);
      low[part] = *std::min_element(z + plant.first, z + plant.last);
    }
    rear.push_back(low[0]);
    higher.push_back(low[1] - low[0]);
  }
  // How much higher than the rear part the front is in plants.
  std::vector<double> sorted = higher;
  const double rest = used < 2 ? 0.0 : sorted_at(sorted, 0.5);
  for (size_t i = 0; i < plants.size(); ++i) {
    plants[i].place[2] = used < 2 ? rear[i] : std::min(rear[i], rear[i] + higher[i] - rest);
    plants[i].flat = used < 2 || std::abs(higher[i] - rest) < kFlat * scale;
  }

  std::vector<const Plant*> left, highest_first;
  for (const Plant& plant : plants) left.push_back(&plant);
  highest_first = left;
  std::stable_sort(highest_first.begin(), highest_first.end(),
                   [](const Plant* a, const Plant* b) { return a->place[2] > b->place[2]; });
  for (const Plant* plant : highest_first)
    if (held_in_air(*plant, left, points, parts, rate, band, scale)) std::erase(left, plant);
  std::vector<Plant> out;
  for (const Plant* plant : left) out.push_back(*plant);
  return out;
}

}  // namespace surefoot
