#include "footsteps/traffic.hpp"

#include <algorithm>
#include <limits>

namespace surefoot::footsteps {
namespace {

constexpr double kSquare = 4.0;  // [m]
constexpr double kReach = 2.0;   // [m] between two bodies that touch, at most
constexpr double kRidden = 20;   // [s] that those are looked at who are carried on

int64_t square_of(double x) { return static_cast<int64_t>(std::floor(x / kSquare)); }

int64_t square(int64_t i, int64_t j) { return i * (int64_t{1} << 32) + (j + (int64_t{1} << 31)); }

// The least distance between the ends of a relative way, squared.
float nearest2(float x0, float y0, float x1, float y1) {
  const float dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  float u = 0;
  if (length > 0) u = std::clamp(-(x0 * dx + y0 * dy) / length, 0.0f, 1.0f);
  const float x = x0 + u * dx, y = y0 + u * dy;
  return x * x + y * y;
}

}  // namespace

void Traffic::put(int32_t id, TrackPtr track) {
  tracks_[id] = std::move(track);
  prepared_ = false;
}

void Traffic::remove(int32_t id) {
  tracks_.erase(id);
  prepared_ = false;
}

void Traffic::prepare() {
  if (prepared_) return;
  rows_.clear();
  entries_.clear();
  for (const auto& [id, track] : tracks_) {
    const auto row = static_cast<int32_t>(rows_.size());
    rows_.emplace_back(id, track.get());
    for (int64_t i = square_of(track->low_x()); i <= square_of(track->high_x()); ++i)
      for (int64_t j = square_of(track->low_y()); j <= square_of(track->high_y()); ++j)
        entries_.push_back({square(i, j), row});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.square != b.square ? a.square < b.square : a.row < b.row;
  });
  prepared_ = true;
}

void Traffic::near(double x, double y, double reach, int32_t self,
                   std::vector<const Track*>& out) const {
  out.clear();
  std::vector<int32_t> found;
  for (int64_t i = square_of(x - reach); i <= square_of(x + reach); ++i) {
    const int64_t first = square(i, square_of(y - reach)), last = square(i, square_of(y + reach));
    auto entry = std::lower_bound(entries_.begin(), entries_.end(), first,
                                  [](const Entry& e, int64_t key) { return e.square < key; });
    for (; entry != entries_.end() && entry->square <= last; ++entry) {
      const Track& track = *rows_[entry->row].second;
      if (track.low_x() <= x + reach && track.high_x() >= x - reach && track.low_y() <= y + reach &&
          track.high_y() >= y - reach && rows_[entry->row].first != self)
        found.push_back(entry->row);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (const int32_t row : found) out.push_back(rows_[row].second);
}

bool Traffic::clear(const Track& track, int32_t self, double start, float room) const {
  std::vector<const Track*> others;
  const double x = (track.low_x() + track.high_x()) / 2, y = (track.low_y() + track.high_y()) / 2;
  const double reach = std::max(track.high_x() - x, track.high_y() - y);
  near(x, y, reach + kReach, self, others);
  return std::all_of(others.begin(), others.end(), [&](const Track* other) {
    return footsteps::clear(track, *other, start, kInfinity, room);
  });
}

bool touch(const StepTable& one, const Figure a0, const Figure a1, const StepTable& other,
           const Figure b0, const Figure b1, float room) {
  for (int p = 0; p < kPoints; ++p) {
    const float low = std::min(a0[p].z, a1[p].z) + one.low[p];
    const float high = std::max(a0[p].z, a1[p].z) + one.high[p];
    for (int q = 0; q < kPoints; ++q) {
      if (std::min(b0[q].z, b1[q].z) + other.low[q] > high ||
          std::max(b0[q].z, b1[q].z) + other.high[q] < low)
        continue;
      const float apart = one.radii[p] + other.radii[q] + room;
      if (nearest2(a0[p].x - b0[q].x, a0[p].y - b0[q].y, a1[p].x - b1[q].x, a1[p].y - b1[q].y) <
          apart * apart)
        return true;
    }
  }
  return false;
}

float gap(const StepTable& one, const Figure a, const StepTable& other, const Figure b) {
  float least = std::numeric_limits<float>::infinity();
  for (int p = 0; p < kPoints; ++p)
    for (int q = 0; q < kPoints; ++q)
      if (b[q].z + other.low[q] <= a[p].z + one.high[p] &&
          b[q].z + other.high[q] >= a[p].z + one.low[p])
        least = std::min(
            least, std::hypot(a[p].x - b[q].x, a[p].y - b[q].y) - one.radii[p] - other.radii[q]);
  return least;
}

bool clear(const Track& one, const Track& other, double start, double end, float room) {
  check_time(start, "start");
  check_number(end, "end", -kMaxTime, kInfinity);
  const float slack = (one.stride() + other.stride()) / 2 + room;
  const auto first = static_cast<int64_t>(std::floor(start * kRate));
  auto over = static_cast<double>(std::max(one.last_moment(), other.last_moment()));
  // Nobody can look ahead for ever where somebody is carried, unless both are by the same.
  if (one.end_body() != other.end_body()) over = std::max(over, start * kRate) + kRidden * kRate;
  const auto last = static_cast<int64_t>(std::ceil(std::min(end * kRate, over + 1)));
  for (int64_t k = first; k <= last; ++k) {
    Sight spare[6];
    const Sight &a0 = one.sight(k, spare[0]), &b0 = other.sight(k, spare[1]);
    const Point a = a0.points[kRoot], b = b0.points[kRoot];
    const float reach = a0.girth + b0.girth + slack, dx = a.x - b.x, dy = a.y - b.y;
    if (dx * dx + dy * dy >= reach * reach) continue;
    for (const int64_t from : {k - 1, k}) {
      if (from < first && from != k) continue;
      if (touch(one.table(), one.sight(from, spare[2]).points, one.sight(from + 1, spare[3]).points,
                other.table(), other.sight(from, spare[4]).points,
                other.sight(from + 1, spare[5]).points, room))
        return false;
    }
  }
  return true;
}

}  // namespace surefoot::footsteps
