// Choosing how to get over a ditch, some actions ahead.
//
// A step too far and the take-off is missed, a hand's breadth too far aside and the target: what
// plans are worth has cliffs, which are smeared between the points of a grid. But where an action
// leads over the ditch, or to the target, is known exactly. So some actions are looked ahead, and
// only what is farther away is taken from the grid.
#pragma once

#include <vector>

#include "control/controller.hpp"
#include "control/options.hpp"

namespace surefoot::control {

class Crossing {
 public:
  // Whether that is what a controller is about: a ditch, where the target is, and a rise.
  static bool fits(const Controller& controller);
  // `controller` must outlive it.
  explicit Crossing(const Controller& controller);

  // The best action of a state but for some, as the moves number them; -1 where there is none.
  int choose(size_t state, const double* task, double radius, const std::vector<int>& but) const;

 private:
  // Where somebody is.
  struct Node {
    size_t state;
    double distance, normal, aside;
    double c, s;  // cosine and sine of the normal
  };
  // What stays the same while looking ahead.
  struct Query {
    double behind, radius;
    std::array<size_t, 4> inner;    // of the axes after "aside": which points
    std::array<float, 4> weights;   // and how much they count
    std::array<size_t, 2> rises;    // of the last axis
    std::array<float, 2> of_rises;  //
  };
  // The points of the first three axes around a node.
  struct Around {
    learning::Between distance, normal, aside;
  };
  struct Choice {
    const Option* option;
    double worth;  // as far as it is known
    bool known;    // whether that is exact, or not worth looking at
  };
  struct Best {
    double worth;
    const Option* option;
  };

  Best best(const Node& node, const Query& query, int farther, const std::vector<int>& but) const;
  void add_candidates(const Node& node, const Query& query, const Around& near,
                      const std::vector<int>& but, std::vector<Choice>& out) const;
  Choice judged(const Node& node, const Query& query, const Around& near,
                const Option& option) const;
  Node after(const Node& node, const Option& option) const;
  Around around(const Node& node) const;
  double value(const Node& node, const Query& query) const;

  const Controller& controller_;
  size_t normals_, asides_, behinds_, rises_;
  double width_;
  Options options_;
};

}  // namespace surefoot::control
