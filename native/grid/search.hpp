// One search for every kind of neighbours: bushfire and A* (bandi2000, 4.1 and 5.4), any number of
// sources and goals (5.1).
//
// A source of neighbours has
//   Place place(cell)                      what bounds are computed from
//   each_neighbour(cell, place, visit)     visit(to, cost, via, place of to)
//   Cost bound(place)                      never more than the least cost from there to a goal,
//                                          and never more than a move's cost less along it
//   int bucket_bits()                      costs that differ by less than two to this power go
//                                          into one bucket of the queue
//   int rank(via)                          of moves that cost the same the lower is kept
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "geometry/parallel.hpp"
#include "grid/queue.hpp"

namespace surefoot::grid {

inline constexpr Cost kFar = std::numeric_limits<Cost>::max();

struct Seed {
  int32_t cell;
  Cost cost;
};

// How a cell was reached. A node is of this search when its mark says so: nothing is cleared
// between searches.
struct Node {
  Cost cost = 0;
  int32_t parent = -1;
  uint16_t search = 0;
  uint8_t closed = 0;
  uint8_t via = 0;
};

class Nodes {
 public:
  // Makes all cells unreached.
  void start(size_t cells) {
    if (nodes_.size() < cells) nodes_.resize(cells);
    if (++search_ == 0) {
      for (Node& node : nodes_) node.search = 0;
      search_ = 1;
    }
  }
  Node& operator[](int32_t cell) { return nodes_[cell]; }
  const Node& operator[](int32_t cell) const { return nodes_[cell]; }
  size_t size() const { return nodes_.size(); }
  bool reached(int32_t cell) const { return nodes_[cell].search == search_; }
  bool closed(int32_t cell) const { return reached(cell) && nodes_[cell].closed; }
  uint16_t search() const { return search_; }

 private:
  std::vector<Node> nodes_;
  uint16_t search_ = 0;
};

struct SearchResult {
  int32_t cell = -1;       // the goal that was reached, or else the closed cell nearest to one
  bool reached = false;    // some goal, or all where all are asked for
  bool exhausted = false;  // the limit ended it
  size_t expanded = 0;
  Cost total = kFar;  // to the goal, with the goal's own cost
};

struct SearchTask {
  std::span<const Seed> starts, goals;  // a goal's cost is what is still to pay there
  bool every_goal = false;              // go on until all are reached
  size_t limit = 0;                     // cells expanded at most; 0: all
  const Interrupt* interrupt = nullptr;
};

template <class Source, class Queue>
SearchResult search(const Source& source, const SearchTask& task, size_t cells, Nodes& nodes,
                    Queue& queue) {
  SearchResult result;
  nodes.start(cells);
  queue.clear(source.bucket_bits());
  const uint16_t mark = nodes.search();
  std::vector<Seed> goals(task.goals.begin(), task.goals.end());
  std::sort(goals.begin(), goals.end(), [](const Seed& a, const Seed& b) {
    return a.cell != b.cell ? a.cell < b.cell : a.cost < b.cost;
  });
  goals.erase(std::unique(goals.begin(), goals.end(),
                          [](const Seed& a, const Seed& b) { return a.cell == b.cell; }),
              goals.end());
  size_t missing = goals.size();

  for (const Seed& start : task.starts) {
    Node& node = nodes[start.cell];
    if (node.search == mark && node.cost <= start.cost) continue;
    node = {start.cost, -1, mark, 0, 0};
    queue.push(start.cost + source.bound(source.place(start.cell)), start.cell);
  }
  Cost nearest = kFar;
  while (!queue.empty()) {
    const Open open = queue.pop();
    if (result.reached && !task.every_goal && open.key >= result.total) break;
    Node& node = nodes[open.cell];
    if (node.closed) continue;
    node.closed = 1;
    const auto place = source.place(open.cell);
    if (!result.reached) {
      // The way to the nearest cell is what is left when no goal can be reached.
      const Cost bound = open.key - node.cost;
      if (bound < nearest) nearest = bound, result.cell = open.cell;
    }
    if (!goals.empty()) {
      const auto at = std::lower_bound(goals.begin(), goals.end(), open.cell,
                                       [](const Seed& g, int32_t cell) { return g.cell < cell; });
      if (at != goals.end() && at->cell == open.cell) {
        --missing;
        const Cost total = node.cost + at->cost;
        if (total < result.total) {
          result.total = total;
          result.cell = open.cell;
          result.reached = !task.every_goal;
          nearest = -1;
        }
        if (task.every_goal ? missing == 0 : at->cost == 0) {
          result.reached = true;
          break;
        }
      }
    }
    if (task.limit > 0 && result.expanded >= task.limit) {
      result.exhausted = true;
      break;
    }
    ++result.expanded;
    if (task.interrupt && *task.interrupt && (result.expanded & 8191) == 0) (*task.interrupt)();
    const Cost so_far = node.cost;
    source.each_neighbour(open.cell, place,
                          [&](int32_t to, Cost cost, uint8_t via, const auto& there) {
                            Node& next = nodes[to];
                            const Cost reached = so_far + cost;
                            if (next.search == mark) {
                              if (reached > next.cost) return;
                              if (reached == next.cost) {
                                // The other end of a tie: straight before diagonal (5.5), one
                                // action before another (8.2).
                                if (next.parent >= 0 && source.rank(via) < source.rank(next.via)) {
                                  next.parent = open.cell;
                                  next.via = via;
                                }
                                return;
                              }
                            }
                            next = {reached, open.cell, mark, 0, via};
                            queue.push(reached + source.bound(there), to);
                          });
  }
  return result;
}

}  // namespace surefoot::grid
