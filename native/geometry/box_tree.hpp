// A balanced tree of boxes that can be changed one item at a time.
#pragma once

#include <vector>

#include "geometry/vec.hpp"

namespace surefoot {

class BoxTree {
 public:
  // Returns a handle for remove().
  int insert(int item, const Box& box);
  void remove(int leaf);
  int size() const { return count_; }

  // Calls visitor(item) for every item whose box overlaps, until it returns true.
  template <class Visitor>
  bool visit(const Box& box, Visitor visitor) const;

  // Calls visitor(item, reach) -> new reach for items along the ray, nearer boxes first.
  template <class Visitor>
  void visit_ray(Vec3 origin, Vec3 direction, double reach, Visitor visitor) const;

  // Calls visitor(item, reach) -> new reach for items within reach of the point.
  template <class Visitor>
  void visit_near(Vec3 point, double reach, Visitor visitor) const;

 private:
  struct Node {
    Box box;
    int parent = -1, left = -1, right = -1;
    int item = -1;  // leaves only
    int height = 0;
    bool leaf() const { return left < 0; }
  };
  int allocate();
  void refit_upward(int index);
  int balance(int index);
  void replace_child(int parent, int child, int with);

  std::vector<Node> nodes_;
  std::vector<int> free_;
  int root_ = -1;
  int count_ = 0;
};

// Trees are balanced, so depth stays below about 1.5 log2 of the item count.
inline constexpr int kTreeStack = 128;

template <class Visitor>
bool BoxTree::visit(const Box& box, Visitor visitor) const {
  if (root_ < 0) return false;
  int stack[kTreeStack], size = 0;
  stack[size++] = root_;
  while (size > 0) {
    const Node& node = nodes_[stack[--size]];
    if (!node.box.overlaps(box)) continue;
    if (node.leaf()) {
      if (visitor(node.item)) return true;
    } else {
      stack[size++] = node.left;
      stack[size++] = node.right;
    }
  }
  return false;
}

// Distance at which the ray enters the box, or infinity; `inverse` is 1 / direction.
inline double enter_distance(const Box& box, Vec3 origin, Vec3 inverse, double reach) {
  double enter = 0, leave = reach;
  for (int axis = 0; axis < 3; ++axis) {
    const double t0 = (box.lo[axis] - origin[axis]) * inverse[axis];
    const double t1 = (box.hi[axis] - origin[axis]) * inverse[axis];
    enter = std::max(enter, std::min(t0, t1));
    leave = std::min(leave, std::max(t0, t1));
  }
  // Slack for rounding in the two products.
  return enter <= leave + 1e-9 * (1 + enter) ? enter : kInfinity;
}

template <class Visitor>
void BoxTree::visit_ray(Vec3 origin, Vec3 direction, double reach, Visitor visitor) const {
  if (root_ < 0) return;
  Vec3 inverse;
  for (int axis = 0; axis < 3; ++axis)
    inverse[axis] = 1.0 / (std::abs(direction[axis]) > 1e-300 ? direction[axis] : 1e-300);
  struct Entry {
    int node;
    double enter;
  };
  Entry stack[kTreeStack];
  int size = 0;
  stack[size++] = {root_, enter_distance(nodes_[root_].box, origin, inverse, reach)};
  while (size > 0) {
    const Entry entry = stack[--size];
    if (entry.enter == kInfinity || entry.enter > reach * (1 + 1e-9)) continue;
    const Node& node = nodes_[entry.node];
    if (node.leaf()) {
      reach = visitor(node.item, reach);
      continue;
    }
    Entry a{node.left, enter_distance(nodes_[node.left].box, origin, inverse, reach)};
    Entry b{node.right, enter_distance(nodes_[node.right].box, origin, inverse, reach)};
    if (a.enter < b.enter) std::swap(a, b);
    stack[size++] = a;
    stack[size++] = b;
  }
}

template <class Visitor>
void BoxTree::visit_near(Vec3 point, double reach, Visitor visitor) const {
  if (root_ < 0) return;
  struct Entry {
    int node;
    double square;
  };
  Entry stack[kTreeStack];
  int size = 0;
  stack[size++] = {root_, nodes_[root_].box.squared_distance(point)};
  while (size > 0) {
    const Entry entry = stack[--size];
    if (entry.square > reach * reach * (1 + 1e-9)) continue;
    const Node& node = nodes_[entry.node];
    if (node.leaf()) {
      reach = visitor(node.item, reach);
      continue;
    }
    Entry a{node.left, nodes_[node.left].box.squared_distance(point)};
    Entry b{node.right, nodes_[node.right].box.squared_distance(point)};
    if (a.square < b.square) std::swap(a, b);
    stack[size++] = a;
    stack[size++] = b;
  }
}

}  // namespace surefoot
