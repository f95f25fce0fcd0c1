#include "spacetime/arrivals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace surefoot::spacetime {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();
constexpr double kRounding = 1e-4;  // [s], of numbers of half precision

double apart(Vec3 a, Vec3 b) { return std::hypot(a.x - b.x, a.y - b.y); }

}  // namespace

Arrivals::Arrivals(const Meetings& meetings, const std::vector<bool>& goals, const AtGoal& at_goal,
                   const Fastest& fastest)
    : meetings_(meetings),
      goals_(goals),
      at_goal_(at_goal),
      fastest_(fastest),
      blocks_(meetings.blocks()),
      start_(meetings.start()),
      block_(Meetings::kBlock) {
  const int n = static_cast<int>(meetings.size());
  near_.assign(n * blocks_, kNever);
  boarded_.assign(n * blocks_, kNever);
  left_.assign(n, kNever);
  ground_.resize(n);
  crossings_.resize(blocks_);
  const std::vector<int>& ground = meetings.grounds();
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b)
      if (ground[a] == ground[b]) ground_[a].push_back(b);
    for (const int b : meetings.near(a)) {
      if (ground[a] == ground[b]) continue;
      const double way = meetings.least(a, b) - fastest.boarded - fastest.boarded;
      const double closing = meetings.fastest(meetings.landmarks()[a].frame) +
                             meetings.fastest(meetings.landmarks()[b].frame);
      const size_t lasts = passing(std::max(way / (fastest.speed + closing), fastest.crossing));
      meetings.each_open(a, b, [&](size_t block) { crossings_[block].push_back({a, b, lasts}); });
    }
  }
  begin();
  for (size_t block = blocks_; block-- > 0;) solve(block);
}

size_t Arrivals::passing(double seconds) const {
  if (seconds <= 0) return 0;
  return static_cast<size_t>(seconds / block_);
}

// Who is on the ground of a goal goes there.
void Arrivals::begin() {
  for (size_t goal = 0; goal < goals_.size(); ++goal) {
    if (!goals_[goal]) continue;
    const Vec3 there = meetings_.landmarks()[goal].place;
    for (const int i : ground_[goal]) {
      const double way = apart(meetings_.landmarks()[i].place, there) - at_goal_.tolerance;
      for (size_t k = 0; k < blocks_; ++k) {
        const double now = start_ + block_ * static_cast<double>(k);
        const auto put = [&](Table& table, double nearer) {
          const double left = goal == static_cast<size_t>(i) ? 0.0 : std::max(way - nearer, 0.0);
          const double arrives = std::max(now + left / fastest_.speed, at_goal_.earliest);
          if (arrives <= at_goal_.latest)
            improve(table, i, k, static_cast<float>(arrives - kRounding));
        };
        put(near_, fastest_.near);
        put(boarded_, fastest_.boarded);
      }
    }
  }
}

// Whoever departs from a landmark in a block is at the goal by a time; tells all on its ground that
// can be there by then. Whether anything is better now within the block.
bool Arrivals::depart(int landmark, size_t block, float arrives) {
  left_[landmark] = arrives;
  const Vec3 from = meetings_.landmarks()[landmark].place;
  bool now = false;
  for (const int i : ground_[landmark]) {
    const double way = apart(meetings_.landmarks()[i].place, from) - fastest_.near;
    const bool same = i == landmark;
    const size_t later = same ? 0 : passing((way - fastest_.near) / fastest_.speed);
    if (later <= block) improve(near_, i, block - later, arrives);
    const size_t also = same ? 0 : passing((way - fastest_.boarded) / fastest_.speed);
    if (also > block) continue;
    float& known = boarded_[i * blocks_ + block - also];
    if (known <= arrives) continue;
    known = arrives;
    now |= also == 0;
  }
  return now;
}

void Arrivals::solve(size_t block) {
  const auto n = static_cast<int>(ground_.size());
  if (block + 1 < blocks_)
    for (int i = 0; i < n; ++i) {
      // Who is early waits.
      improve(near_, i, block, near_[i * blocks_ + block + 1]);
      improve(boarded_, i, block, boarded_[i * blocks_ + block + 1]);
    }
  for (bool again = true; again;) {
    again = false;
    for (const Crossing& way : crossings_[block]) {
      if (block + way.lasts >= blocks_) continue;
      const float arrives = boarded_[way.to * blocks_ + block + way.lasts];
      if (arrives < left_[way.from]) again |= depart(way.from, block, arrives);
    }
  }
}

double Arrivals::goal(int landmark, double t, bool boarded) const {
  const size_t block = std::min(Meetings::block_at(t, start_, blocks_, 1e-9), blocks_ - 1);
  const float arrives = (boarded ? boarded_ : near_)[landmark * blocks_ + block];
  return arrives == kNever ? kInfinity : std::max(static_cast<double>(arrives), t);
}

}  // namespace surefoot::spacetime
