#include "spacetime/likely.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace surefoot::spacetime {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();
constexpr double kCell = 2.0;     // [m]
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
  turn_ways();
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
    const size_t first = Meetings::block_at(soonest_[a], start_, blocks_);
    for (const int b : meetings.near(a)) {
      if (ground[a] == ground[b]) {
        const double takes = pace_.start +
                             apart(from.place, meetings.landmarks()[b].place) / pace_.speed +
                             (meetings.hindered(a, b) ? pace_.hindered : 0.0);
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

void Likely::turn_ways() {
  first_leading_.assign(goals_.size() + 1, 0);
  for (const Way& way : ways_) ++first_leading_[way.to + 1];
  std::partial_sum(first_leading_.begin(), first_leading_.end(), first_leading_.begin());
  leading_.resize(ways_.size());
  std::vector<size_t> next(first_leading_.begin(), first_leading_.end() - 1);
  for (const Way& way : ways_) leading_[next[way.to]++] = {way.from, way.lasts, way.cost};
  crossings_to_.resize(blocks_);
  for (size_t k = 0; k < blocks_; ++k) {
    for (const auto& [from, to] : crossings_[k]) crossings_to_[k].emplace_back(to, from);
    std::sort(crossings_to_[k].begin(), crossings_to_[k].end());
  }
}

void Likely::block(int32_t& row, size_t departs) {
  if (row < 0) {
    row = static_cast<int32_t>(rows_.size() / words_);
    rows_.resize(rows_.size() + words_, 0);
  }
  rows_[row * words_ + departs / 64] |= uint64_t{1} << (departs % 64);
}

void Likely::look_at_traffic(const Meetings& meetings) {
  // Landmarks at rest and ways between them, by the cells of a grid that they are in.
  const std::vector<Landmark>& marks = meetings.landmarks();
  const int n = static_cast<int>(meetings.size());
  const auto rests = [&](int i) { return marks[i].frame < 0 && first_[i] < first_[i + 1]; };
  double x0 = kInfinity, y0 = kInfinity, x1 = -kInfinity, y1 = -kInfinity;
  for (int i = 0; i < n; ++i) {
    if (!rests(i)) continue;
    x0 = std::min(x0, marks[i].place.x - kWide), x1 = std::max(x1, marks[i].place.x + kWide);
    y0 = std::min(y0, marks[i].place.y - kWide), y1 = std::max(y1, marks[i].place.y + kWide);
  }
  if (x0 > x1) return;
  const int columns = static_cast<int>((x1 - x0) / kCell) + 1;
  const int lines = static_cast<int>((y1 - y0) / kCell) + 1;
  std::vector<std::vector<int>> cells(static_cast<size_t>(columns) * lines);
  // tell(cell) for all cells that a rectangle is in.
  const auto each_cell = [&](double left, double right, double low, double high, auto tell) {
    if (right < x0 || left > x1 || high < y0 || low > y1) return;
    const auto at = [](double v, int most) {
      return std::clamp(static_cast<int>(std::floor(v / kCell)), 0, most - 1);
    };
    for (int y = at(low - y0, lines); y <= at(high - y0, lines); ++y)
      for (int x = at(left - x0, columns); x <= at(right - x0, columns); ++x)
        tell(cells[static_cast<size_t>(y) * columns + x]);
  };
  const int ways = static_cast<int>(ways_.size());
  const auto put = [&](int what, Vec3 p, Vec3 q) {
    each_cell(std::min(p.x, q.x) - kWide, std::max(p.x, q.x) + kWide, std::min(p.y, q.y) - kWide,
              std::max(p.y, q.y) + kWide, [&](std::vector<int>& cell) { cell.push_back(what); });
  };
  for (int i = 0; i < n; ++i) {
    if (!rests(i)) continue;
    put(ways + i, marks[i].place, marks[i].place);
    for (size_t w = first_[i]; w < first_[i + 1]; ++w)
      put(static_cast<int>(w), marks[i].place, marks[ways_[w].to].place);
  }
  std::vector<uint32_t> seen(ways_.size() + n, 0);
  uint32_t look = 0;
  for (size_t k = 0; k < blocks_; ++k)
    for (const Box& box : meetings.traffic(k)) {
      ++look;
      each_cell(box.lo.x, box.hi.x, box.lo.y, box.hi.y, [&](const std::vector<int>& cell) {
        for (const int what : cell)
          if (std::exchange(seen[what], look) != look) pass(marks, box, k, what);
      });
    }
}

// A body that passes: who would be where it is then does not set out on a way, or is at a landmark.
void Likely::pass(const std::vector<Landmark>& marks, const Box& box, size_t block, int what) {
  const int ways = static_cast<int>(ways_.size());
  const bool stays = what >= ways;
  const int from = stays ? what - ways : ways_[what].from, to = stays ? from : ways_[what].to;
  const Vec3 p = marks[from].place, q = marks[to].place;
  if (box.hi.z < p.z + kStepped || box.lo.z > p.z + kTall) return;
  // The part of the way inside the box.
  double begin = 0, end = 1;
  const auto clip = [&](double at, double by, double low, double high) {
    if (std::abs(by) < 1e-9) {
      if (at <= low || at >= high) end = -1;
      return;
    }
    const double a = (low - at) / by, b = (high - at) / by;
    begin = std::max(begin, std::min(a, b));
    end = std::min(end, std::max(a, b));
  };
  clip(p.x, q.x - p.x, box.lo.x - kWide, box.hi.x + kWide);
  clip(p.y, q.y - p.y, box.lo.y - kWide, box.hi.y + kWide);
  if (begin >= end) return;
  if (stays) return this->block(occupied_[from], block);
  Way& way = ways_[what];
  const auto soonest = static_cast<size_t>(begin * way.lasts),
             latest = static_cast<size_t>(end * way.lasts);
  for (size_t gone = soonest; gone <= latest && gone <= block; ++gone)
    this->block(way.blocked, block - gone);
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
  const size_t block = block_at(t);
  const size_t n = goals_.size(), last = std::min(block + 1, blocks_ - 1);
  const double now = left[block * n + landmark], later = left[last * n + landmark];
  if (now == kNever || t == kInfinity) return kInfinity;
  // Between two blocks, where both are known.
  const double share = std::max((t - start_) / Meetings::kBlock, 0.0);
  if (later == kNever || block == last) return now;
  return now + (later - now) * (share - std::floor(share));
}

}  // namespace surefoot::spacetime
