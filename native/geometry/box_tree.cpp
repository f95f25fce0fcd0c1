#include "geometry/box_tree.hpp"

namespace surefoot {
namespace {

Box joined(const Box& a, const Box& b) {
  Box box = a;
  box.include(b);
  return box;
}

}  // namespace

int BoxTree::allocate() {
  if (free_.empty()) {
    nodes_.emplace_back();
    return static_cast<int>(nodes_.size()) - 1;
  }
  const int index = free_.back();
  free_.pop_back();
  nodes_[index] = Node{};
  return index;
}

int BoxTree::insert(int item, const Box& box) {
  const int leaf = allocate();
  nodes_[leaf].box = box;
  nodes_[leaf].item = item;
  ++count_;
  if (root_ < 0) return root_ = leaf;

  // Walk down to the sibling that adds the least surface.
  int sibling = root_;
  while (!nodes_[sibling].leaf()) {
    const Node& node = nodes_[sibling];
    const double grown = joined(node.box, box).area();
    const double here = 2 * grown;
    const double inherited = 2 * (grown - node.box.area());
    const auto below = [&](int child) {
      const Node& c = nodes_[child];
      const double area = joined(c.box, box).area();
      return inherited + (c.leaf() ? area : area - c.box.area());
    };
    const double left = below(node.left), right = below(node.right);
    if (here < left && here < right) break;
    sibling = left < right ? node.left : node.right;
  }

  const int old_parent = nodes_[sibling].parent;
  const int parent = allocate();
  nodes_[parent].parent = old_parent;
  nodes_[parent].left = sibling;
  nodes_[parent].right = leaf;
  nodes_[sibling].parent = parent;
  nodes_[leaf].parent = parent;
  if (old_parent < 0)
    root_ = parent;
  else
    replace_child(old_parent, sibling, parent);
  refit_upward(parent);
  return leaf;
}

void BoxTree::remove(int leaf) {
  --count_;
  const int parent = nodes_[leaf].parent;
  free_.push_back(leaf);
  if (parent < 0) {
    root_ = -1;
    return;
  }
  const int sibling = nodes_[parent].left == leaf ? nodes_[parent].right : nodes_[parent].left;
  const int grandparent = nodes_[parent].parent;
  nodes_[sibling].parent = grandparent;
  free_.push_back(parent);
  if (grandparent < 0) {
    root_ = sibling;
    return;
  }
  replace_child(grandparent, parent, sibling);
  refit_upward(grandparent);
}

void BoxTree::replace_child(int parent, int child, int with) {
  (nodes_[parent].left == child ? nodes_[parent].left : nodes_[parent].right) = with;
}

void BoxTree::refit_upward(int index) {
  while (index >= 0) {
    index = balance(index);
    Node& node = nodes_[index];
    const Node &left = nodes_[node.left], &right = nodes_[node.right];
    node.box = joined(left.box, right.box);
    node.height = 1 + std::max(left.height, right.height);
    index = node.parent;
  }
}

// Lifts the higher child when the two differ by more than one level; returns the new top.
int BoxTree::balance(int index) {
  Node& top = nodes_[index];
  const int difference = nodes_[top.right].height - nodes_[top.left].height;
  if (difference >= -1 && difference <= 1) return index;

  const int lifted = difference > 1 ? top.right : top.left;
  Node& up = nodes_[lifted];
  const bool left_higher = nodes_[up.left].height > nodes_[up.right].height;
  const int keep = left_higher ? up.left : up.right;
  const int give = left_higher ? up.right : up.left;

  up.parent = top.parent;
  if (up.parent < 0)
    root_ = lifted;
  else
    replace_child(up.parent, index, lifted);
  up.left = index;
  up.right = keep;
  top.parent = lifted;
  (difference > 1 ? top.right : top.left) = give;
  nodes_[give].parent = index;

  top.box = joined(nodes_[top.left].box, nodes_[top.right].box);
  top.height = 1 + std::max(nodes_[top.left].height, nodes_[top.right].height);
  return lifted;
}

}  // namespace surefoot
