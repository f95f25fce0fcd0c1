#include "footsteps/around.hpp"

#include <algorithm>
#include <limits>

namespace surefoot::footsteps {
namespace {

constexpr double kStanding = 3.0;     // [s]
constexpr double kAtFirst = 0.6;      // [s] of a plan
constexpr float kClose = 2.0f;        // [m] between roots: others farther away do not touch
constexpr float kUnlike = 0.1f;       // [m] that samples are off then, at most
constexpr int64_t kRiding = 320;      // 20 s: moments at which those who are carried are looked at
constexpr double kRidden = 8.0;       // [s] that who is carried looks ahead
constexpr size_t kMostMoments = 512;  // 32 s: plans that go on longer are taken to stand then

}  // namespace

Around::Around(const StepTable& table, std::span<const Track* const> others, const Track* own,
               Ground* ground, double start, float room, bool rough)
    : table_(table),
      others_(others),
      ground_(ground),
      own_(own),
      start_(start),
      room_(room),
      rough_(rough) {
  if (others.empty()) return;
  gaps_.assign(others.size(), std::numeric_limits<float>::infinity());
  if (own != nullptr) {
    Figure here, there;
    own->seen(start, here);
    for (size_t j = 0; j < others.size(); ++j) {
      others[j]->seen(start, there);
      const float dx = there[kRoot].x - here[kRoot].x, dy = there[kRoot].y - here[kRoot].y;
      if (dx * dx + dy * dy < kClose * kClose)
        gaps_[j] = gap(own->table(), here, others[j]->table(), there);
    }
  }
  first_ = static_cast<int64_t>(std::floor(start * kRate));
  int64_t last = first_ + 1;
  for (const Track* other : others) {
    last = std::max(last, other->last_moment() + 1);
    if (other->rides()) last = std::max(last, first_ + kRiding);
    stride_ = std::max(stride_, other->stride());
  }
  moments_ = std::min(static_cast<size_t>(last - first_) + 1, kMostMoments);
  width_ = (others.size() + 3) / 4 * 4;
  seen_.assign(moments_ * 3 * width_, 0.0f);
  close_.assign(static_cast<size_t>(kSamples) * width_, 0);
  for (size_t j = 0; j < others.size(); ++j)
    for (size_t k = 0; k < moments_; ++k) {
      Sight spare;
      const Sight& sight = others[j]->sight(first_ + static_cast<int64_t>(k), spare);
      const Point root = sight.points[kRoot];
      float* at = seen_.data() + k * 3 * width_ + j;
      at[0] = root.x, at[width_] = root.y, at[2 * width_] = sight.girth;
    }
  // Columns that only fill up a row are far away.
  for (size_t k = 0; k < moments_; ++k)
    std::fill(seen_.begin() + static_cast<ptrdiff_t>(k * 3 * width_ + others.size()),
              seen_.begin() + static_cast<ptrdiff_t>(k * 3 * width_ + width_), 1e9f);
}

Around::Row Around::row(int64_t moment) const {
  const auto last = static_cast<int64_t>(moments_) - 1;
  const auto k = static_cast<size_t>(std::clamp<int64_t>(moment - first_, 0, last));
  const float* at = seen_.data() + k * 3 * width_;
  return {at, at + width_, at + 2 * width_};
}

bool Around::touches(size_t other, double t0, const Figure a0, double t1, const Figure a1) const {
  const Track& track = *others_[other];
  Figure b0, b1;
  track.seen(t0, b0);
  track.seen(t1, b1);
  return touch(table_, a0, a1, track.table(), b0, b1, room_from(other, t0));
}

// Who has come close must be able to go on. Samples of a first step are not quite where feet and
// hands are by then; what comes of it is looked at again when it has been rehearsed.
float Around::room_from(size_t other, double t) const {
  const float gap = gaps_[other];
  if (gap >= room_ + kUnlike || t >= start_ + kAtFirst) return room_;
  const auto share = static_cast<float>(std::max(t - start_, 0.0) / kAtFirst);
  const float first = std::min(gap, room_) - kUnlike;
  return first + share * (room_ - first);
}

bool Around::at_rest(const State& at, int32_t action) const {
  if (own_ == nullptr || !table_.actions[action].stands || own_->end() > start_ + kSame)
    return false;
  const State& rest = own_->states().back();
  return at.x == rest.x && at.y == rest.y && at.heading == rest.heading && at.body == rest.body;
}

// First one cylinder around each body, at the sampled moments; then, around those that are close,
// the five of each as they go from one moment to the next.
bool Around::meets(const State& from, const State& to, int32_t index) {
  const Action& action = table_.actions[index];
  const Acted acted(table_, ground_, from, to, index);
  const double step = action.duration / (kSamples - 1);
  // Between two samples both bodies come closer by half of what they go, at most.
  const auto slack =
      static_cast<float>((action.pace + stride_ * kRate) * step / 2) + action.girth + room_;
  bool any = false;
  for (int i = 0; i < kSamples; ++i) {
    const Point root = acted.point(i, kRoot);
    const double at = (from.t + step * i) * kRate;
    const auto k = static_cast<int64_t>(std::floor(at));
    const auto u = static_cast<float>(at - static_cast<double>(k));
    const Row a = row(k), b = row(k + 1);
    uint8_t* close = close_.data() + static_cast<size_t>(i) * width_;
    int found = 0;
    for (size_t j = 0; j < width_; ++j) {
      const float dx = a.x[j] + u * (b.x[j] - a.x[j]) - root.x;
      const float dy = a.y[j] + u * (b.y[j] - a.y[j]) - root.y;
      const float reach = slack + std::max(a.girth[j], b.girth[j]);
      const bool hit = dx * dx + dy * dy < reach * reach;
      close[j] = static_cast<uint8_t>(hit);
      found += hit;
    }
    any |= found > 0;
  }
  if (!any) return false;
  Figure before, after;
  for (int i = 0; i + 1 < kSamples; ++i) {
    const uint8_t* close = close_.data() + static_cast<size_t>(i) * width_;
    bool placed_points = false;
    for (size_t j = 0; j < others_.size(); ++j) {
      if (!close[j] && !close[width_ + j]) continue;
      if (!placed_points) {
        acted.points(i, before);
        acted.points(i + 1, after);
        placed_points = true;
      }
      if (touches(j, from.t + step * i, before, from.t + step * (i + 1), after)) return true;
    }
  }
  return false;
}

bool Around::free(const State& from, int32_t action, State& to, Treads& treads) {
  if (ground_ != nullptr && !ground_->free(table_, from, action, room_, rough_, to, treads))
    return false;
  return others_.empty() || at_rest(from, action) || !meets(from, to, action);
}

// Nobody can look ahead for ever: what strikes later than this is walked away from in time.
bool Around::struck_while_standing(const State& at, int32_t index) const {
  if (ground_ == nullptr || !ground_->movers()) return false;
  const Action& action = table_.actions[index];
  Figure body;
  const bool rides = at.body >= 0;
  for (int i = 0; i < static_cast<int>((rides ? kRidden : kStanding) * kRate); ++i) {
    const double t = at.t + i / kRate;
    if (i == 0 || rides) standing(table_, ground_, at, index, t, body);
    const double floor = rides ? rebased(ground_, at, -1, t).z : at.z;
    if (ground_->struck(table_, body, body, t, t, floor, action.girth, room_)) return true;
    // Who is carried may be carried into what rests.
    if (rides && ground_->bumps(table_, body, at.body, floor, t, room_)) return true;
  }
  return false;
}

bool Around::stays(const State& at, int32_t index) {
  if (struck_while_standing(at, index)) return false;
  if (others_.empty() || at_rest(at, index)) return true;
  const Action& action = table_.actions[index];
  Figure body, later;
  standing(table_, ground_, at, index, at.t, body);
  const bool rides = at.body >= 0;
  const float slack = action.girth + room_ + stride_ / 2;
  const auto first = static_cast<int64_t>(std::floor(at.t * kRate));
  auto last = first_ + static_cast<int64_t>(moments_) - 1;
  if (rides) last = std::max(last, first + static_cast<int64_t>(kRidden * kRate));
  for (int64_t k = std::min(first, last); k <= last; ++k) {
    const Row now = row(k);
    const double t = static_cast<double>(k) / kRate;
    if (rides) standing(table_, ground_, at, index, t - 0.5 / kRate, body);
    for (size_t j = 0; j < others_.size(); ++j) {
      const float dx = now.x[j] - body[kRoot].x, dy = now.y[j] - body[kRoot].y;
      const float reach = slack + now.girth[j];
      if (dx * dx + dy * dy >= reach * reach) continue;
      if (rides) standing(table_, ground_, at, index, t + 0.5 / kRate, later);
      if (touches(j, t - 0.5 / kRate, body, t + 0.5 / kRate, rides ? later : body)) return false;
    }
  }
  return true;
}

double first_strike(Ground& ground, const Track& track, std::span<const int32_t> bodies, double now,
                    double ahead, float room) {
  if (!ground.movers()) return kInfinity;
  const auto first = static_cast<int64_t>(std::floor(now * kRate));
  const auto last = static_cast<int64_t>(std::ceil((now + ahead) * kRate));
  for (int64_t k = first; k < last; ++k) {
    Sight spare[2];
    const Sight &a = track.sight(k, spare[0]), &b = track.sight(k + 1, spare[1]);
    const double t0 = static_cast<double>(k) / kRate, t1 = static_cast<double>(k + 1) / kRate;
    const double floor = track.at(t1).z;
    if (ground.struck(track.table(), a.points, b.points, t0, t1, floor, b.girth, room, bodies))
      return std::max(t0, now);
  }
  return kInfinity;
}

}  // namespace surefoot::footsteps
