// What was played from one start: ways that begin with the same actions are the same so far.
#pragma once

#include <vector>

#include "control/rollout_types.hpp"

namespace surefoot::control {

// A tree of actions. What an action leads to, from one start towards one target, depends on nothing
// but the actions before it: another attempt need not ask the world again.
class Played {
 public:
  struct Outcome {
    bool fine = true;  // whether it goes on
    Ending ending = Ending::kLate;
    double time = 0;
    Vec3 failure;
    bool passing = false;
  };
  static constexpr int kStart = 0;

  void clear() {
    nodes_.assign(1, {});
    pieces_.clear();
  }
  // What follows `before` with an action; -1 where that was not played yet.
  int find(int before, int action) const {
    for (int k = nodes_[before].child; k >= 0; k = nodes_[k].sibling)
      if (nodes_[k].action == action) return k;
    return -1;
  }
  // Keeps pieces from `first` on.
  int add(int before, int action, const std::vector<Piece>& pieces, size_t first,
          const Outcome& outcome) {
    const int node = static_cast<int>(nodes_.size());
    nodes_.push_back(
        {action, -1, nodes_[before].child, pieces_.size(), pieces.size() - first, outcome});
    nodes_[before].child = node;
    pieces_.insert(pieces_.end(), pieces.begin() + static_cast<std::ptrdiff_t>(first),
                   pieces.end());
    return node;
  }
  const Outcome& outcome(int node) const { return nodes_[node].outcome; }
  void append(int node, std::vector<Piece>& pieces) const {
    const auto from = pieces_.begin() + static_cast<std::ptrdiff_t>(nodes_[node].first);
    pieces.insert(pieces.end(), from, from + static_cast<std::ptrdiff_t>(nodes_[node].count));
  }

 private:
  struct Node {
    int action = -1, child = -1, sibling = -1;
    size_t first = 0, count = 0;
    Outcome outcome;
  };
  std::vector<Node> nodes_{1};
  std::vector<Piece> pieces_;
};

}  // namespace surefoot::control
