#include "learning/task_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "math/checks.hpp"

namespace surefoot::learning {
namespace {

constexpr size_t kBucketsPerPoint = 4;

// out[i] = in between its taps, for `count` rows of `inner` numbers.
void spread(const Between* taps, size_t count, size_t inner, const float* in, float* out) {
  if (inner == 1) {
    for (size_t i = 0; i < count; ++i) {
      const float low = in[taps[i].first];
      out[i] = low + taps[i].share * (in[taps[i].second] - low);
    }
    return;
  }
  for (size_t i = 0; i < count; ++i, out += inner) {
    const float* const low = in + taps[i].first * inner;
    const float* const high = in + taps[i].second * inner;
    const float share = taps[i].share;
    for (size_t m = 0; m < inner; ++m) out[m] = low[m] + share * (high[m] - low[m]);
  }
}

// How far an action goes along a line whose normal is that, to the left of it.
double way_along(const Displacement& by, double normal) {
  return by.left * std::cos(normal) - by.ahead * std::sin(normal);
}

}  // namespace

Axis::Axis(std::vector<double> points, double period)
    : points_(std::move(points)), period_(period) {
  require(!points_.empty(), "an axis needs a point");
  check_finite<InputError, double>(points_, "the points of an axis");
  check_increasing(points_, "the points of an axis");
  check_number(period, "period", 0, 1e12);
  require(period == 0 || points_.back() - points_.front() < period,
          "the points of an axis span its period or more");
  const size_t own = points_.size();
  if (circular()) points_.push_back(points_.front() + period_);
  const double length = points_.back() - points_.front();
  if (length <= 0.0) return;
  const size_t buckets = kBucketsPerPoint * own;
  per_unit_ = static_cast<double>(buckets) / length;
  int32_t at = 0;
  for (size_t bucket = 0; bucket < buckets; ++bucket) {
    const double low = points_.front() + static_cast<double>(bucket) / per_unit_;
    // One step back, in case of rounding.
    while (at + 2 < static_cast<int32_t>(points_.size()) && points_[at + 1] <= low) ++at;
    start_.push_back(std::max(at - 1, 0));
  }
  if (circular()) points_.pop_back();
}

Between Axis::locate(double x) const {
  const auto count = static_cast<int32_t>(points_.size());
  if (start_.empty()) return {0, 0, 0.0f};
  const double first = points_.front();
  double end = points_.back();
  if (circular()) {
    x -= period_ * std::floor((x - first) / period_);
    end = first + period_;
    if (!(x < end)) x = first;  // rounding
  } else {
    x = x > first ? std::min(x, end) : first;  // also where it is no number
  }
  const auto bucket = std::min(static_cast<size_t>((x - first) * per_unit_), start_.size() - 1);
  const int32_t last = circular() ? count - 1 : count - 2;
  int32_t at = start_[bucket];
  while (at < last && points_[at + 1] <= x) ++at;
  const int32_t next = at + 1 < count ? at + 1 : 0;
  const double low = points_[at], high = at + 1 < count ? points_[next] : end;
  return {at, next, static_cast<float>((x - low) / (high - low))};
}

TaskSpace::TaskSpace(std::vector<Axis> axes, Relation relation, std::vector<Rule> rules)
    : axes_(std::move(axes)), relation_(relation), rules_(std::move(rules)) {
  check_number(static_cast<double>(axes_.size()), "the number of axes", 1, kMostAxes);
  check_index(static_cast<int32_t>(relation), 4, "relation");
  require(axes_.size() >= coupled(), "a place needs two axes");
  check_count(rules_.size(), "rules", axes_.size() - coupled(), "the axes after the place");
  for (const Rule rule : rules_) check_index(static_cast<int32_t>(rule), 3, "rule");
  // Tasks are numbered in 32 bits.
  constexpr size_t kMostTasks = std::numeric_limits<int32_t>::max();
  for (const Axis& axis : axes_) {
    require(axis.size() <= kMostTasks / size_, "the axes make more than ", kMostTasks, " tasks");
    size_ *= axis.size();
    longest_ = std::max(longest_, axis.size());
  }
  shifts_ = static_cast<size_t>(std::count(rules_.begin(), rules_.end(), Rule::kShift));
  along_ = !rules_.empty() && rules_.front() == Rule::kAlong;
}

void TaskSpace::displace_place(const Displacement& by, double& first, double& second) const {
  const double c = std::cos(by.turn), s = std::sin(by.turn);
  switch (relation_) {
    case Relation::kPlane: {
      const double x = first - by.ahead, y = second - by.left;
      first = c * x + s * y;
      second = c * y - s * x;
      break;
    }
    case Relation::kPolar: {
      const double x = first * std::cos(second) - by.ahead;
      const double y = first * std::sin(second) - by.left;
      first = std::hypot(x, y);
      // At the place itself every bearing is as good: keep it.
      second = (first > 0.0 ? std::atan2(y, x) : second) - by.turn;
      break;
    }
    case Relation::kLine:
      first -= by.ahead * std::cos(second) + by.left * std::sin(second);
      second -= by.turn;
      break;
    case Relation::kNone:
      break;
  }
  // Bearings on an axis that is no circle are the ones about straight ahead.
  if (relation_ == Relation::kPolar || relation_ == Relation::kLine) {
    if (!axes_[1].circular()) second = std::remainder(second, 2.0 * std::numbers::pi);
  }
}

double TaskSpace::displaced_number(const Displacement& by, size_t rule, size_t shift,
                                   double number) const {
  if (rules_[rule] == Rule::kShift) return number + by.shifts[shift];
  return number - by.turn;
}

void TaskSpace::displace(const Displacement& by, double* task) const {
  if (along_) task[2] -= way_along(by, task[1]);
  if (coupled() != 0) displace_place(by, task[0], task[1]);
  size_t shift = 0;
  for (size_t k = along_ ? 1 : 0; k < rules_.size(); ++k) {
    double& number = task[coupled() + k];
    number = displaced_number(by, k, shift, number);
    if (rules_[k] == Rule::kShift) ++shift;
  }
}

void TaskSpace::displaced(const Displacement& by, float* in, float* scratch, float* out) const {
  // The axes after the place change by themselves: one pass over the grid for each.
  thread_local std::vector<Between> taps;
  taps.resize(longest_);
  size_t inner = 1, shift = shifts_;
  for (size_t k = rules_.size(); k-- > (along_ ? 1 : 0);) {
    const Axis& axis = axes_[coupled() + k];
    const size_t count = axis.size(), block = count * inner;
    if (rules_[k] == Rule::kShift) --shift;
    for (size_t i = 0; i < count; ++i)
      taps[i] = axis.locate(displaced_number(by, k, shift, axis[i]));
    for (size_t from = 0; from < size_; from += block)
      spread(taps.data(), count, inner, in + from, scratch + from);
    std::swap(in, scratch);
    inner = block;
  }
  if (coupled() == 0)
    std::copy(in, in + size_, out);
  else
    displace_places(by, inner, in, out);
}

void TaskSpace::displace_places(const Displacement& by, size_t inner, const float* in,
                                float* out) const {
  const Axis &rows = axes_[0], &columns = axes_[1];
  // Along a line everything shifts by the same, whatever its distance.
  const size_t lengths = along_ ? axes_[2].size() : 1, each = inner;
  thread_local std::vector<Between> taps;
  thread_local std::vector<float> mixed;
  if (along_) {
    inner *= lengths;
    mixed.resize(inner);
    taps.resize(columns.size() * lengths);
    for (size_t j = 0; j < columns.size(); ++j) {
      const double shift = way_along(by, columns[j]);
      for (size_t i = 0; i < lengths; ++i)
        taps[j * lengths + i] = axes_[2].locate(axes_[2][i] - shift);
    }
  }
  const size_t row = columns.size() * inner;
  const double c = std::cos(by.turn), s = std::sin(by.turn);
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t j = 0; j < columns.size(); ++j, out += inner) {
      double first = rows[i], second = columns[j];
      if (relation_ == Relation::kPlane) {
        const double x = first - by.ahead, y = second - by.left;
        first = c * x + s * y;
        second = c * y - s * x;
      } else {
        displace_place(by, first, second);
      }
      const Between a = rows.locate(first), b = columns.locate(second);
      const float* const low = in + a.first * row;
      const float* const high = in + a.second * row;
      const size_t left = b.first * inner, right = b.second * inner;
      const float w00 = (1.0f - a.share) * (1.0f - b.share), w01 = (1.0f - a.share) * b.share;
      const float w10 = a.share * (1.0f - b.share), w11 = a.share * b.share;
      float* const to = along_ ? mixed.data() : out;
      for (size_t m = 0; m < inner; ++m)
        to[m] = (w00 * low[left + m] + w01 * low[right + m]) +
                (w10 * high[left + m] + w11 * high[right + m]);
      if (along_) spread(taps.data() + j * lengths, lengths, each, to, out);
    }
  }
}

double TaskSpace::at(const float* values, const double* task) const {
  double sum = 0.0;
  around(task, [&](size_t place, double weight) { sum += weight * values[place]; });
  return sum;
}

}  // namespace surefoot::learning
