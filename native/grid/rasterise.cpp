#include "grid/rasterise.hpp"

#include <array>

namespace surefoot::grid {
namespace {

// A convex polygon; each cut adds at most one corner to a triangle's three.
struct Polygon {
  std::array<Vec3, 8> corners;
  int count = 0;

  void push(Vec3 p) { corners[count++] = p; }
  void extent(int axis, double& low, double& high) const {
    low = high = corners[0][axis];
    for (int k = 1; k < count; ++k) {
      low = std::min(low, corners[k][axis]);
      high = std::max(high, corners[k][axis]);
    }
  }
  // Seen from above.
  double area() const {
    double twice = 0;
    for (int k = 2; k < count; ++k) {
      const Vec3 p = corners[k - 1] - corners[0], q = corners[k] - corners[0];
      twice += p.x * q.y - p.y * q.x;
    }
    return std::abs(twice) / 2;
  }
};

// Cuts the polygon at a plane across an axis.
void cut(const Polygon& in, int axis, double at, Polygon& below, Polygon& above) {
  below.count = above.count = 0;
  for (int k = 0; k < in.count; ++k) {
    const Vec3 p = in.corners[k], q = in.corners[k + 1 == in.count ? 0 : k + 1];
    const double dp = p[axis] - at, dq = q[axis] - at;
    if (dp <= 0) below.push(p);
    if (dp >= 0) above.push(p);
    if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) {
      Vec3 crossing = p + (q - p) * (dp / (dp - dq));
      crossing[axis] = at;
      below.push(crossing);
      above.push(crossing);
    }
  }
}

class Cutter {
 public:
  Cutter(const Face& face, const Lattice& lattice, std::vector<Placed>& out)
      : face_(face), lattice_(lattice), out_(out), normal_(face.triangle.area_normal()) {
    const Triangle& t = face.triangle;
    lowest_ = std::min({t.a.z, t.b.z, t.c.z});
    highest_ = std::max({t.a.z, t.b.z, t.c.z});
    if (normal_.z == 0) return;
    slope_x_ = -normal_.x / normal_.z;
    slope_y_ = -normal_.y / normal_.z;
  }

  void run() {
    Polygon rest, row, next;
    rest.push(face_.triangle.a);
    rest.push(face_.triangle.b);
    rest.push(face_.triangle.c);
    double low, high;
    rest.extent(1, low, high);
    const CellRange rows = cells_of(low, high, normal_.y);
    for (int j = rows.first; j <= rows.last; ++j) {
      if (j == rows.last) {
        row = rest;
      } else {
        cut(rest, 1, j + 1.0, row, next);
        rest = next;
      }
      if (row.count > 0) cut_row(row, j);
    }
  }

 private:
  void cut_row(Polygon rest, int j) {
    double low, high;
    rest.extent(0, low, high);
    const CellRange columns = cells_of(low, high, normal_.x);
    const CellRange whole = covered(rest, j, columns);
    Polygon part, next;
    for (int i = columns.first; i <= columns.last; ++i) {
      if (i == whole.first) {
        for (; i <= whole.last; ++i) emit_whole(i, j);
        if (i > columns.last) return;
        cut(rest, 0, i, part, next);
        rest = next;
      }
      if (i == columns.last) {
        part = rest;
      } else {
        cut(rest, 0, i + 1.0, part, next);
        rest = next;
      }
      if (part.count > 0) emit(part, i, j);
    }
  }

  // Columns of a row that the triangle covers wholly: between its sides where it enters the row
  // and where it leaves it. They need no cutting.
  CellRange covered(const Polygon& row, int j, CellRange columns) const {
    constexpr CellRange none{std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};
    if (columns.last - columns.first < 2 || normal_.z == 0) return none;
    double left[2] = {kInfinity, kInfinity}, right[2] = {-kInfinity, -kInfinity};
    for (int k = 0; k < row.count; ++k)
      for (int side = 0; side < 2; ++side)
        if (row.corners[k].y == j + side) {
          left[side] = std::min(left[side], row.corners[k].x);
          right[side] = std::max(right[side], row.corners[k].x);
        }
    const double from = std::ceil(std::max(left[0], left[1]));
    const double to = std::floor(std::min(right[0], right[1])) - 1;
    if (!(from <= to)) return none;
    const CellRange whole{std::max(columns.first, static_cast<int>(from)),
                          std::min(columns.last, static_cast<int>(to))};
    return whole.first <= whole.last ? whole : none;
  }

  double plane(double x, double y) const {
    const Vec3& a = face_.triangle.a;
    return std::clamp(a.z + slope_x_ * (x - a.x) + slope_y_ * (y - a.y), lowest_, highest_);
  }

  void emit_whole(int i, int j) {
    const double corner = face_.triangle.a.z + slope_x_ * (i - face_.triangle.a.x) +
                          slope_y_ * (j - face_.triangle.a.y);
    const double low = corner + std::min(slope_x_, 0.0) + std::min(slope_y_, 0.0);
    const double high = corner + std::max(slope_x_, 0.0) + std::max(slope_y_, 0.0);
    add(i, j, std::clamp(low, lowest_, highest_), std::clamp(high, lowest_, highest_), 1.0, true);
  }

  void emit(const Polygon& part, int i, int j) {
    double low, high;
    part.extent(2, low, high);
    add(i, j, low, high, face_.ground ? std::min(1.0, part.area()) : 0.0,
        normal_.z != 0 && vertical_line_crosses(i + 0.5, j + 0.5, face_.triangle));
  }

  void add(int i, int j, double low, double high, double area, bool under_centre) {
    const CellRange levels = cells_of(low, high, normal_.z);
    Piece piece{static_cast<float>(lattice_.height(low)), static_cast<float>(lattice_.height(high)),
                levels.first, levels.last};
    if (face_.ground) {
      piece.area = static_cast<float>(area);
      piece.upright = static_cast<float>(face_.upright);
      if (under_centre) piece.centre = static_cast<float>(lattice_.height(plane(i + 0.5, j + 0.5)));
    }
    if (face_.solid && under_centre) piece.crossing = normal_.z > 0 ? 1 : -1;
    out_.push_back({i, j, piece});
  }

  const Face& face_;
  const Lattice& lattice_;
  std::vector<Placed>& out_;
  Vec3 normal_;  // in the lattice's units: only signs and slopes between them are used
  double lowest_, highest_, slope_x_ = 0, slope_y_ = 0;
};

}  // namespace

void rasterise(const Face& face, const Lattice& lattice, std::vector<Placed>& out) {
  Cutter(face, lattice, out).run();
}

}  // namespace surefoot::grid
