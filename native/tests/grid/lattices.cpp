// The search over planes and through space, against the plainest search there is.
#include <map>
#include <queue>
#include <set>

#include "grid/plane.hpp"
#include "tests/random.hpp"

namespace surefoot::grid {
namespace {

using namespace surefoot::testing;

// The least cost between two cells of any graph, by the textbook.
template <class Graph>
double dijkstra(const Graph& graph, int32_t start, int32_t goal, size_t& closed) {
  std::map<int32_t, Cost> done;
  std::priority_queue<std::pair<Cost, int32_t>, std::vector<std::pair<Cost, int32_t>>,
                      std::greater<>>
      open;
  open.push({0, start});
  while (!open.empty()) {
    const auto [cost, cell] = open.top();
    open.pop();
    if (!done.emplace(cell, cost).second) continue;
    closed = done.size();
    if (cell == goal) return static_cast<double>(cost) / Graph::kUnit;
    graph.each_neighbour(cell, graph.place(cell), [&](int32_t to, Cost more, uint8_t, const auto&) {
      open.push({cost + more, to});
    });
  }
  return kInfinity;
}

template <class Graph>
struct Answer {
  double cost = kInfinity;
  std::vector<int32_t> cells;
  size_t expanded = 0;
};

template <class Graph, class Queue>
Answer<Graph> find(Graph& graph, int32_t start, int32_t goal, Nodes& nodes, Queue& queue) {
  graph.aim(goal);
  const Seed from{start, 0}, to{goal, 0};
  const SearchResult result = search(graph, {{&from, 1}, {&to, 1}}, graph.cells(), nodes, queue);
  Answer<Graph> answer;
  answer.expanded = result.expanded;
  if (!result.reached) return answer;
  answer.cost = static_cast<double>(result.total) / Graph::kUnit;
  for (int32_t at = goal; at >= 0; at = nodes[at].parent) answer.cells.push_back(at);
  return answer;
}

std::vector<uint8_t> random_cells(Random& random, size_t count, double share) {
  std::vector<uint8_t> open(count);
  for (uint8_t& cell : open) cell = random.chance(share);
  return open;
}

TEST(a_way_over_a_plane_costs_no_more_than_the_best) {
  Nodes nodes;  // kept between searches, as a caller does
  SortedBuckets queue;
  int reached = 0;
  each_seed(60, [&](Random& random) {
    const int width = 3 + random.below(30), height = 3 + random.below(30);
    const auto open = random_cells(random, static_cast<size_t>(width * height), 0.7);
    Plane plane(width, height, reinterpret_cast<const bool*>(open.data()));
    for (int i = 0; i < 10; ++i) {
      const int32_t start = random.below(plane.cells()), goal = random.below(plane.cells());
      size_t closed = 0;
      const auto found = find(plane, start, goal, nodes, queue);
      const double best = dijkstra(plane, start, goal, closed);
      CHECK((found.cost == kInfinity) == (best == kInfinity));
      if (best == kInfinity) continue;
      ++reached;
      CHECK_NEAR(found.cost, best, 1e-9);
      CHECK(found.expanded <= closed + 1);
      CHECK(found.cells.back() == start && found.cells.front() == goal);
      for (size_t k = 1; k + 1 < found.cells.size(); ++k)
        CHECK(open[static_cast<size_t>(found.cells[k])]);
    }
  });
  CHECK(reached > 100);
}

TEST(a_diagonal_needs_both_cells_beside_it) {
  const bool cells[4] = {true, false, true, true};  // (1, 0) is blocked
  Plane plane(2, 2, cells);
  Nodes nodes;
  SortedBuckets queue;
  // (0, 0) to (1, 1): by way of (0, 1).
  CHECK_NEAR(find(plane, 0, 3, nodes, queue).cost, 2, 1e-9);
  const bool all[4] = {true, true, true, true};
  Plane free(2, 2, all);
  CHECK_NEAR(find(free, 0, 3, nodes, queue).cost, std::sqrt(2.0), 1e-9);
}

TEST(a_flight_costs_no_more_than_the_best) {
  Nodes nodes;
  SortedBuckets queue;
  int reached = 0;
  each_seed(30, [&](Random& random) {
    const Flight::Place size{3 + random.below(7), 3 + random.below(7), 3 + random.below(7)};
    const auto open = random_cells(random, static_cast<size_t>(size[0] * size[1] * size[2]), 0.9);
    Flight flight({size[0], size[1], size[2]}, reinterpret_cast<const bool*>(open.data()));
    for (int i = 0; i < 5; ++i) {
      const int32_t start = random.below(flight.cells()), goal = random.below(flight.cells());
      if (!open[static_cast<size_t>(start)] || !open[static_cast<size_t>(goal)]) continue;
      size_t closed = 0;
      const double best = dijkstra(flight, start, goal, closed);
      const double cost = find(flight, start, goal, nodes, queue).cost;
      CHECK((cost == kInfinity) == (best == kInfinity));
      if (best < kInfinity) {
        ++reached;
        CHECK_NEAR(cost, best, 1e-9);
      }
    }
  });
  CHECK(reached > 30);
}

TEST(a_plane_that_cannot_be_numbered_is_refused) {
  const bool cell = true;
  CHECK_THROWS(Plane(int64_t{1} << 20, int64_t{1} << 20, &cell), "the number of cells");
  CHECK_THROWS(Plane(-1, 1, &cell), "width is -1");
  CHECK_THROWS(Flight({1 << 12, 1 << 12, 1 << 12}, &cell), "the number of cells");
}

// Keys that never fall below the last one taken, as searches push them.
template <class Queue>
void check_order(int spread, int bits) {
  each_seed(30, [&](Random& random) {
    Queue queue;
    queue.clear(bits);
    std::multiset<Cost> expected;
    Cost last = 0;
    for (int i = 0; i < 3000; ++i) {
      if (expected.empty() || random.chance(0.55)) {
        const Cost key = last + random.below(spread);
        queue.push(key, i);
        expected.insert(key);
      } else {
        const Open top = queue.pop();
        CHECK(top.key == *expected.begin());
        expected.erase(expected.begin());
        last = top.key;
      }
      CHECK(queue.empty() == expected.empty());
    }
  });
}

TEST(queues_give_the_least_key_first) {
  check_order<BucketQueue>(20, 0);
  check_order<SortedBuckets>(20, 0);
  check_order<SortedBuckets>(100000, 4);
  check_order<SortedBuckets>(2000000000, 10);  // beyond the ring
}

TEST(of_equal_keys_the_latest_goes_first) {
  SortedBuckets sorted;
  BucketQueue plain;
  sorted.clear(8), plain.clear(0);
  for (int cell = 0; cell < 5; ++cell) sorted.push(7, cell), plain.push(7, cell);
  for (int cell = 4; cell >= 0; --cell) {
    CHECK(sorted.pop().cell == cell);
    CHECK(plain.pop().cell == cell);
  }
}

}  // namespace
}  // namespace surefoot::grid
