#include "geometry/mesh.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "geometry/checks.hpp"

namespace surefoot {
namespace {

struct PositionHash {
  size_t operator()(const Vec3& p) const {
    const std::hash<double> hash;
    // Adding zero makes -0.0 and 0.0 hash alike, as they compare alike.
    size_t seed = hash(p.x + 0.0);
    seed ^= hash(p.y + 0.0) + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2);
    seed ^= hash(p.z + 0.0) + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2);
    return seed;
  }
};

int find_root(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

Mesh::Mesh(std::vector<Vec3> vertices, std::vector<Face> faces)
    : vertices_(std::move(vertices)), faces_(std::move(faces)) {
  check();
  for (const Face& face : faces_)
    for (int corner : face) {
      box_.include(vertices_[corner]);
      radius_ = std::max(radius_, length(vertices_[corner]));
    }
  centre_ = box_.centre();
  const std::vector<int> part = find_parts();
  build_tree();
  find_solid_parts(part);
  bounds_solid_.resize(faces_.size());
  for (const Stored& s : stored_) bounds_solid_[s.index] = s.bounds_solid;
}

void Mesh::check() const {
  // Leaves are numbered in 28 bits.
  constexpr size_t kMaxTriangles = (size_t{1} << 28) - 1;
  require<MeshError>(!faces_.empty(), "a mesh needs at least one triangle");
  require<MeshError>(faces_.size() <= kMaxTriangles, "a mesh has ", faces_.size(),
                     " triangles; it may have ", kMaxTriangles);
  require<MeshError>(vertices_.size() <= std::numeric_limits<int>::max(), "a mesh has ",
                     vertices_.size(), " vertices; it may have ", std::numeric_limits<int>::max());
  check_positions<MeshError>(vertices_, "vertices");
  for (size_t i = 0; i < faces_.size(); ++i)
    for (const int corner : faces_[i])
      if (corner < 0 || static_cast<size_t>(corner) >= vertices_.size())
        refuse<MeshError>(entry("faces", i), " uses vertex ", corner, "; there are ",
                          vertices_.size(), " vertices");
}

// A part (triangles joined by edges) is closed when every edge is walked as often one way as
// the other: then how often the surface winds around a point is well defined. Corners are
// joined by exact position, because files repeat corners for their normals.
std::vector<int> Mesh::find_parts() {
  std::unordered_map<Vec3, int, PositionHash> welded;
  std::vector<int> id(vertices_.size());
  for (size_t i = 0; i < vertices_.size(); ++i)
    id[i] = welded.try_emplace(vertices_[i], static_cast<int>(welded.size())).first->second;

  struct Edge {
    int64_t key;
    int face, corner, direction;
  };
  std::vector<Edge> edges;
  edges.reserve(faces_.size() * 3);
  for (size_t f = 0; f < faces_.size(); ++f)
    for (int k = 0; k < 3; ++k) {
      const int u = id[faces_[f][k]], v = id[faces_[f][(k + 1) % 3]];
      const int64_t low = std::min(u, v), high = std::max(u, v);
      edges.push_back({(low << 32) | high, static_cast<int>(f), k, u < v ? 1 : -1});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.key != b.key ? a.key < b.key : a.face < b.face;
  });

  std::vector<int> part(faces_.size());
  std::iota(part.begin(), part.end(), 0);
  neighbours_.assign(faces_.size(), {-1, -1, -1});
  const auto each_edge = [&](auto visit) {
    for (size_t i = 0, j = 0; i < edges.size(); i = j) {
      while (j < edges.size() && edges[j].key == edges[i].key) ++j;
      visit(i, j);
    }
  };
  each_edge([&](size_t i, size_t j) {
    for (size_t k = i + 1; k < j; ++k)
      part[find_root(part, edges[k].face)] = find_root(part, edges[i].face);
    if (j != i + 2) return;
    const Edge &a = edges[i], &b = edges[i + 1];
    neighbours_[a.face][a.corner] = b.face;
    neighbours_[b.face][b.corner] = a.face;
  });
  std::vector<uint8_t> open(faces_.size(), 0);
  each_edge([&](size_t i, size_t j) {
    int balance = 0;
    for (size_t k = i; k < j; ++k) balance += edges[k].direction;
    if (balance != 0) open[find_root(part, edges[i].face)] = 1;
  });
  closed_.resize(faces_.size());
  for (size_t f = 0; f < faces_.size(); ++f) {
    part[f] = find_root(part, static_cast<int>(f));
    closed_[f] = !open[part[f]];
  }
  return part;
}

// A closed part that looks outward is solid. One that looks inward is a cavity when it lies
// inside a solid part, and otherwise a room, whose inside is free and takes nothing away from
// what stands in it.
void Mesh::find_solid_parts(const std::vector<int>& part) {
  std::vector<double> volume(faces_.size(), 0);
  for (size_t f = 0; f < faces_.size(); ++f) {
    const Triangle t = triangle(static_cast<int>(f));
    const Vec3 from = vertices_[faces_[part[f]][0]];
    volume[part[f]] += dot(t.a - from, cross(t.b - from, t.c - from));
  }
  for (Stored& s : stored_) {
    s.bounds_solid = closed_[s.index] && volume[part[s.index]] > 0;
    has_solid_part_ |= s.bounds_solid;
  }
  if (!has_solid_part_) return;
  std::vector<uint8_t> cavity(faces_.size(), 0);
  for (size_t f = 0; f < faces_.size(); ++f)
    if (part[f] == static_cast<int>(f) && closed_[f] && volume[f] < 0)
      cavity[f] = winding(vertices_[faces_[f][0]]) > 0;
  for (Stored& s : stored_) s.bounds_solid |= cavity[part[s.index]] != 0;
}

// Splits by the surface-area heuristic over bins, two levels at a time into four children.
struct TreeBuilder {
  static constexpr int kLeaf = Mesh::kLeaf, kBins = 16;
  // Below this, ranges are halved by count: a tree is never much deeper, whatever the mesh.
  static constexpr int kDeep = 32;

  Mesh& mesh;
  std::vector<Box> boxes;
  std::vector<Vec3> centres;
  std::vector<int> order;
  double pad;

  struct Range {
    int first, last;
    Box box;
    int size() const { return last - first; }
  };

  Range range(int first, int last) const {
    Range r{first, last, {}};
    for (int i = first; i < last; ++i) r.box.include(boxes[order[i]]);
    return r;
  }

  void split(const Range& r, Range& left, Range& right, int depth) {
    Box spread;
    for (int i = r.first; i < r.last; ++i) spread.include(centres[order[i]]);
    double best_cost = kInfinity, best_at = 0;
    int best_axis = -1;
    for (int axis = 0; axis < 3 && depth < kDeep; ++axis) {
      const double lo = spread.lo[axis], extent = spread.hi[axis] - lo;
      if (!(extent > 0)) continue;
      std::array<Box, kBins> bins;
      std::array<int, kBins> counts{};
      for (int i = r.first; i < r.last; ++i) {
        const int b = bin(centres[order[i]][axis], lo, extent);
        bins[b].include(boxes[order[i]]);
        ++counts[b];
      }
      std::array<double, kBins> right_cost{};
      Box box;
      int count = 0;
      for (int b = kBins - 1; b > 0; --b) {
        box.include(bins[b]);
        count += counts[b];
        right_cost[b] = count ? box.area() * count : 0;
      }
      box = {};
      count = 0;
      for (int b = 0; b + 1 < kBins; ++b) {
        box.include(bins[b]);
        count += counts[b];
        if (count == 0 || count == r.size()) continue;
        const double cost = box.area() * count + right_cost[b + 1];
        if (cost < best_cost) best_cost = cost, best_axis = axis, best_at = b;
      }
    }
    int middle = (r.first + r.last) / 2;
    if (best_axis >= 0) {
      const double lo = spread.lo[best_axis], extent = spread.hi[best_axis] - lo;
      middle = static_cast<int>(
          std::stable_partition(
              order.begin() + r.first, order.begin() + r.last,
              [&](int i) { return bin(centres[i][best_axis], lo, extent) <= best_at; }) -
          order.begin());
    }
    left = range(r.first, middle);
    right = range(middle, r.last);
  }

  static int bin(double x, double lo, double extent) {
    const double at = (x - lo) / extent * kBins;
    return at < kBins - 1 ? static_cast<int>(at) : kBins - 1;
  }

  int32_t leaf(const Range& r) {
    const int first = static_cast<int>(mesh.stored_.size());
    for (int i = r.first; i < r.last; ++i)
      mesh.stored_.push_back({mesh.triangle(order[i]), order[i], false});
    return Mesh::leaf_code(first, r.size());
  }

  int32_t node(const Range& r, int depth = 0) {
    std::vector<Range> children{r};
    // Open the largest child until there are four.
    while (children.size() < 4) {
      int widest = -1;
      for (size_t i = 0; i < children.size(); ++i)
        if (children[i].size() > kLeaf &&
            (widest < 0 || children[i].box.area() > children[widest].box.area()))
          widest = static_cast<int>(i);
      if (widest < 0) break;
      Range left, right;
      split(children[widest], left, right, depth);
      children[widest] = left;
      children.push_back(right);
    }
    const auto index = static_cast<int32_t>(mesh.nodes_.size());
    mesh.nodes_.emplace_back();
    for (int i = 0; i < 4; ++i) {
      const bool used = i < static_cast<int>(children.size());
      for (int axis = 0; axis < 3; ++axis) {
        const double lo = used ? children[i].box.lo[axis] - mesh.centre_[axis] - pad : kInfinity;
        const double hi = used ? children[i].box.hi[axis] - mesh.centre_[axis] + pad : -kInfinity;
        mesh.nodes_[index].planes[axis][i] = static_cast<float>(lo);
        mesh.nodes_[index].planes[axis + 3][i] = static_cast<float>(hi);
      }
      mesh.nodes_[index].child[i] = Mesh::leaf_code(0, 0);
    }
    for (size_t i = 0; i < children.size(); ++i) {
      const int32_t child =
          children[i].size() <= kLeaf ? leaf(children[i]) : node(children[i], depth + 1);
      mesh.nodes_[index].child[i] = child;
    }
    return index;
  }
};

void Mesh::build_tree() {
  TreeBuilder builder{*this, {}, {}, {}, 0};
  const int n = triangle_count();
  builder.boxes.resize(n);
  builder.centres.resize(n);
  builder.order.resize(n);
  std::iota(builder.order.begin(), builder.order.end(), 0);
  for (int i = 0; i < n; ++i) {
    const Triangle t = triangle(i);
    builder.boxes[i].include(t.a);
    builder.boxes[i].include(t.b);
    builder.boxes[i].include(t.c);
    builder.centres[i] = builder.boxes[i].centre();
  }
  // The pad absorbs the float rounding of boxes and of the queries against them.
  const Vec3 half = box_.half();
  builder.pad = std::ldexp(std::max({half.x, half.y, half.z}), -20);
  builder.node(builder.range(0, n));
}

Mesh::FloatBox Mesh::centred(const Box& local) const {
  FloatBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = static_cast<float>(local.lo[axis] - centre_[axis]);
    box.hi[axis] = static_cast<float>(local.hi[axis] - centre_[axis]);
  }
  return box;
}

}  // namespace surefoot
