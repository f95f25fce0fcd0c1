// The navigable surface of a body, as a roadmap in the body's own frame (lopez2012, 3.2).
//
// It is good for one inclination of the body: translations and turns about the vertical leave it
// as it is (3.3).
#pragma once

#include "topology/leap.hpp"

namespace surefoot::topology {

struct Node {
  Vec3 position;  // in the body's frame
  uint8_t skills = 0;
  bool border = false;  // near where the surface ends
  int surface = -1;     // which connected part it belongs to
};

struct Edge {
  int to;
  double length;
  uint8_t skills;
  int id;  // the same in both directions
};

// How finely a surface is sampled.
struct Sampling {
  double spacing;  // [m] between neighbouring configurations
  double inset;    // [m] that they keep from where the surface ends
  int most;        // on one body; larger bodies are sampled less finely
};

class Roadmap {
 public:
  // Of a body as it leans in `frame`; configurations keep clear of the body itself.
  Roadmap(const Mesh& mesh, bool solid, const Frame& frame, std::span<const Skill> skills,
          const Sampling& sampling);

  const std::vector<Node>& nodes() const { return nodes_; }
  std::span<const Edge> edges(int node) const {
    return {edges_.data() + first_[node], edges_.data() + first_[node + 1]};
  }
  int edge_count() const { return edge_count_; }
  // Connected parts; the configurations of each, those at the border first.
  int surface_count() const { return static_cast<int>(surfaces_.size()); }
  const std::vector<int>& surface(int index) const { return surfaces_[index]; }
  int border_count(int index) const { return borders_[index]; }
  const Box& box(int index) const { return boxes_[index]; }
  double spacing() const { return spacing_; }

  // Calls visitor(node) for configurations near a box of the body's frame.
  template <class Visitor>
  void visit(const Box& box, Visitor visitor) const;

 private:
  struct Maker;

  void index_nodes();
  std::pair<int, int> cell(double x, double y) const {
    return {std::clamp(static_cast<int>((x - low_.x) / cell_), 0, columns_ - 1),
            std::clamp(static_cast<int>((y - low_.y) / cell_), 0, rows_ - 1)};
  }

  std::vector<Node> nodes_;
  std::vector<int> first_;
  std::vector<Edge> edges_;
  int edge_count_ = 0;
  std::vector<std::vector<int>> surfaces_;
  std::vector<int> borders_;
  std::vector<Box> boxes_;
  double spacing_ = 0;
  // Configurations by columns over the body's own xy-plane.
  Vec3 low_;
  double cell_ = 1;
  int columns_ = 1, rows_ = 1;
  std::vector<int> cell_first_, cell_nodes_;
};

template <class Visitor>
void Roadmap::visit(const Box& box, Visitor visitor) const {
  if (nodes_.empty()) return;
  const auto [i0, j0] = cell(box.lo.x, box.lo.y);
  const auto [i1, j1] = cell(box.hi.x, box.hi.y);
  for (int j = j0; j <= j1; ++j)
    for (int k = cell_first_[j * columns_ + i0]; k < cell_first_[j * columns_ + i1 + 1]; ++k) {
      const int node = cell_nodes_[k];
      if (box.contains(nodes_[node].position)) visitor(node);
    }
}

// Whether a cylinder over a foot touches a mesh, or is inside it.
bool touches(const Mesh& mesh, bool solid, const Frame& frame, const Shape& shape, Vec3 foot);

}  // namespace surefoot::topology
