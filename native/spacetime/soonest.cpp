#include "spacetime/soonest.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace surefoot::spacetime {

std::vector<double> soonest(const Meetings& meetings, int start, const Fastest& fastest) {
  const int n = static_cast<int>(meetings.size());
  const std::vector<int>& ground = meetings.grounds();
  std::vector<std::vector<int>> on(n);
  for (int i = 0; i < n; ++i) on[ground[i]].push_back(i);
  // `there`: when one may depart from a landmark to another body. `entered`: likewise where one
  // came from another body, from where one goes on over the ground.
  std::vector<double> there(n, kInfinity), entered(n, kInfinity);
  struct Open {
    double time;
    int landmark;
    bool enters;
    bool operator<(const Open& other) const { return time > other.time; }
  };
  std::priority_queue<Open> open;
  const auto reach = [&](std::vector<double>& table, int landmark, double time, bool enters) {
    if (time >= table[landmark] || time > meetings.latest()) return;
    table[landmark] = time;
    open.push({time, landmark, enters});
  };
  // Straight ways lose how near is near enough at both ends, once.
  const double lost = fastest.near + fastest.boarded;
  reach(entered, start, meetings.start(), true);
  while (!open.empty()) {
    const Open now = open.top();
    open.pop();
    if (now.time > (now.enters ? entered : there)[now.landmark]) continue;
    const Landmark& here = meetings.landmarks()[now.landmark];
    if (now.enters) {
      reach(there, now.landmark, now.time, false);
      for (const int to : on[ground[now.landmark]]) {
        const Vec3 away = meetings.landmarks()[to].place - here.place;
        const double way = std::sqrt(away.x * away.x + away.y * away.y) - lost;
        reach(there, to, now.time + std::max(way, 0.0) / fastest.speed, false);
      }
      continue;
    }
    for (const int to : meetings.near(now.landmark)) {
      if (ground[to] == ground[now.landmark]) continue;
      const double departs = meetings.in_reach(now.landmark, to, now.time);
      if (departs == kInfinity) continue;
      const double arrives = departs + fastest.crossing;
      // Who is there over the ground by then gets everywhere as soon.
      if (there[to] + lost / fastest.speed <= arrives) continue;
      reach(entered, to, arrives, true);
    }
  }
  return there;
}

}  // namespace surefoot::spacetime
