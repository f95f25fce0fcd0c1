// Choosing how to get round a cylinder, some actions ahead.
//
// Whoever runs is past a near target with one action, or has to stop before the cylinder: what
// plans are worth has cliffs, which are smeared between the points of a grid. But where an action
// leads to the target, or to where the straight way to it is clear, is known exactly.
#pragma once

#include <vector>

#include "control/controller.hpp"
#include "control/options.hpp"

namespace surefoot::control {

class Detour {
 public:
  // Whether that is what a controller is about: a cylinder, and where the target is from there.
  static bool fits(const Controller& controller);
  // `controller` must outlive it.
  explicit Detour(const Controller& controller);

  // The best action of a state but for some, as the moves number them; -1 where there is none.
  int choose(size_t state, const double* task, double radius, const std::vector<int>& but) const;

  // Whether who goes straight to the target from here passes the cylinder by.
  bool passes(const Situation& situation, Level here, size_t state, double radius) const;

 private:
  struct Flat {
    double x, y;
  };
  // Where somebody is: what they see of the cylinder's axis and of the target.
  struct Node {
    size_t state;
    Flat centre, target;
  };
  // What stays the same while looking ahead.
  struct Query {
    double radius;
    learning::Between apart;
  };
  // The points of the first three axes around a node.
  struct Around {
    learning::Between distance, direction, bearing;
  };
  struct Choice {
    const Option* option;
    double worth;  // as far as it is known
    bool known;    // whether that is exact, or not worth looking at
    Node then;
    Around around;  // that
    double value;   // of that, between the points of the grid
  };
  struct Best {
    double worth;
    const Option* option;
  };

  Best best(const Node& node, const Around& near, const Query& query, int farther,
            const std::vector<int>& but) const;
  void add_candidates(const Node& node, const Around& near, const Query& query,
                      const std::vector<int>& but, std::vector<Choice>& out) const;
  Choice judged(const Node& node, const Query& query, const Around& near,
                const Option& option) const;
  // Whether an action cuts into a cylinder that is at x, y.
  bool cuts(int32_t own, double x, double y) const;
  Node after(const Node& node, const Option& option) const;
  bool clear(const Node& node) const;
  Around around(const Node& node) const;
  double value(size_t state, const Around& near, const Query& query) const;

  const Controller& controller_;
  size_t directions_, bearings_, aparts_;
  double size_;
  Options options_;
  std::vector<int32_t> actions_;  // of moves: as the table numbers them, or -1
};

}  // namespace surefoot::control
