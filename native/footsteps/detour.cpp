#include "footsteps/detour.hpp"

#include <algorithm>
#include <array>
#include <queue>

namespace surefoot::footsteps {
namespace {

constexpr int kReach = 24, kAcross = 2 * kReach + 1;  // squares to each side, and in a row
constexpr double kSide = 0.25;                        // [m] of a square
constexpr double kBeside = 0.70;                      // [m] between the middles of who passes whom
constexpr double kWall = 0.33;                        // [m] likewise from a wall

class Field {
 public:
  Field(const Errand& errand, std::span<const WayPoint> standing, Ground* ground)
      : at_(errand.start), ground_(ground) {
    for (const WayPoint& who : standing) {
      const int i = column(who.x - at_.x), j = column(who.y - at_.y);
      const int wide = static_cast<int>(std::ceil(kBeside / kSide));
      for (int k = i - wide; k <= i + wide; ++k)
        for (int l = j - wide; l <= j + wide; ++l) {
          if (!inside(k, l)) continue;
          const WayPoint p = middle(k, l);
          if (std::hypot(p.x - who.x, p.y - who.y) < kBeside) state_[index(k, l)] = kTaken;
        }
    }
  }

  static int column(double away) { return static_cast<int>(std::lround(away / kSide)) + kReach; }
  static bool inside(int i, int j) { return i >= 0 && j >= 0 && i < kAcross && j < kAcross; }
  static int index(int i, int j) { return i * kAcross + j; }
  WayPoint middle(int i, int j) const {
    return {at_.x + kSide * (i - kReach), at_.y + kSide * (j - kReach), at_.z, 0};
  }
  bool taken(int i, int j) {
    uint8_t& state = state_[index(i, j)];
    if (state == kUnknown) {
      const WayPoint p = middle(i, j);
      const bool wall = ground_ != nullptr && ground_->walled(p.x, p.y, at_.z, kWall);
      state = wall ? kTaken : kFree;
    }
    return state == kTaken;
  }
  // Whether one can go straight between two squares.
  bool straight(int a, int b) {
    const int i0 = a / kAcross, j0 = a % kAcross, i1 = b / kAcross, j1 = b % kAcross;
    const int count = 2 * std::max(std::abs(i1 - i0), std::abs(j1 - j0));
    for (int k = 1; k < count; ++k) {
      const double u = static_cast<double>(k) / count;
      if (taken(static_cast<int>(std::lround(i0 + u * (i1 - i0))),
                static_cast<int>(std::lround(j0 + u * (j1 - j0)))))
        return false;
    }
    return true;
  }

 private:
  static constexpr uint8_t kUnknown = 0, kFree = 1, kTaken = 2;
  State at_;
  Ground* ground_;
  std::array<uint8_t, kAcross * kAcross> state_{};
};

// The squares of the shortest way to the one nearest to a target; none where it leads nowhere.
std::vector<int> shortest(Field& field, WayPoint target) {
  struct Open {
    double f;
    int square;
    bool operator<(const Open& other) const {
      return f != other.f ? f > other.f : square > other.square;
    }
  };
  std::vector<double> cost(kAcross * kAcross, 1e18);
  std::vector<int> parent(kAcross * kAcross, -1);
  std::vector<uint8_t> closed(kAcross * kAcross, 0);
  std::priority_queue<Open> open;
  const auto away = [&](int square) {
    const WayPoint p = field.middle(square / kAcross, square % kAcross);
    return std::hypot(target.x - p.x, target.y - p.y);
  };
  const int start = Field::index(kReach, kReach);
  cost[start] = 0;
  open.push({away(start), start});
  int best = start;
  while (!open.empty()) {
    const int here = open.top().square;
    open.pop();
    if (closed[here]) continue;
    closed[here] = 1;
    if (away(here) < away(best)) best = here;
    if (away(here) <= kSide) break;
    const int i = here / kAcross, j = here % kAcross;
    for (int di = -1; di <= 1; ++di)
      for (int dj = -1; dj <= 1; ++dj) {
        if ((di == 0 && dj == 0) || !Field::inside(i + di, j + dj) || field.taken(i + di, j + dj))
          continue;
        const int to = Field::index(i + di, j + dj);
        const double total = cost[here] + kSide * std::sqrt(static_cast<double>(di * di + dj * dj));
        if (total >= cost[to]) continue;
        cost[to] = total;
        parent[to] = here;
        open.push({total + away(to), to});
      }
  }
  std::vector<int> way;
  for (int square = best; square >= 0; square = parent[square]) way.push_back(square);
  std::reverse(way.begin(), way.end());
  return way;
}

double beside(WayPoint a, WayPoint b, WayPoint p) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const double u =
      length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0.0;
  return std::hypot(a.x + u * dx - p.x, a.y + u * dy - p.y);
}

}  // namespace

std::vector<WayPoint> detour(const Errand& errand, std::span<const Track* const> others,
                             Ground* ground) {
  std::vector<WayPoint> way(errand.way.begin(), errand.way.end()), standing;
  if (errand.start.body >= 0 || way.front().body >= 0) return way;
  const WayPoint start{errand.start.x, errand.start.y, errand.start.z, 0};
  bool before = false;
  for (const Track* other : others) {
    if (other->end() > errand.start.t) continue;
    const State at = other->at(errand.start.t);
    const WayPoint who{at.x, at.y, at.z, 0};
    standing.push_back(who);
    const double from = std::hypot(who.x - start.x, who.y - start.y);
    before |= from > 0.3 && from < kReach * kSide && beside(start, way.front(), who) < kBeside;
  }
  if (!before) return way;
  Field field(errand, standing, ground);
  const std::vector<int> squares = shortest(field, way.front());
  if (squares.size() < 3) return way;
  // Only where it turns.
  std::vector<WayPoint> round;
  for (size_t i = 0; i + 1 < squares.size();) {
    size_t next = squares.size() - 1;
    while (next > i + 1 && !field.straight(squares[i], squares[next])) --next;
    i = next;
    if (i + 1 < squares.size())
      round.push_back(field.middle(squares[i] / kAcross, squares[i] % kAcross));
  }
  round.insert(round.end(), way.begin(), way.end());
  return round;
}

}  // namespace surefoot::footsteps
