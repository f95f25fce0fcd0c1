#include "grid/rasterise.hpp"

#include <algorithm>
#include <array>

namespace surefoot::grid {
namespace {

// A convex polygon; each cut adds at most one corner to a triangle's three. Its numbers are set
// as corners come: this is made too often to clear it first.
struct Polygon {
  double at[3][8];  // x, y and z of the corners
  int count;

  Polygon() : count(0) {}
  explicit Polygon(const Triangle& t) : count(0) {
    for (const Vec3& p : {t.a, t.b, t.c}) push(p.x, p.y, p.z);
  }
  void push(double x, double y, double z) {
    at[0][count] = x, at[1][count] = y, at[2][count] = z;
    ++count;
  }
  void push(const Polygon& other, int k) { push(other.at[0][k], other.at[1][k], other.at[2][k]); }
  int after(int k) const { return k + 1 == count ? 0 : k + 1; }
  // Seen from above.
  double area() const {
    const double *x = at[0], *y = at[1];
    double twice = 0;
    for (int k = 2; k < count; ++k)
      twice += (x[k - 1] - x[0]) * (y[k] - y[0]) - (y[k - 1] - y[0]) * (x[k] - x[0]);
    return std::abs(twice) / 2;
  }
};

struct Extent {
  double low, high;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

template <int Axis>
Extent extent(const Polygon& polygon) {
  const double* at = polygon.at[Axis];
  Extent out{at[0], at[0]};
  for (int k = 1; k < polygon.count; ++k) out.include(at[k]);
  return out;
}

// Cuts the polygon at a plane across an axis.
template <int Axis>
void cut(const Polygon& in, double plane, Polygon& below, Polygon& above) {
  below.count = above.count = 0;
  const auto between = [&](int axis, int k, int next, double share) {
    return in.at[axis][k] + (in.at[axis][next] - in.at[axis][k]) * share;
  };
  for (int k = 0; k < in.count; ++k) {
    const int next = in.after(k);
    const double before = in.at[Axis][k] - plane, after = in.at[Axis][next] - plane;
    if (before <= 0) below.push(in, k);
    if (before >= 0) above.push(in, k);
    if ((before < 0 && after > 0) || (before > 0 && after < 0)) {
      const double share = before / (before - after);
      const double x = Axis == 0 ? plane : between(0, k, next, share);
      const double y = Axis == 1 ? plane : between(1, k, next, share);
      const double z = between(2, k, next, share);
      below.push(x, y, z);
      above.push(x, y, z);
    }
  }
}

class Cutter {
 public:
  Cutter(const Face& face, const Lattice& lattice, std::vector<Placed>& out)
      : face_(face), lattice_(lattice), out_(out), normal_(face.triangle.area_normal()) {
    const Triangle& t = face.triangle;
    x_ = {std::min({t.a.x, t.b.x, t.c.x}), std::max({t.a.x, t.b.x, t.c.x})};
    y_ = {std::min({t.a.y, t.b.y, t.c.y}), std::max({t.a.y, t.b.y, t.c.y})};
    z_ = {std::min({t.a.z, t.b.z, t.c.z}), std::max({t.a.z, t.b.z, t.c.z})};
  }

  void run() {
    const CellRange rows = cells_of(y_.low, y_.high, normal_.y);
    const CellRange columns = cells_of(x_.low, x_.high, normal_.x);
    const bool one_column = columns.first == columns.last && rows.first == rows.last;
    // Few small triangles need them, and divisions take long.
    if (normal_.z != 0 && (face_.ground || !one_column)) {
      slope_x_ = -normal_.x / normal_.z;
      slope_y_ = -normal_.y / normal_.z;
    }
    if (one_column) {
      const int i = columns.first, j = rows.first;
      add(i, j, z_, std::abs(normal_.z) / 2, under_centre(i, j));
      return;
    }
    const Polygon whole(face_.triangle);
    if (columns.first == columns.last) {
      sweep<1>(whole, rows, columns.first);
    } else if (rows.first == rows.last) {
      cut_row(whole, rows.first, columns);
    } else {
      each_part<1>(whole, rows, [&](const Polygon& row, int j) {
        const Extent x = extent<0>(row);
        cut_row(row, j, cells_of(x.low, x.high, normal_.x));
      });
    }
  }

 private:
  // Visits (part, cell) for the cells in line along an axis that a polygon reaches.
  template <int Axis, class Visit>
  static void each_part(const Polygon& polygon, CellRange cells, Visit visit) {
    Polygon part, rests[2];
    const Polygon* rest = &polygon;
    for (int cell = cells.first; cell < cells.last; ++cell) {
      Polygon* next = &rests[rest == &rests[0] ? 1 : 0];
      cut<Axis>(*rest, cell + 1.0, part, *next);
      if (part.count > 0) visit(part, cell);
      rest = next;
    }
    if (rest->count > 0) visit(*rest, cells.last);
  }

  // The columns of one row; those that the triangle covers wholly need no cutting.
  void cut_row(const Polygon& row, int j, CellRange columns) {
    const CellRange whole = covered(row, j, columns);
    if (whole.first > whole.last) {
      sweep<0>(row, columns, j);
      return;
    }
    Polygon left, middle, right;
    cut<0>(row, whole.first, left, middle);
    if (whole.first > columns.first) sweep<0>(left, {columns.first, whole.first - 1}, j);
    for (int i = whole.first; i <= whole.last; ++i) emit_whole(i, j);
    if (whole.last == columns.last) return;
    cut<0>(middle, whole.last + 1.0, left, right);
    sweep<0>(right, {whole.last + 1, columns.last}, j);
  }

  // A polygon over some cells in line along an axis, in row or column `other`.
  template <int Axis>
  void sweep(const Polygon& polygon, CellRange cells, int other) {
    const auto place = [&](int cell, const Extent& z, double area) {
      const int i = Axis == 0 ? cell : other, j = Axis == 0 ? other : cell;
      add(i, j, z, area, under_centre(i, j));
    };
    if (cells.first == cells.last) {
      place(cells.first, extent<2>(polygon), face_.ground ? polygon.area() : 0);
    } else if (face_.ground) {
      each_part<Axis>(polygon, cells, [&](const Polygon& part, int cell) {
        place(cell, extent<2>(part), part.area());
      });
    } else {
      sweep_heights<Axis>(polygon, cells, place);
    }
  }

  // Only the heights between two sides: of the corners there, and of where the sides are crossed.
  template <int Axis, class Place>
  void sweep_heights(const Polygon& polygon, CellRange cells, Place place) {
    constexpr Extent kNothing{kInfinity, -kInfinity};
    Extent before = kNothing;
    for (int cell = cells.first; cell <= cells.last; ++cell) {
      Extent z = before, side = kNothing;
      const double end = cell + 1.0;
      const bool last = cell == cells.last, first = cell == cells.first;
      for (int k = 0; k < polygon.count; ++k) {
        const double at = polygon.at[Axis][k], height = polygon.at[2][k];
        if ((first || at >= cell) && (last || at <= end))
          z = {std::min(z.low, height), std::max(z.high, height)};
        if (last) continue;
        const int next = polygon.after(k);
        const double to = polygon.at[Axis][next];
        if ((at < end && to > end) || (at > end && to < end))
          side.include(height + (polygon.at[2][next] - height) * ((end - at) / (to - at)));
      }
      if (side.low <= side.high) z = {std::min(z.low, side.low), std::max(z.high, side.high)};
      if (z.low <= z.high) place(cell, z, 0.0);
      before = side;
    }
  }

  // Columns of a row that the triangle covers wholly: between its sides where it enters the row
  // and where it leaves it. They need no cutting.
  CellRange covered(const Polygon& row, int j, CellRange columns) const {
    constexpr CellRange none{0, -1};
    if (columns.last - columns.first < 2 || normal_.z == 0) return none;
    double left[2] = {kInfinity, kInfinity}, right[2] = {-kInfinity, -kInfinity};
    for (int k = 0; k < row.count; ++k)
      for (int side = 0; side < 2; ++side)
        if (row.at[1][k] == j + side) {
          left[side] = std::min(left[side], row.at[0][k]);
          right[side] = std::max(right[side], row.at[0][k]);
        }
    const double from = std::max(left[0], left[1]), to = std::min(right[0], right[1]);
    if (!(from + 1 <= to)) return none;
    return {std::max(columns.first, ceil_cell(from)), std::min(columns.last, floor_cell(to) - 1)};
  }

  void emit_whole(int i, int j) {
    const Vec3& a = face_.triangle.a;
    const double corner = a.z + slope_x_ * (i - a.x) + slope_y_ * (j - a.y);
    const double low = corner + std::min(slope_x_, 0.0) + std::min(slope_y_, 0.0);
    const double high = corner + std::max(slope_x_, 0.0) + std::max(slope_y_, 0.0);
    add(i, j, {std::clamp(low, z_.low, z_.high), std::clamp(high, z_.low, z_.high)}, 1.0, true);
  }

  bool under_centre(int i, int j) const {
    const double x = i + 0.5, y = j + 0.5;
    return (face_.ground || face_.solid) && normal_.z != 0 && x >= x_.low && x <= x_.high &&
           y >= y_.low && y <= y_.high && vertical_line_crosses(x, y, face_.triangle);
  }

  void add(int i, int j, const Extent& z, double area, bool under_centre) {
    const CellRange levels = cells_of(z.low, z.high, normal_.z);
    Placed& placed = out_.emplace_back();
    placed.i = i, placed.j = j;
    Piece& piece = placed.piece;
    piece.low = static_cast<float>(lattice_.height(z.low));
    piece.high = static_cast<float>(lattice_.height(z.high));
    piece.lo = levels.first, piece.hi = levels.last;
    if (face_.ground) {
      piece.area = static_cast<float>(std::min(1.0, area));
      piece.upright = static_cast<float>(face_.upright);
      if (under_centre) {
        const Vec3& a = face_.triangle.a;
        const double centre = a.z + slope_x_ * (i + 0.5 - a.x) + slope_y_ * (j + 0.5 - a.y);
        piece.centre = static_cast<float>(lattice_.height(std::clamp(centre, z_.low, z_.high)));
      }
    }
    if (face_.solid && under_centre) piece.crossing = normal_.z > 0 ? 1 : -1;
  }

  const Face& face_;
  const Lattice& lattice_;
  std::vector<Placed>& out_;
  Vec3 normal_;  // in the lattice's units: only signs and slopes between them are used
  Extent x_, y_, z_;
  double slope_x_ = 0, slope_y_ = 0;
};

}  // namespace

void rasterise(const Face& face, const Lattice& lattice, std::vector<Placed>& out) {
  Cutter(face, lattice, out).run();
}

}  // namespace surefoot::grid
