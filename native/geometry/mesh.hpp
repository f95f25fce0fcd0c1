// A triangle mesh in its own frame with a bounding-volume tree over its triangles.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/simd4.hpp"
#include "geometry/triangles.hpp"
#include "math/checks.hpp"

namespace surefoot {

// Vertices or faces that are no surface; becomes surefoot.errors.MeshError in Python.
struct MeshError : InputError {
  using InputError::InputError;
};

struct MeshHit {
  double distance = kInfinity;
  int triangle = -1;
  Vec3 point;   // in the mesh's frame
  Vec3 normal;  // along the side that the triangle faces, not unit

  // Nearer wins; of equals the lower triangle, so that results do not depend on the tree.
  bool better_than(const MeshHit& other) const {
    return distance < other.distance || (distance == other.distance && triangle >= 0 &&
                                         (other.triangle < 0 || triangle < other.triangle));
  }
};

class Mesh {
 public:
  using Face = std::array<int, 3>;

  // Refuses vertices that are not finite or out of bounds, and faces of vertices that are not
  // there. Triangles without area are allowed, and never hit.
  Mesh(std::vector<Vec3> vertices, std::vector<Face> faces);

  const Box& box() const { return box_; }
  // Largest distance of a vertex from the frame's origin.
  double radius() const { return radius_; }
  int triangle_count() const { return static_cast<int>(faces_.size()); }
  Triangle triangle(int index) const {
    const Face& f = faces_[index];
    return {vertices_[f[0]], vertices_[f[1]], vertices_[f[2]]};
  }
  const std::vector<Vec3>& vertices() const { return vertices_; }
  const Face& face(int index) const { return faces_[index]; }
  // Per triangle: it belongs to a closed part, whose inside is therefore defined.
  const std::vector<uint8_t>& closed() const { return closed_; }
  // Per triangle: it bounds solid matter, from outside or as the wall of a cavity.
  const std::vector<uint8_t>& bounds_solid() const { return bounds_solid_; }
  // Some part blocks its inside: it is closed and looks outward (a room looks inward).
  bool has_solid_part() const { return has_solid_part_; }
  // Per corner k of a triangle: the triangle across the edge from corner k to the next one;
  // -1 where there is none, or more than one.
  const Face& neighbours(int triangle) const { return neighbours_[triangle]; }

  // Queries. Shapes are in the world; `frame` is where the mesh is.
  bool surface_overlaps(const Frame& frame, const UprightCylinder& cylinder) const;
  bool surface_overlaps(const Frame& frame, const CapsuleShape& capsule) const;
  // Inside a part that blocks its inside.
  bool encloses(const Frame& frame, Vec3 point) const;
  MeshHit ray(const Frame& frame, Vec3 origin, Vec3 direction, double max_distance) const;
  MeshHit nearest(const Frame& frame, Vec3 point, double max_distance) const;
  // Highest surface point over the patch between two heights; `distance` holds the height.
  MeshHit highest(const Frame& frame, const FootPatch& patch, double bottom, double top) const;

  // Calls visitor(triangle in world coordinates, index) for triangles that may touch `box`,
  // until it returns true; tells whether it did.
  template <class Visitor>
  bool visit_world_box(const Frame& frame, const Box& box, Visitor visitor) const;

 private:
  // Four children side by side, boxes in float relative to centre_, rounded outward.
  struct alignas(16) Node {
    float planes[6][4];  // lower x, y, z, then upper x, y, z
    int32_t child[4];    // >= 0: node; < 0: leaf, see leaf_*()

    const float* lo(int axis) const { return planes[axis]; }
    const float* hi(int axis) const { return planes[axis + 3]; }
  };
  struct Stored {
    Triangle triangle;
    int32_t index;
    bool bounds_solid;
  };
  struct FloatBox {
    float lo[3], hi[3];
  };
  static constexpr int kLeaf = 3;  // a triangle costs about as much as a node
  static int32_t leaf_code(int first, int count) { return ~(first * 8 + count); }
  static int leaf_first(int32_t code) { return ~code >> 3; }
  static int leaf_count(int32_t code) { return ~code & 7; }

  void check() const;
  // Closed parts and neighbours; gives each triangle's part.
  std::vector<int> find_parts();
  void find_solid_parts(const std::vector<int>& part);
  int winding(Vec3 point) const;
  void build_tree();
  FloatBox centred(const Box& local) const;

  template <class Reject, class Visitor>
  bool visit(const Box& local, Reject reject, Visitor visitor) const;

  std::vector<Vec3> vertices_;
  std::vector<Face> faces_;
  std::vector<Face> neighbours_;
  std::vector<uint8_t> closed_, bounds_solid_;
  bool has_solid_part_ = false;
  Box box_;
  double radius_ = 0;
  Vec3 centre_;
  std::vector<Node> nodes_;
  std::vector<Stored> stored_;

  friend struct TreeBuilder;
};

// --- traversal ---------------------------------------------------------------------------------

// `reject(node)` gives the bits of children to skip besides those outside the box.
template <class Reject, class Visitor>
bool Mesh::visit(const Box& local, Reject reject, Visitor visitor) const {
  const FloatBox q = centred(local);
  int32_t stack[256];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Node& node = nodes_[stack[--size]];
    unsigned bits = 15u;
    for (int axis = 0; axis < 3; ++axis) {
      bits &= less_equal(Float4::load(node.lo(axis)), Float4::all(q.hi[axis]));
      bits &= less_equal(Float4::all(q.lo[axis]), Float4::load(node.hi(axis)));
    }
    if (bits) bits &= ~reject(node);
    for (int i = 0; bits; ++i, bits >>= 1) {
      if (!(bits & 1u)) continue;
      const int32_t child = node.child[i];
      if (child >= 0) {
        stack[size++] = child;
        continue;
      }
      const Stored* item = &stored_[leaf_first(child)];
      for (int k = leaf_count(child); k > 0; --k, ++item)
        if (visitor(*item)) return true;
    }
  }
  return false;
}

template <class Visitor>
bool Mesh::visit_world_box(const Frame& frame, const Box& box, Visitor visitor) const {
  const Vec3 half = box.half(), centre = frame.unapply(box.centre());
  Vec3 spread;
  for (int axis = 0; axis < 3; ++axis)
    for (int row = 0; row < 3; ++row)
      spread[axis] += std::abs(frame.turn.rows[row][axis]) * half[row];
  return visit(
      {centre - spread, centre + spread}, [](const Node&) { return 0u; },
      [&](const Stored& s) {
        const Triangle world{frame.apply(s.triangle.a), frame.apply(s.triangle.b),
                             frame.apply(s.triangle.c)};
        return visitor(world, s.index);
      });
}

}  // namespace surefoot
