#include "topology/roadmap.hpp"

#include <numeric>
#include <unordered_map>

namespace surefoot::topology {
namespace {

constexpr double kSlack = 0.01;  // [m] between a sampled height and the surface
constexpr int kMostNeighbours = 12;

int root(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

bool touches(const Mesh& mesh, bool solid, const Frame& frame, const Shape& s, Vec3 foot) {
  const UprightCylinder c{foot.x, foot.y, s.radius, foot.z + s.step, foot.z + s.height};
  return mesh.surface_overlaps(frame, c) ||
         (solid && mesh.encloses(frame, {c.x, c.y, 0.5 * (c.bottom + c.top)}));
}

// Samples and connects, in world axes with the body leaning as it does.
struct Roadmap::Maker {
  const Mesh& mesh;
  bool solid;
  const Frame& frame;
  std::span<const Skill> skills;
  double spacing, inset;

  std::vector<Vec3> points{};  // in the world
  std::vector<Node> nodes{};
  std::unordered_map<int64_t, std::vector<int>> buckets{};

  int64_t bucket(int i, int j) const { return (static_cast<int64_t>(i) << 32) ^ (j & 0xffffffffL); }
  template <class Visitor>
  void around(Vec3 p, double radius, Visitor visitor) const {
    const int i0 = static_cast<int>(std::floor((p.x - radius) / spacing));
    const int i1 = static_cast<int>(std::floor((p.x + radius) / spacing));
    const int j0 = static_cast<int>(std::floor((p.y - radius) / spacing));
    const int j1 = static_cast<int>(std::floor((p.y + radius) / spacing));
    for (int i = i0; i <= i1; ++i)
      for (int j = j0; j <= j1; ++j)
        if (const auto found = buckets.find(bucket(i, j)); found != buckets.end())
          for (int node : found->second) visitor(node);
  }

  // The surface within `band` above or below, if it is not too steep; the cosine of its slope.
  double ground(Vec3 p, double band, double& height) const {
    const MeshHit hit = mesh.ray(frame, p + Vec3{0, 0, band}, {0, 0, -1}, 2 * band);
    if (hit.triangle < 0) return -1;
    height = p.z + band - hit.distance;
    const Vec3 normal = frame.turn * hit.normal;
    return std::abs(normal.z) / length(normal);
  }

  uint8_t free_skills(Vec3 foot, double cosine, uint8_t among) const {
    uint8_t out = 0;
    for (size_t k = 0; k < skills.size(); ++k)
      if ((among >> k & 1) && cosine >= std::cos(skills[k].max_slope) - 1e-9 &&
          !touches(mesh, solid, frame, skills[k].shape, foot))
        out |= static_cast<uint8_t>(1u << k);
    return out;
  }

  void consider(Vec3 p, double apart, bool border) {
    bool taken = false;
    around(p, apart, [&](int other) {
      const Vec3 d = points[other] - p;
      taken = taken || (std::hypot(d.x, d.y) < apart && std::abs(d.z) < 2 * kSlack + 0.5 * apart);
    });
    if (taken) return;
    double height;
    const double cosine = ground(p, kSlack, height);
    if (cosine < 0) return;
    p.z = height;
    // What is to be stood on goes on all around.
    const double slope = std::max(1 / std::max(cosine, 0.2), 1.0);
    for (int k = 0; k < 8; ++k) {
      const double angle = k * 0.78539816339744831;
      double other;
      if (ground({p.x + inset * std::cos(angle), p.y + inset * std::sin(angle), p.z},
                 slope * inset + skills[0].shape.step + kSlack, other) < 0)
        return;
    }
    const auto all = static_cast<uint8_t>((1u << skills.size()) - 1);
    const uint8_t free = free_skills(p, cosine, all);
    if (!free) return;
    const int i = static_cast<int>(std::floor(p.x / spacing));
    const int j = static_cast<int>(std::floor(p.y / spacing));
    buckets[bucket(i, j)].push_back(static_cast<int>(nodes.size()));
    points.push_back(p);
    nodes.push_back({frame.unapply(p), free, border, -1});
  }

  bool walkable(const Triangle& t, int index) const {
    const Vec3 n = t.area_normal();
    double up = n.z / length(n);
    if (!mesh.closed()[index]) up = std::abs(up);
    double steepest = 0;
    for (const Skill& s : skills) steepest = std::max(steepest, s.max_slope);
    return up >= std::cos(steepest) - 1e-9;
  }

  void sample() {
    std::vector<Triangle> ground;
    for (int i = 0; i < mesh.triangle_count(); ++i) {
      const Triangle own = mesh.triangle(i);
      const Triangle t{frame.apply(own.a), frame.apply(own.b), frame.apply(own.c)};
      if (walkable(t, i)) ground.push_back(t);
    }
    // Along edges first, for that is where jumps begin and end; then all over.
    for (const Triangle& t : ground) {
      const Vec3 middle = (t.a + t.b + t.c) * (1.0 / 3);
      for (const auto& [a, b] : {std::pair{t.a, t.b}, {t.b, t.c}, {t.c, t.a}}) {
        const Vec3 along = b - a;
        const double run = length(along);
        Vec3 in = middle - a;
        in = in - along * (dot(in, along) / (run * run));
        in = in * (1.02 * inset / std::max(length(in), 1e-12));
        // Corners are cut by as much as edges are.
        const double cut = std::min(1.02 * inset, 0.5 * run);
        const int count = std::max(1, static_cast<int>(std::ceil((run - 2 * cut) / spacing)));
        for (int k = 0; k <= count; ++k)
          consider(a + along * ((cut + (run - 2 * cut) * k / count) / run) + in, 0.6 * spacing,
                   true);
      }
    }
    for (const Triangle& t : ground) {
      Box box;
      box.include(t.a), box.include(t.b), box.include(t.c);
      // Points of one lattice, the same ones in every triangle.
      const auto i0 = static_cast<int64_t>(std::ceil(box.lo.x / spacing));
      const auto i1 = static_cast<int64_t>(std::floor(box.hi.x / spacing));
      const auto j0 = static_cast<int64_t>(std::ceil(box.lo.y / spacing));
      const auto j1 = static_cast<int64_t>(std::floor(box.hi.y / spacing));
      for (int64_t i = i0; i <= i1; ++i)
        for (int64_t j = j0; j <= j1; ++j) {
          const double x = spacing * static_cast<double>(i), y = spacing * static_cast<double>(j);
          if (vertical_line_crosses(x, y, t))
            consider({x, y, plane_height(x, y, t)}, 0.6 * spacing, false);
        }
    }
  }

  // Which skills can go straight from one to the other.
  uint8_t connected(int a, int b) const {
    uint8_t skills_left = nodes[a].skills & nodes[b].skills;
    const Vec3 from = points[a], along = points[b] - from;
    const double run = std::hypot(along.x, along.y);
    const double stride = std::min(0.5 * skills[0].shape.radius, 0.1);
    const int count = std::max(2, static_cast<int>(std::ceil(run / stride)));
    double last = from.z;
    for (int k = 1; k < count && skills_left; ++k) {
      const Vec3 p = from + along * (static_cast<double>(k) / count);
      double height;
      const double band = skills[0].shape.step + kSlack;
      const double cosine = ground({p.x, p.y, last}, std::max(band, run / count), height);
      if (cosine < 0) return 0;
      // A straight line lies on the surface: only steps that are taken in passing leave it.
      if (std::abs(height - p.z) > band) return 0;
      last = height;
      // Risers of a step are steep for the width of a hair: slopes count where one stands.
      skills_left = free_skills({p.x, p.y, height}, 1.0, skills_left);
    }
    return skills_left;
  }
};

Roadmap::Roadmap(const Mesh& mesh, bool solid, const Frame& frame, std::span<const Skill> skills,
                 const Sampling& sampling) {
  double area = 0;
  for (int i = 0; i < mesh.triangle_count(); ++i)
    area += 0.5 * std::max(0.0, (frame.turn * mesh.triangle(i).area_normal()).z);
  spacing_ = std::max(sampling.spacing, std::sqrt(area / sampling.most));
  Maker maker{mesh, solid, frame, skills, spacing_, sampling.inset};
  maker.sample();
  nodes_ = std::move(maker.nodes);
  maker.nodes = nodes_;

  const int n = static_cast<int>(nodes_.size());
  std::vector<std::vector<Edge>> lists(n);
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  for (int a = 0; a < n; ++a) {
    std::vector<std::pair<double, int>> near;
    const double radius = 1.75 * spacing_;
    maker.around(maker.points[a], radius, [&](int b) {
      const double away = length(maker.points[b] - maker.points[a]);
      if (b != a && away <= radius) near.emplace_back(away, b);
    });
    std::sort(near.begin(), near.end());
    if (near.size() > kMostNeighbours) near.resize(kMostNeighbours);
    for (const auto& [away, b] : near) {
      const bool known = std::any_of(lists[a].begin(), lists[a].end(),
                                     [b = b](const Edge& e) { return e.to == b; });
      if (known) continue;
      const uint8_t shared = maker.connected(a, b);
      if (!shared) continue;
      lists[a].push_back({b, away, shared, edge_count_});
      lists[b].push_back({a, away, shared, edge_count_++});
      parent[root(parent, a)] = root(parent, b);
    }
  }
  first_.push_back(0);
  for (auto& list : lists) {
    std::sort(list.begin(), list.end(), [](const Edge& a, const Edge& b) { return a.to < b.to; });
    edges_.insert(edges_.end(), list.begin(), list.end());
    first_.push_back(static_cast<int>(edges_.size()));
  }

  // Connected parts, the largest first.
  std::unordered_map<int, int> part;
  for (int i = 0; i < n; ++i) {
    const auto [at, fresh] = part.emplace(root(parent, i), static_cast<int>(surfaces_.size()));
    if (fresh) surfaces_.emplace_back();
    surfaces_[at->second].push_back(i);
  }
  std::stable_sort(surfaces_.begin(), surfaces_.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (size_t s = 0; s < surfaces_.size(); ++s) {
    std::stable_partition(surfaces_[s].begin(), surfaces_[s].end(),
                          [&](int i) { return nodes_[i].border; });
    Box box;
    int border = 0;
    for (int i : surfaces_[s]) {
      nodes_[i].surface = static_cast<int>(s);
      box.include(nodes_[i].position);
      border += nodes_[i].border;
    }
    boxes_.push_back(box);
    borders_.push_back(border);
  }
  index_nodes();
}

void Roadmap::index_nodes() {
  if (nodes_.empty()) return;
  Box box;
  for (const Node& node : nodes_) box.include(node.position);
  low_ = box.lo;
  cell_ = std::max(spacing_, 1e-3);
  columns_ = static_cast<int>((box.hi.x - box.lo.x) / cell_) + 1;
  rows_ = static_cast<int>((box.hi.y - box.lo.y) / cell_) + 1;
  cell_first_.assign(columns_ * rows_ + 1, 0);
  const auto at = [&](const Node& node) {
    const auto [i, j] = cell(node.position.x, node.position.y);
    return j * columns_ + i;
  };
  for (const Node& node : nodes_) ++cell_first_[at(node) + 1];
  std::partial_sum(cell_first_.begin(), cell_first_.end(), cell_first_.begin());
  std::vector<int> next(cell_first_.begin(), cell_first_.end() - 1);
  cell_nodes_.resize(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i)
    cell_nodes_[next[at(nodes_[i])]++] = static_cast<int>(i);
}

}  // namespace surefoot::topology
