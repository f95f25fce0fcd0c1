#include "spacetime/likely.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace surefoot::spacetime {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();

double apart(Vec3 a, Vec3 b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

}  // namespace

Likely::Likely(const Meetings& meetings, const std::vector<bool>& goals,
               std::vector<double> soonest, std::vector<double> dear, const Pace& pace)
    : pace_(pace),
      blocks_(meetings.blocks()),
      crossing_(static_cast<size_t>(std::lround(pace.crossing / Meetings::kBlock))),
      start_(meetings.start()),
      soonest_(std::move(soonest)) {
  const int n = static_cast<int>(meetings.size());
  const std::vector<int>& ground = meetings.grounds();
  arrives_.assign(n * blocks_, kNever);
  ways_.resize(n);
  crossings_.resize(blocks_);
  later_.resize(blocks_);
  on_foot_ = going(meetings, goals, nullptr);
  under_way_ = going(meetings, goals, &dear);
  for (int a = 0; a < n; ++a) {
    if (soonest_[a] == kInfinity) continue;
    const Landmark& from = meetings.landmarks()[a];
    const auto first =
        static_cast<size_t>(std::max((soonest_[a] - start_) / Meetings::kBlock, 0.0));
    for (const int b : meetings.near(a)) {
      if (ground[a] == ground[b]) {
        const double lasts =
            apart(from.place, meetings.landmarks()[b].place) / pace.speed / Meetings::kBlock;
        ways_[b].push_back({a, static_cast<size_t>(std::lround(lasts))});
        continue;
      }
      meetings.each_open(a, b, [&](size_t block) {
        if (block < first) return;
        const double then = start_ + Meetings::kBlock * static_cast<double>(block) + pace.later;
        if (meetings.gap_at(a, b, then) <= pace.gap) crossings_[block].emplace_back(a, b);
      });
    }
  }
  for (size_t block = blocks_; block-- > 0;) solve(block);
}

// Dijkstra's algorithm from the goals.
std::vector<float> Likely::going(const Meetings& meetings, const std::vector<bool>& goals,
                                 const std::vector<double>* dear) const {
  std::vector<float> left(meetings.size(), kNever);
  std::priority_queue<std::pair<float, int>> open;
  for (size_t i = 0; i < goals.size(); ++i)
    if (goals[i]) {
      left[i] = 0;
      open.emplace(0.0f, static_cast<int>(i));
    }
  while (!open.empty()) {
    const auto [so_far, here] = open.top();
    open.pop();
    if (-so_far > left[here]) continue;
    for (const int from : meetings.near(here)) {  // there and back
      const bool along = meetings.grounds()[from] == meetings.grounds()[here];
      if (!along && dear == nullptr) continue;
      const double way = apart(meetings.landmarks()[from].place, meetings.landmarks()[here].place);
      double takes = along ? way / pace_.speed : pace_.crossing;
      if (dear != nullptr) takes *= 0.5 * ((*dear)[from] + (*dear)[here]);
      const auto lasts = static_cast<float>(left[here] + takes);
      if (lasts >= left[from]) continue;
      left[from] = lasts;
      open.emplace(-lasts, from);
    }
  }
  return left;
}

float Likely::at(int landmark, size_t block) const {
  const double now = start_ + Meetings::kBlock * static_cast<double>(block);
  float walks = kNever;
  if (on_foot_[landmark] < kNever) {
    const double arrives = std::max(now + on_foot_[landmark], pace_.earliest);
    if (arrives <= pace_.latest) walks = static_cast<float>(arrives);
  }
  return std::min(walks, arrives_[block * on_foot_.size() + landmark]);
}

// Whoever is at a landmark so many blocks before a block is at the goal by a time.
void Likely::improve(int landmark, size_t block, size_t lasts, float arrives) {
  if (lasts > block) return;
  const size_t when = block - lasts;
  if (arrives >= at(landmark, when)) return;
  if (start_ + Meetings::kBlock * static_cast<double>(when + 1) <= soonest_[landmark]) return;
  arrives_[when * on_foot_.size() + landmark] = arrives;
  (lasts == 0 ? fresh_ : later_[when]).push_back(landmark);
}

void Likely::solve(size_t block) {
  const size_t n = on_foot_.size();
  // Who is early waits.
  if (block + 1 < blocks_) {
    float* now = arrives_.data() + block * n;
    const float* next = now + n;
    for (size_t i = 0; i < n; ++i) now[i] = std::min(now[i], next[i]);
  }
  fresh_ = std::move(later_[block]);
  for (;;) {
    while (!fresh_.empty()) {
      const int here = fresh_.back();
      fresh_.pop_back();
      const float arrives = arrives_[block * n + here];
      for (const Way& way : ways_[here]) improve(way.from, block, way.lasts, arrives);
    }
    for (const auto& [from, to] : crossings_[block])
      if (block + crossing_ < blocks_) improve(from, block, 0, at(to, block + crossing_));
    if (fresh_.empty()) return;
  }
}

double Likely::goal(int landmark, double t) const {
  const double share = std::max((t - start_) / Meetings::kBlock, 0.0);
  const size_t block = std::min(static_cast<size_t>(share), blocks_ - 1);
  const float arrives = at(landmark, block);
  if (arrives == kNever) return kInfinity;
  // On foot it depends on the moment, and not on the block.
  const double walks = std::max(t + on_foot_[landmark], pace_.earliest);
  return std::max(
      {std::min(static_cast<double>(arrives_[block * on_foot_.size() + landmark]), walks), t});
}

}  // namespace surefoot::spacetime
