#include "spacetime/likely.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace surefoot::spacetime {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();
constexpr double kCell = 4.0;     // [m]
constexpr double kWide = 0.4;     // [m]: half of how wide somebody is
constexpr double kStepped = 0.4;  // [m]: what is lower is stepped on
constexpr double kTall = 1.8;     // [m]

double apart(Vec3 a, Vec3 b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

}  // namespace

Likely::Likely(const Meetings& meetings, const std::vector<bool>& goals,
               std::vector<double> soonest, std::vector<double> dear, const Pace& pace)
    : meetings_(&meetings),
      pace_(pace),
      goals_(goals),
      blocks_(meetings.blocks()),
      words_((blocks_ + 63) / 64),
      crossing_(static_cast<size_t>(std::lround(pace.crossing / Meetings::kBlock))),
      start_(meetings.start()),
      soonest_(std::move(soonest)),
      dear_(std::move(dear)),
      wait_(static_cast<float>(pace.second * Meetings::kBlock)) {
  lay_ways(meetings);
  look_at_traffic(meetings);
  solve();
}

void Likely::lay_ways(const Meetings& meetings) {
  const int n = static_cast<int>(meetings.size());
  const std::vector<int>& ground = meetings.grounds();
  occupied_.assign(n, -1);
  crossings_.resize(blocks_);
  for (int a = 0; a < n; ++a) {
    first_.push_back(ways_.size());
    if (soonest_[a] == kInfinity) continue;
    const Landmark& from = meetings.landmarks()[a];
    const auto first =
        static_cast<size_t>(std::max((soonest_[a] - start_) / Meetings::kBlock, 0.0));
    for (const int b : meetings.near(a)) {
      if (ground[a] == ground[b]) {
        const double takes =
            pace_.start + apart(from.place, meetings.landmarks()[b].place) / pace_.speed;
        const long lasts = std::max(std::lround(takes / Meetings::kBlock), 1L);
        ways_.push_back({a, b, static_cast<uint32_t>(lasts),
                         cost(a, b, Meetings::kBlock * static_cast<double>(lasts)), -1});
        continue;
      }
      meetings.each_open(a, b, [&](size_t block) {
        if (block < first) return;
        const double then = start_ + Meetings::kBlock * static_cast<double>(block) + pace_.later;
        if (meetings.gap_at(a, b, then) <= pace_.gap) crossings_[block].emplace_back(a, b);
      });
    }
  }
  first_.push_back(ways_.size());
}

void Likely::block(int32_t& row, size_t departs) {
  if (row < 0) {
    row = static_cast<int32_t>(rows_.size() / words_);
    rows_.resize(rows_.size() + words_, 0);
  }
  rows_[row * words_ + departs / 64] |= uint64_t{1} << (departs % 64);
}

void Likely::look_at_traffic(const Meetings& meetings) {
  // Ways at rest, by cells of a grid that they begin in.
  std::unordered_map<uint64_t, std::vector<int>> cells;
  const auto cell = [](double x, double y) {
    const auto at = [](double v) { return static_cast<uint32_t>(std::lround(v / kCell)); };
    return static_cast<uint64_t>(at(x)) << 32 | at(y);
  };
  const int n = static_cast<int>(meetings.size());
  double longest = 0;
  for (int i = 0; i < n; ++i) {
    const Landmark& mark = meetings.landmarks()[i];
    if (mark.frame >= 0 || first_[i] == first_[i + 1]) continue;
    cells[cell(mark.place.x, mark.place.y)].push_back(i);
    for (size_t w = first_[i]; w < first_[i + 1]; ++w)
      longest = std::max(longest, apart(mark.place, meetings.landmarks()[ways_[w].to].place));
  }
  const double around = longest + kWide;
  for (size_t k = 0; k < blocks_; ++k)
    for (const Box& box : meetings.traffic(k)) {
      const double x0 = box.lo.x - around, x1 = box.hi.x + around;
      const double y0 = box.lo.y - around, y1 = box.hi.y + around;
      for (double x = x0; x < x1 + kCell; x += kCell)
        for (double y = y0; y < y1 + kCell; y += kCell) {
          const auto found = cells.find(cell(x, y));
          if (found == cells.end()) continue;
          for (const int i : found->second) pass(meetings, box, k, i);
        }
    }
}

// A body that passes: who would be where it is then does not set out.
void Likely::pass(const Meetings& meetings, const Box& box, size_t block, int landmark) {
  const Vec3 p = meetings.landmarks()[landmark].place;
  if (box.hi.z < p.z + kStepped || box.lo.z > p.z + kTall) return;
  const double x0 = box.lo.x - kWide, x1 = box.hi.x + kWide;
  const double y0 = box.lo.y - kWide, y1 = box.hi.y + kWide;
  if (p.x > x0 && p.x < x1 && p.y > y0 && p.y < y1) this->block(occupied_[landmark], block);
  for (size_t w = first_[landmark]; w < first_[landmark + 1]; ++w) {
    Way& way = ways_[w];
    const Vec3 q = meetings.landmarks()[way.to].place;
    // The part of the way inside the box.
    double from = 0, to = 1;
    const auto clip = [&](double at, double by, double low, double high) {
      if (std::abs(by) < 1e-9) {
        if (at <= low || at >= high) to = -1;
        return;
      }
      const double a = (low - at) / by, b = (high - at) / by;
      from = std::max(from, std::min(a, b));
      to = std::min(to, std::max(a, b));
    };
    clip(p.x, q.x - p.x, x0, x1);
    clip(p.y, q.y - p.y, y0, y1);
    if (from >= to) continue;
    const auto soonest = static_cast<size_t>(from * way.lasts),
               latest = static_cast<size_t>(to * way.lasts);
    for (size_t gone = soonest; gone <= latest && gone <= block; ++gone)
      this->block(way.blocked, block - gone);
  }
}

// Backward: whatever one does ends in a later block.
void Likely::solve() {
  const size_t n = goals_.size();
  left_.assign(n * blocks_, kNever);
  for (size_t k = blocks_; k-- > 0;) {
    float* now = left_.data() + k * n;
    for (size_t i = 0; i < n; ++i) {
      const auto landmark = static_cast<int>(i);
      if (beyond(landmark, k)) continue;
      float best = at_goal(landmark, k);
      // Who is early waits.
      if (k + 1 < blocks_ && !blocked(occupied_[i], k + 1))
        best = std::min(best, wait_ + now[n + i]);
      for (size_t w = first_[i]; w < first_[i + 1]; ++w) {
        const Way& way = ways_[w];
        if (k + way.lasts >= blocks_) continue;
        const float left = way.cost + now[way.lasts * n + way.to];
        if (left < best && !blocked(way.blocked, k)) best = left;
      }
      now[i] = best;
    }
    if (k + crossing_ >= blocks_) continue;
    for (const auto& [from, to] : crossings_[k])
      now[from] = std::min(now[from], cost(from, to, pace_.crossing) + now[crossing_ * n + to]);
  }
}

float Likely::at_goal(int landmark, size_t block) const {
  const double t = start_ + Meetings::kBlock * static_cast<double>(block);
  if (!goals_[landmark] || t > pace_.latest) return kNever;
  return static_cast<float>(pace_.second * std::max(pace_.earliest - t, pace_.halt));
}

double Likely::left_of(const std::vector<float>& left, int landmark, double t) const {
  const double share = std::max((t - start_) / Meetings::kBlock, 0.0);
  const size_t block = std::min(static_cast<size_t>(share), blocks_ - 1);
  const size_t n = goals_.size(), last = std::min(block + 1, blocks_ - 1);
  const double now = left[block * n + landmark], later = left[last * n + landmark];
  if (now == kNever) return kInfinity;
  // Between two blocks, where both are known.
  if (later == kNever) return now;
  return now + (later - now) * (share - std::floor(share));
}

}  // namespace surefoot::spacetime
