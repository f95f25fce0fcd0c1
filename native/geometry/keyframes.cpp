#include <algorithm>

#include "geometry/checks.hpp"
#include "geometry/trajectory.hpp"

namespace surefoot {
namespace {

// Key times and as many values; tangents where the interpolation uses them.
template <class Value>
void check_channel(const Channel<Value>& c, const char* times, const char* values) {
  require<TrajectoryError>(!c.times.empty(), times, " must not be empty");
  check_times<TrajectoryError>(c.times, times);
  check_increasing<TrajectoryError>(c.times, times);
  check_count<TrajectoryError>(c.values.size(), values, c.times.size(), times);
  if (c.interpolation != Interpolation::kCubic || c.times.size() == 1) return;
  check_count<TrajectoryError>(c.in.size(), "arriving tangents", c.times.size(), times);
  check_count<TrajectoryError>(c.out.size(), "leaving tangents", c.times.size(), times);
  for (const auto* tangents : {&c.in, &c.out})
    for (const Value& tangent : *tangents)
      check_finite<TrajectoryError>(length(tangent), "the length of a tangent");
}

// Index of the segment that holds t, and how far through it t is.
struct Segment {
  size_t index;
  double fraction;
};

Segment locate(const std::vector<double>& times, double t) {
  if (times.size() == 1 || t <= times.front()) return {0, 0.0};
  if (t >= times.back()) return {times.size() - 2, 1.0};
  const size_t i = std::upper_bound(times.begin(), times.end(), t) - times.begin() - 1;
  // Below one, though the quotient may round up to it: the next key has not come yet.
  return {i, std::min((t - times[i]) / (times[i + 1] - times[i]), std::nextafter(1.0, 0.0))};
}

// Cubic Hermite weights and their derivatives, for a segment of duration d.
struct Hermite {
  double p0, m0, p1, m1;

  static Hermite value(double s, double d) {
    const double s2 = s * s, s3 = s2 * s;
    return {2 * s3 - 3 * s2 + 1, d * (s3 - 2 * s2 + s), -2 * s3 + 3 * s2, d * (s3 - s2)};
  }
  static Hermite slope(double s, double d) {
    const double s2 = s * s;
    return {(6 * s2 - 6 * s) / d, 3 * s2 - 4 * s + 1, (-6 * s2 + 6 * s) / d, 3 * s2 - 2 * s};
  }
  template <class Value>
  Value mix(const Channel<Value>& c, size_t i) const {
    return c.values[i] * p0 + c.out[i] * m0 + c.values[i + 1] * p1 + c.in[i + 1] * m1;
  }
};

Vec3 value_at(const Channel<Vec3>& c, double t) {
  const auto [i, s] = locate(c.times, t);
  if (c.times.size() == 1) return c.values[0];
  if (s >= 1) return c.values[i + 1];
  switch (c.interpolation) {
    case Interpolation::kStep:
      return c.values[i];
    case Interpolation::kCubic:
      return Hermite::value(s, c.times[i + 1] - c.times[i]).mix(c, i);
    default:
      return c.values[i] + (c.values[i + 1] - c.values[i]) * s;
  }
}

Quat value_at(const Channel<Quat>& c, double t) {
  const auto [i, s] = locate(c.times, t);
  if (c.times.size() == 1 || s >= 1) {
    const Quat q = c.values[c.times.size() == 1 ? 0 : i + 1];
    // Keys of cubic rotations are raw; all others are unit already.
    return c.interpolation == Interpolation::kCubic ? q * (1.0 / length(q)) : q;
  }
  switch (c.interpolation) {
    case Interpolation::kStep:
      return c.values[i];
    case Interpolation::kCubic: {
      const Quat q = Hermite::value(s, c.times[i + 1] - c.times[i]).mix(c, i);
      return q * (1.0 / length(q));
    }
    default: {
      if (s <= 0) return c.values[i];
      const Vec3 step = rotation_vector(c.values[i + 1] * conjugate(c.values[i]));
      const Quat q = from_rotation_vector(step * s) * c.values[i];
      return q * (1.0 / length(q));
    }
  }
}

Vec3 rate_at(const Channel<Vec3>& c, double t) {
  if (c.times.size() == 1 || c.interpolation == Interpolation::kStep) return {};
  if (t < c.times.front() || t >= c.times.back()) return {};
  const auto [i, s] = locate(c.times, t);
  const double d = c.times[i + 1] - c.times[i];
  if (c.interpolation == Interpolation::kCubic) return Hermite::slope(s, d).mix(c, i);
  return (c.values[i + 1] - c.values[i]) * (1.0 / d);
}

Vec3 rate_at(const Channel<Quat>& c, double t) {
  if (c.times.size() == 1 || c.interpolation == Interpolation::kStep) return {};
  if (t < c.times.front() || t >= c.times.back()) return {};
  const auto [i, s] = locate(c.times, t);
  const double d = c.times[i + 1] - c.times[i];
  if (c.interpolation == Interpolation::kCubic) {
    const Quat raw = Hermite::value(s, d).mix(c, i), slope = Hermite::slope(s, d).mix(c, i);
    // omega = 2 q' q^-1; what changes the length of q cancels in the vector part.
    const Quat omega = slope * conjugate(raw) * (2.0 / dot(raw, raw));
    return {omega.x, omega.y, omega.z};
  }
  return rotation_vector(c.values[i + 1] * conjugate(c.values[i])) * (1.0 / d);
}

// Largest |derivative| of a cubic Hermite segment: its derivative is a parabola, bounded by
// the control values of its Bernstein form.
template <class Value, class Norm>
double cubic_rate(const Channel<Value>& c, size_t i, Norm norm) {
  const double d = c.times[i + 1] - c.times[i];
  const Value middle =
      (c.values[i + 1] + c.values[i] * -1.0) * (3.0 / d) + c.out[i] * -1.0 + c.in[i + 1] * -1.0;
  return std::max({norm(c.out[i]), norm(c.in[i + 1]), norm(middle)});
}

}  // namespace

KeyframedTrajectory::KeyframedTrajectory(Channel<Vec3> positions, Channel<Quat> rotations,
                                         Repeat repeat, double start, double end)
    : positions_(std::move(positions)),
      rotations_(std::move(rotations)),
      repeat_(repeat),
      start_(start),
      end_(end) {
  check_channel(positions_, "times", "positions");
  check_channel(rotations_, "rotation times", "rotations");
  check_positions<TrajectoryError>(positions_.values, "positions");
  if (rotations_.interpolation == Interpolation::kCubic) {
    for (const Quat& q : rotations_.values)
      check_number<TrajectoryError>(length(q), "the length of a cubic rotation", 1e-6, 1e6);
  } else {
    check_rotations<TrajectoryError>(rotations_.values, "rotations");
  }
  check_time<TrajectoryError>(start, "start");
  check_number<TrajectoryError>(end, "end", start, kMaxTime);
  shift_sum_.resize(positions_.times.size());
  for (size_t i = 0; i + 1 < positions_.times.size(); ++i) {
    const double d = positions_.times[i + 1] - positions_.times[i];
    Vec3 step;
    if (positions_.interpolation == Interpolation::kLinear) {
      step = abs(positions_.values[i + 1] - positions_.values[i]);
    } else if (positions_.interpolation == Interpolation::kCubic) {
      for (int axis = 0; axis < 3; ++axis)
        step[axis] = d * cubic_rate(positions_, i, [&](Vec3 v) { return std::abs(v[axis]); });
    }
    shift_sum_[i + 1] = shift_sum_[i] + step;
    moving_ |= !(positions_.values[i + 1] == positions_.values[i]) || length(step) > 0;
  }
  turn_sum_.resize(rotations_.times.size());
  tilt_sum_.resize(rotations_.times.size());
  for (size_t i = 0; i + 1 < rotations_.times.size(); ++i) {
    const double d = rotations_.times[i + 1] - rotations_.times[i];
    const Vec3 step = rotation_vector(rotations_.values[i + 1] * conjugate(rotations_.values[i]));
    double turn = 0, tilt = 0;
    if (rotations_.interpolation == Interpolation::kLinear) {
      turn = length(step);
      tilt = std::hypot(step.x, step.y);
    } else if (rotations_.interpolation == Interpolation::kCubic) {
      const double rate = cubic_rate(rotations_, i, [](Quat q) { return length(q); });
      // The raw quaternion's length between samples, less what it can change in between.
      constexpr int kSamples = 32;
      double shortest = kInfinity;
      for (int k = 0; k <= kSamples; ++k)
        shortest =
            std::min(shortest, length(Hermite::value(k / double(kSamples), d).mix(rotations_, i)));
      shortest -= rate * d / (2 * kSamples);
      if (!(shortest > 0.05))
        throw TrajectoryError("cubic rotation keys " + std::to_string(i) + " and " +
                              std::to_string(i + 1) + " pass too near the zero quaternion");
      // Keys that turn about the vertical alone never tilt.
      const auto vertical = [](Quat q) { return q.x == 0 && q.y == 0; };
      const bool flat = vertical(rotations_.values[i]) && vertical(rotations_.values[i + 1]) &&
                        vertical(rotations_.out[i]) && vertical(rotations_.in[i + 1]);
      turn = 2 * rate * d / shortest;
      tilt = flat ? 0 : turn;
    }
    turn_sum_[i + 1] = turn_sum_[i] + turn;
    tilt_sum_[i + 1] = tilt_sum_[i] + tilt;
    moving_ |= length(step) > 0 || turn > 0;
  }
  const Pose first{value_at(positions_, start_), value_at(rotations_, start_)};
  const Pose last{value_at(positions_, end_), value_at(rotations_, end_)};
  jumps_at_wrap_ = repeat_ == Repeat::kLoop &&
                   (length(last.position - first.position) > 1e-12 ||
                    length(rotation_vector(last.rotation * conjugate(first.rotation))) > 1e-12);
}

KeyframedTrajectory::Folded KeyframedTrajectory::fold(double t) const {
  const double span = end_ - start_;
  if (!(span > 0)) return {start_, 0, 0};
  if (repeat_ == Repeat::kOnce) {
    if (t < start_) return {start_, 0, 0};
    if (t >= end_) return {end_, 0, 0};
    return {t, 1, 0};
  }
  const double rounds = std::floor((t - start_) / span);
  const double inside = std::clamp(t - start_ - rounds * span, 0.0, span);
  if (repeat_ == Repeat::kPingPong && std::fmod(std::abs(rounds), 2.0) == 1.0)
    return {end_ - inside, -1, rounds};
  return {start_ + inside, 1, rounds};
}

Pose KeyframedTrajectory::pose(double t) const {
  const Folded f = fold(t);
  // At a jump the new value holds already; on the way back that is the earlier key's.
  const double before = f.direction < 0 ? std::nextafter(f.time, start_ - 1) : f.time;
  const bool step = positions_.interpolation == Interpolation::kStep;
  const bool turn_step = rotations_.interpolation == Interpolation::kStep;
  return {value_at(positions_, step ? before : f.time),
          value_at(rotations_, turn_step ? before : f.time)};
}

Twist KeyframedTrajectory::velocity(double t) const {
  const Folded f = fold(t);
  if (f.direction == 0) return {};
  // On the way back the segment that ends here is the one being walked.
  const double at = f.direction > 0 ? f.time : std::nextafter(f.time, start_);
  return {rate_at(positions_, at) * f.direction, rate_at(rotations_, at) * f.direction};
}

Travel KeyframedTrajectory::cumulative_inside(double t) const {
  Travel total;
  const auto [i, s] = locate(positions_.times, t);
  if (positions_.times.size() > 1)
    total.shift = shift_sum_[i] + (shift_sum_[i + 1] - shift_sum_[i]) * s;
  const auto [j, r] = locate(rotations_.times, t);
  if (rotations_.times.size() > 1) {
    total.turn = turn_sum_[j] + (turn_sum_[j + 1] - turn_sum_[j]) * r;
    total.tilt = tilt_sum_[j] + (tilt_sum_[j + 1] - tilt_sum_[j]) * r;
  }
  return total;
}

// Travel since round zero: it only ever grows, on the way back too.
Travel KeyframedTrajectory::cumulative(double t) const {
  const Folded f = fold(t);
  const Travel here = cumulative_inside(f.time);
  if (f.rounds == 0 && f.direction >= 0) return here;
  const Travel from = cumulative_inside(start_), to = cumulative_inside(end_);
  const Travel whole{to.shift - from.shift, to.turn - from.turn, to.tilt - from.tilt};
  const Travel part =
      f.direction < 0
          ? Travel{to.shift - here.shift, to.turn - here.turn, to.tilt - here.tilt}
          : Travel{here.shift - from.shift, here.turn - from.turn, here.tilt - from.tilt};
  return {from.shift + whole.shift * f.rounds + part.shift,
          from.turn + whole.turn * f.rounds + part.turn,
          from.tilt + whole.tilt * f.rounds + part.tilt};
}

Travel KeyframedTrajectory::travel(double from, double to) const {
  const Travel a = cumulative(from), b = cumulative(to);
  // Sums are rounded; never report less than was travelled, and nothing where nothing moves.
  const auto grown = [](double low, double high) {
    const double d = high - low;
    return d > 0 ? d + 1e-12 * (std::abs(high) + 1) : 0.0;
  };
  return {{grown(a.shift.x, b.shift.x), grown(a.shift.y, b.shift.y), grown(a.shift.z, b.shift.z)},
          grown(a.turn, b.turn),
          grown(a.tilt, b.tilt)};
}

void KeyframedTrajectory::jumps(double from, double to, std::vector<double>& out) const {
  const double span = end_ - start_;
  if (!(span > 0)) return;
  const bool steps = positions_.interpolation == Interpolation::kStep ||
                     rotations_.interpolation == Interpolation::kStep;
  if (!steps && !jumps_at_wrap_) return;
  double first = 0, last = 0;
  if (repeat_ != Repeat::kOnce) {
    first = std::floor((from - start_) / span);
    last = std::floor((to - start_) / span);
  }
  const auto add = [&](double t) {
    if (t > from && t < to) out.push_back(t);
  };
  // Counted in whole numbers: one more is no other number where doubles are large.
  const auto rounds = static_cast<int64_t>(last - first);
  for (int64_t k = 0; k <= rounds; ++k) {
    const double round = first + static_cast<double>(k);
    const double base = start_ + round * span;
    if (jumps_at_wrap_) add(base);
    if (!steps) continue;
    const bool back = repeat_ == Repeat::kPingPong && std::fmod(std::abs(round), 2.0) == 1.0;
    const auto keys = [&](const std::vector<double>& times) {
      for (double key : times) add(back ? base + (end_ - key) : base + (key - start_));
    };
    if (positions_.interpolation == Interpolation::kStep) keys(positions_.times);
    if (rotations_.interpolation == Interpolation::kStep) keys(rotations_.times);
  }
}

double KeyframedTrajectory::period() const {
  if (repeat_ == Repeat::kOnce) return 0;
  return repeat_ == Repeat::kLoop ? end_ - start_ : 2 * (end_ - start_);
}

}  // namespace surefoot
