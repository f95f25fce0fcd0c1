#include "motion/plants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "motion/foot_speeds.hpp"

namespace surefoot {
namespace {

constexpr double kUsualLeg = 0.9;                         // [m]
constexpr double kLandingBlur = 1.2, kLiftingBlur = 0.8;  // of the smoothing: not followed
constexpr double kGrown = 3;             // of the limit: how far speeds are followed
constexpr double kGrowing = 0.08;        // [s] likewise
constexpr double kLongestGrowth = 0.05;  // [s] from rest to the limit
constexpr double kStill = 0.05;          // of the limit: as still as can be told
constexpr double kLifted = 1.15;         // of the limit: what a swing must reach
constexpr double kLiftedAtEnd = 2.0;     // likewise, of one that is cut off soon
constexpr double kPlanted = 0.7;         // of the limit: what a plant must come down to
constexpr double kSameSpot = 0.03;       // [m] moved or risen, less than which is no step
constexpr double kHardlyRaised = 0.3;    // of a rise that counts: where it begins and ends
constexpr double kSameHeading = 0.17;    // [rad]
constexpr double kAround = 0.12;         // [s] of a plant next to a swing that tell where it was

struct Span {
  size_t first, last;
};

double highest(const Values& values, size_t first, size_t last) {
  return *std::max_element(values.begin() + static_cast<ptrdiff_t>(first),
                           values.begin() + static_cast<ptrdiff_t>(last));
}

double lowest(const Values& values, size_t first, size_t last) {
  return *std::min_element(values.begin() + static_cast<ptrdiff_t>(first),
                           values.begin() + static_cast<ptrdiff_t>(last));
}

// Plants of one foot by its speed alone: slow, faster before and after, none of them too brief.
std::vector<Span> slow_spans(const Values& landing, const Values& lifting, double rate,
                             const PlantTuning& tuning) {
  const size_t n = landing.size();
  const auto no_swing = [&](size_t first, size_t last) {
    if (first == last) return true;
    const double top = std::min(highest(landing, first, last), highest(lifting, first, last));
    const bool brief = static_cast<double>(last - first) / rate < tuning.shortest_swing;
    // A swing that is cut off may be brief, and speeds at the ends are the noisiest.
    const bool cut = first == 0 || last == n;
    return top < kLifted || (brief && (!cut || top < kLiftedAtEnd));
  };
  std::vector<Span> spans;
  for (size_t i = 0; i < n;) {
    if (landing[i] >= 1) {
      ++i;
      continue;
    }
    size_t first = i++;
    while (i < n && (landing[i] < 1 || lifting[i] < 1)) ++i;
    size_t last = i;
    while (last > first + 1 && last < n && lifting[last - 1] >= 1) --last;
    const size_t before = spans.empty() ? 0 : spans.back().last;
    if (no_swing(before, first)) {
      first = spans.empty() ? 0 : spans.back().first;
      if (!spans.empty()) spans.pop_back();
    }
    spans.push_back({first, last});
  }
  if (!spans.empty() && no_swing(spans.back().last, n)) spans.back().last = n;
  std::erase_if(spans, [&](const Span& span) {
    const bool cut = span.first == 0 || span.last == n;
    const double duration = static_cast<double>(span.last - span.first) / rate;
    return lowest(landing, span.first, span.last) >= kPlanted ||
           (duration < tuning.shortest_plant && !cut);
  });
  return spans;
}

// How far a part is above where it is most of the time in a span.
void raise(Values& above, const double* z, Span span) {
  Values heights(z + span.first, z + span.last);
  const double low = sorted_at(heights, 0.2);
  for (size_t i = span.first; i < span.last; ++i)
    above[i - span.first] = std::min(above[i - span.first], z[i] - low);
}

// Plants without the moments in their midst at which the whole foot is raised: steps so slow that
// they hide in noise and skate.
std::vector<Span> without_raised(const std::vector<Span>& spans, const PointSeries& points,
                                 size_t base, size_t parts, double rate, double high,
                                 double shortest) {
  if (parts < 2) return spans;  // an ankle rises while the toes stay
  std::vector<Span> out;
  for (const Span& span : spans) {
    Values above(span.last - span.first, std::numeric_limits<double>::infinity());
    for (size_t part = 0; part < 2; ++part) raise(above, points.at(base + part, 2), span);
    const auto margin = std::max<size_t>(1, static_cast<size_t>(shortest * rate));
    const size_t last = above.size();
    size_t first = 0;
    for (size_t i = margin; i + margin < last; ++i) {
      if (above[i] <= high) continue;
      size_t from = i, to = i;
      while (from > first && above[from - 1] > kHardlyRaised * high) --from;
      while (to < last && above[to] > kHardlyRaised * high) ++to;
      i = to;
      if (to - from < margin || from < first + margin || to + margin > last) continue;
      out.push_back({span.first + first, span.first + from});
      first = to;
    }
    out.push_back({span.first + first, span.last});
  }
  return out;
}

// One foot's points in a plant or a part of it, on average.
struct Stand {
  double x = 0, y = 0, height = 0, ahead_x = 0, ahead_y = 0;
};

double height_of(const PointSeries& points, size_t base, size_t parts, size_t i) {
  const double rear = points.at(base, 2)[i];
  return parts < 2 ? rear : std::min(rear, points.at(base + 1, 2)[i]);
}

Stand stand(const PointSeries& points, size_t base, size_t parts, size_t first, size_t last) {
  Stand out;
  const auto count = static_cast<double>(last - first);
  for (size_t i = first; i < last; ++i) {
    for (size_t part = 0; part < parts; ++part) {
      out.x += points.at(base + part, 0)[i] / static_cast<double>(parts);
      out.y += points.at(base + part, 1)[i] / static_cast<double>(parts);
    }
    out.height += height_of(points, base, parts, i);
    if (parts > 1) {
      out.ahead_x += points.at(base + 1, 0)[i] - points.at(base, 0)[i];
      out.ahead_y += points.at(base + 1, 1)[i] - points.at(base, 1)[i];
    }
  }
  for (double* value : {&out.x, &out.y, &out.height, &out.ahead_x, &out.ahead_y}) *value /= count;
  return out;
}

// Plants between which the foot neither goes anywhere, rises nor turns are one.
std::vector<Span> without_false_swings(const std::vector<Span>& spans, const PointSeries& points,
                                       size_t base, size_t parts, double rate, double scale) {
  const auto around = std::max<size_t>(1, static_cast<size_t>(kAround * rate));
  std::vector<Span> out;
  for (const Span& span : spans) {
    if (!out.empty()) {
      Span& old = out.back();
      const size_t from = old.last - std::min(old.last - old.first, around);
      const Stand was = stand(points, base, parts, from, old.last);
      const Stand is =
          stand(points, base, parts, span.first, std::min(span.last, span.first + around));
      double top = -std::numeric_limits<double>::infinity();
      for (size_t i = old.last; i < span.first; ++i)
        top = std::max(top, height_of(points, base, parts, i));
      const double turn = std::abs(std::atan2(was.ahead_x * is.ahead_y - was.ahead_y * is.ahead_x,
                                              was.ahead_x * is.ahead_x + was.ahead_y * is.ahead_y));
      if (std::hypot(is.x - was.x, is.y - was.y, is.height - was.height) < kSameSpot * scale &&
          top - std::max(was.height, is.height) < kSameSpot * scale && turn < kSameHeading) {
        old.last = span.last;
        continue;
      }
    }
    out.push_back(span);
  }
  return out;
}

// Where between two moments, 0 to 1, a ratio passes 1; halfway where something else told.
double crossing(double before, double after) {
  return (before < 1) == (after < 1) ? 0.5 : (before - 1) / (before - after);
}

// How many moments before it passes 1 a ratio that grows from moment `at` on, by one `step` each,
// was at rest, if it had grown as it does then: smoothing and limits make plants look too long.
double since_rest(const Values& ratio, size_t at, ptrdiff_t step, double passed, double rate,
                  double blur) {
  const auto n = static_cast<ptrdiff_t>(ratio.size());
  const auto reach = std::max<ptrdiff_t>(1, static_cast<ptrdiff_t>(kGrowing * rate));
  double steepest = 0, last = 1, last_at = passed;
  for (ptrdiff_t k = 0; k < reach; ++k) {
    const ptrdiff_t i = static_cast<ptrdiff_t>(at) + step * k;
    if (i < 0 || i >= n) break;
    const double value = ratio[static_cast<size_t>(i)];
    const double away = std::abs(static_cast<double>(i) - passed);
    if (value >= kGrown) {
      const double between = std::abs(last_at - passed);
      const double reached = between + (away - between) * (kGrown - last) / (value - last);
      steepest = (kGrown - 1) / std::max(reached, 1e-9);
      break;
    }
    if (away > 0) steepest = std::max(steepest, (value - 1) / away);
    last = value;
    last_at = static_cast<double>(i);
  }
  if (steepest <= 0) return 0;
  return std::clamp(1 / steepest - blur * rate, 0.0, kLongestGrowth * rate);
}

Plant measured(int foot, Span span, const Ratios& ratios, size_t parts, double rate,
               bool from_rest) {
  const Values& landing = ratios.landing[foot];
  const Values& lifting = ratios.lifting[foot];
  const PointSeries& points = ratios.points;
  const size_t n = landing.size(), base = static_cast<size_t>(foot) * parts;
  const auto [first, last] = span;
  Plant plant{foot, first, last, 0.0, static_cast<double>(n - 1) / rate, {0, 0, 0}, 0.0, 0.0, true};
  double begins = 0, ends = static_cast<double>(n - 1);
  if (first > 0) {
    begins = static_cast<double>(first - 1) + crossing(landing[first - 1], landing[first]);
    if (from_rest && landing[first - 1] >= 1)
      begins += since_rest(landing, first - 1, -1, begins, rate, kLandingBlur * ratios.sigma);
  }
  if (last < n) {
    ends = static_cast<double>(last - 1) + crossing(lifting[last - 1], lifting[last]);
    if (from_rest && lifting[last] >= 1)
      ends -= since_rest(lifting, last, 1, ends, rate, kLiftingBlur * ratios.sigma);
  }
  // A brief plant keeps at least half of itself.
  const double least = static_cast<double>(last - first) / 2;
  if (ends - begins < least && from_rest) {
    const double middle = (begins + ends) / 2;
    begins = middle - least / 2;
    ends = middle + least / 2;
  }
  plant.start = begins / rate;
  plant.end = ends / rate;

  // Where it is, and where it points, while it is most still.
  Values sorted(landing.begin() + static_cast<ptrdiff_t>(first),
                landing.begin() + static_cast<ptrdiff_t>(last));
  const double middle = std::max(sorted_at(sorted, 0.5), kStill);
  const size_t used = std::min<size_t>(parts, 2);
  double count = 0, ahead_x = 0, ahead_y = 0;
  for (size_t i = first; i < last; ++i) {
    if (landing[i] > middle) continue;
    count += 1;
    for (size_t axis = 0; axis < 3; ++axis)
      for (size_t part = 0; part < used; ++part)
        plant.place[axis] += points.at(base + part, axis)[i];
    if (used < 2) continue;
    ahead_x += points.at(base + 1, 0)[i] - points.at(base, 0)[i];
    ahead_y += points.at(base + 1, 1)[i] - points.at(base, 1)[i];
  }
  for (double& value : plant.place) value /= count * static_cast<double>(used);
  plant.heading =
      used < 2 ? std::numeric_limits<double>::quiet_NaN() : std::atan2(ahead_y, ahead_x);

  // How still it is, and how clearly it was slower than before and after.
  Values lift;
  for (size_t i = first; i < last; ++i) lift.push_back(std::min(lifting[i], 1.0));
  plant.confidence = 1 - sorted_at(lift, 0.5);
  const auto around = std::max<size_t>(1, static_cast<size_t>(0.15 * rate));
  const size_t from = first - std::min(first, around), to = std::min(n, last + around);
  plant.confidence *= from == first ? 0.8 : std::min(1.0, highest(lifting, from, first) / 2);
  plant.confidence *= to == last ? 0.8 : std::min(1.0, highest(lifting, last, to) / 2);
  return plant;
}

}  // namespace

Plants find_plants(const double* input, size_t n, double rate, double leg,
                   const PlantTuning& tuning) {
  const size_t parts = tuning.landing.size();
  const double scale = leg / kUsualLeg;
  PointSeries points = transposed(input, n, 2 * parts);

  Plants out;
  Speeds fine = speeds_of(points, rate, scale, tuning.still);
  if (tuning.floor != Floor::automatic || !mostly_at_rest(fine))
    out.floor = floor_velocity(points, rate, scale, tuning.floor);
  Values carried_x(n, 0.0), carried_y(n, 0.0);
  if (!out.floor.empty()) {
    for (size_t i = 1; i < n; ++i) {
      carried_x[i] = carried_x[i - 1] + (out.floor[2 * i - 2] + out.floor[2 * i]) / 2 / rate;
      carried_y[i] = carried_y[i - 1] + (out.floor[2 * i - 1] + out.floor[2 * i + 1]) / 2 / rate;
    }
    for (size_t p = 0; p < points.points; ++p)
      for (size_t i = 0; i < n; ++i) {
        points.at(p, 0)[i] -= carried_x[i];
        points.at(p, 1)[i] -= carried_y[i];
      }
    fine = speeds_of(points, rate, scale, tuning.still);
  }

  const Ratios over =
      ratios(points, std::move(fine), tuning.landing, tuning.lifting, rate, scale, tuning.still);
  std::vector<Plant> plants;
  for (int foot = 0; foot < 2; ++foot) {
    std::vector<Span> spans = slow_spans(over.landing[foot], over.lifting[foot], rate, tuning);
    spans = without_raised(spans, over.points, static_cast<size_t>(foot) * parts, parts, rate,
                           over.raised, tuning.shortest_swing);
    spans = without_false_swings(spans, over.points, static_cast<size_t>(foot) * parts, parts, rate,
                                 scale);
    for (const Span& span : spans)
      plants.push_back(measured(foot, span, over, parts, rate, tuning.from_rest));
  }
  out.plants =
      on_the_ground(std::move(plants), over.points, parts, rate, tuning.band * scale, scale);
  for (Plant& plant : out.plants) {
    const auto middle = static_cast<size_t>(std::lrint((plant.start + plant.end) / 2 * rate));
    plant.place[0] += carried_x[std::min(middle, n - 1)];
    plant.place[1] += carried_y[std::min(middle, n - 1)];
  }
  std::stable_sort(out.plants.begin(), out.plants.end(), [](const Plant& a, const Plant& b) {
    return a.start < b.start || (a.start == b.start && a.foot < b.foot);
  });
  return out;
}

}  // namespace surefoot
