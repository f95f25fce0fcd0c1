#include "spacetime/ahead.hpp"

#include <algorithm>

namespace surefoot::spacetime {

std::vector<double> ahead(const Meetings& meetings, const std::vector<bool>& goals,
                          const Prices& prices) {
  const int n = static_cast<int>(meetings.size());
  const std::vector<int>& ground = meetings.grounds();
  // Dijkstra's algorithm, backward, over landmarks twice: as they are arrived at, and as they are
  // left for another body.
  std::vector<double> arrived(n, kInfinity), left(n, kInfinity);
  std::vector<bool> arrived_done(n, false), left_done(n, false);
  for (int i = 0; i < n; ++i)
    if (goals[i]) arrived[i] = 0;
  const auto price = [&](int a, int b) {
    const double way = meetings.least(a, b) - prices.radii[a] - prices.radii[b];
    return prices.metre * std::max(way, 0.0);
  };
  for (;;) {
    int best = -1;
    bool as_left = false;
    double least = kInfinity;
    for (int i = 0; i < n; ++i) {
      if (!arrived_done[i] && arrived[i] < least) least = arrived[i], best = i, as_left = false;
      if (!left_done[i] && left[i] < least) least = left[i], best = i, as_left = true;
    }
    if (best < 0) break;
    const int here = ground[best];
    if (as_left) {
      // Left from here: arrived at anywhere on the same ground before.
      left_done[best] = true;
      for (int i = 0; i < n; ++i)
        if (!arrived_done[i] && ground[i] == here)
          arrived[i] = std::min(arrived[i], least + (i == best ? 0.0 : price(i, best)));
      continue;
    }
    arrived_done[best] = true;
    for (int i = 0; i < n; ++i) {
      if (ground[i] == here) {
        // A goal is gone to over the ground.
        if (goals[best] && !arrived_done[i])
          arrived[i] = std::min(arrived[i], i == best ? 0.0 : least + price(i, best));
        continue;
      }
      if (left_done[i] || !meetings.meet(i, best)) continue;
      left[i] = std::min(left[i], least + price(i, best));
    }
  }
  return arrived;
}

}  // namespace surefoot::spacetime
