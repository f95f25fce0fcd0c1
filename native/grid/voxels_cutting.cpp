#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "grid/voxels.hpp"

// From meshes to what bodies put into columns.

namespace surefoot::grid {
namespace {

// Measured at the peak, over worlds of many kinds.
constexpr double kBytesPerPiece = 230;
// The columns of a tile are there as soon as something stands in one of them.
constexpr double kBytesPerTile = 24.0 * Tiles::kColumns;

// Columns that a triangle between two edges is in, about: those inside, and those along its
// outline.
double pieces_of(const Vec3& ab, const Vec3& ac, double per_cell) {
  const double area = std::abs(ab.x * ac.y - ab.y * ac.x) / 2;
  const double width = std::max({0.0, ab.x, ac.x}) - std::min({0.0, ab.x, ac.x});
  const double depth = std::max({0.0, ab.y, ac.y}) - std::min({0.0, ab.y, ac.y});
  return area * per_cell * per_cell + (width + depth) * per_cell + 1;
}

// The box around a box that is turned and moved.
Box placed(const Box& box, const Frame& frame) {
  Box out;
  for (int corner = 0; corner < 8; ++corner)
    out.include(frame.apply({corner & 1 ? box.hi.x : box.lo.x, corner & 2 ? box.hi.y : box.lo.y,
                             corner & 4 ? box.hi.z : box.lo.z}));
  return out;
}

std::string format(const char* text, double a, double b, double c) {
  char line[320];
  std::snprintf(line, sizeof line, text, a, b, c);
  return line;
}

}  // namespace

double Voxels::estimate(std::span<const MeshBody> bodies, double cell) const {
  // Tiles under a box: no more than that many hold something, however small its triangles are.
  const double per_tile = 1 / (cell * Tiles::kSide);
  const auto tiles_under = [per_tile](const Box& box) {
    return ((box.hi.x - box.lo.x) * per_tile + 2) * ((box.hi.y - box.lo.y) * per_tile + 2);
  };
  double pieces = 0, tiles = 0;
  Box all;
  for (const MeshBody& body : bodies) {
    const int count = body.mesh->triangle_count();
    if (count == 0) continue;
    const Box box = placed(body.mesh->box(), body.frame);
    all.include(box);
    const double most = tiles_under(box);
    // Few large triangles, or many in a small box: either way not so many tiles.
    const bool scattered = most > kBytesPerPiece / kBytesPerTile * count;
    double in_triangles = 0;
    for (int k = 0; k < count; ++k) {
      const Triangle t = body.mesh->triangle(k);
      const Vec3 ab = body.frame.turn * (t.b - t.a), ac = body.frame.turn * (t.c - t.a);
      pieces += pieces_of(ab, ac, 1 / cell);
      if (scattered) in_triangles += pieces_of(ab, ac, per_tile);
    }
    tiles += scattered ? std::min(in_triangles, most) : most;
  }
  if (tiles > 0) tiles = std::min(tiles, tiles_under(all));
  return pieces * kBytesPerPiece + tiles * kBytesPerTile;
}

void Voxels::check(std::span<const MeshBody> bodies) const {
  const Lattice& at = lattice();
  for (const MeshBody& body : bodies) {
    require<GridError>(body.id >= 0, "id is ", body.id, "; ids are 0 or above");
    require<GridError>(body.mesh != nullptr, "a body needs a mesh");
    for (const Vec3& row : body.frame.turn.rows)
      if (!(std::abs(dot(row, row) - 1) < 1e-3))
        refuse<GridError>("the rotation of body ", body.id, " is no unit quaternion");
    const Box& box = body.mesh->box();
    const Vec3 centre = body.frame.apply(box.centre()) - at.origin, half = box.half();
    const double reach = std::sqrt(dot(half, half));
    const double farthest =
        std::max({(std::abs(centre.x) + reach) / at.cell, (std::abs(centre.y) + reach) / at.cell,
                  (std::abs(centre.z) + reach) / at.rise});
    if (!(farthest < kFarthest))
      throw GridError(
          format("a body reaches %.3g cells from the origin, farther than %.3g can be counted; "
                 "a cell of %.3g m fits",
                 farthest, kFarthest, at.cell * farthest / kFarthest * 1.01));
  }
  const double limit = settings_.memory_limit - static_cast<double>(bytes());
  if (estimate(bodies, at.cell) <= limit) return;
  double small = at.cell, large = at.cell;
  while (estimate(bodies, large) > limit && large < 1e9) large *= 2;
  for (int k = 0; k < 20; ++k) {
    const double middle = (small + large) / 2;
    (estimate(bodies, middle) > limit ? small : large) = middle;
  }
  throw GridError(
      format("cells of %.3g m would take about %.3g MB, more than the limit", at.cell,
             estimate(bodies, at.cell) / 1e6, 0) +
      format(" of %.3g MB; cells of %.3g m fit", settings_.memory_limit / 1e6, large * 1.005, 0));
}

// Triangles in chunks of a fixed size, whoever works on them: the order of pieces is always the
// same.
std::vector<std::vector<Placed>> Voxels::cut(std::span<const MeshBody> bodies,
                                             std::vector<size_t>& chunk_starts,
                                             const Workers& workers) const {
  constexpr int kChunk = 256;
  struct Work {
    size_t body;
    int first, last;
  };
  std::vector<Work> work;
  for (size_t b = 0; b < bodies.size(); ++b) {
    chunk_starts.push_back(work.size());
    const int count = bodies[b].mesh->triangle_count();
    for (int first = 0; first < count; first += kChunk)
      work.push_back({b, first, std::min(count, first + kChunk)});
  }
  chunk_starts.push_back(work.size());

  // Corners first: most of them belong to several triangles.
  std::vector<std::vector<Vec3>> corners(bodies.size());
  for (size_t b = 0; b < bodies.size(); ++b) {
    const std::vector<Vec3>& own = bodies[b].mesh->vertices();
    corners[b].resize(own.size());
    parallel_for(own.size(), workers.threads, 8192, workers.interrupt, [&](size_t from, size_t to) {
      for (size_t k = from; k < to; ++k)
        corners[b][k] = lattice().to_cells(bodies[b].frame.apply(own[k]));
    });
  }

  const double gentle = std::cos(settings_.max_slope) - 1e-9;
  // In metres a slope is this many times what it is in cells and slices.
  const double steeper = lattice().rise / lattice().cell;
  std::vector<std::vector<Placed>> chunks(work.size());
  parallel_for(work.size(), workers.threads, 1, workers.interrupt, [&](size_t from, size_t to) {
    for (size_t w = from; w < to; ++w) {
      const MeshBody& body = bodies[work[w].body];
      const std::vector<Vec3>& all = corners[work[w].body];
      double expected = 0;
      for (int k = work[w].first; k < work[w].last; ++k) {
        const Mesh::Face& at = body.mesh->face(k);
        expected += pieces_of(all[at[1]] - all[at[0]], all[at[2]] - all[at[0]], 1);
      }
      chunks[w].reserve(static_cast<size_t>(expected));
      for (int k = work[w].first; k < work[w].last; ++k) {
        const Mesh::Face& at = body.mesh->face(k);
        Face face;
        face.triangle = {all[at[0]], all[at[1]], all[at[2]]};
        // An open sheet can be stood on whichever way it looks; a closed part only from outside.
        const Vec3 normal = face.triangle.area_normal();
        const double x = normal.x * steeper, y = normal.y * steeper;
        const double up = body.mesh->closed()[k] ? normal.z : std::abs(normal.z);
        const double size = std::sqrt(x * x + y * y + normal.z * normal.z);
        face.ground = size > 0 && up >= gentle * size;
        if (face.ground) face.upright = up / size;
        face.solid = body.solid && body.mesh->bounds_solid()[k];
        rasterise(face, lattice(), chunks[w]);
      }
    }
  });
  return chunks;
}

// A counting sort by column, over the tiles that the body touches; then what is in one column is
// merged.
Voxels::Body Voxels::grouped(std::span<std::vector<Placed>> chunks, const Workers& workers) {
  Body body;
  std::vector<int32_t> touched;  // tiles
  size_t count = 0;
  for (const auto& chunk : chunks) count += chunk.size();
  std::vector<int32_t> where;
  where.reserve(count);
  ColumnPlace last{INT32_MAX, INT32_MAX};  // tile
  int32_t rank = 0;
  for (const auto& chunk : chunks)
    for (const Placed& p : chunk) {
      if (p.i >> Tiles::kBits != last.i || p.j >> Tiles::kBits != last.j) {
        last = {p.i >> Tiles::kBits, p.j >> Tiles::kBits};
        const int32_t tile = tiles_.find_or_make(p.i, p.j) / Tiles::kColumns;
        if (tile >= static_cast<int32_t>(tile_rank_.size())) tile_rank_.resize(tile + 1, -1);
        if (tile_rank_[tile] < 0) {
          tile_rank_[tile] = static_cast<int32_t>(touched.size());
          touched.push_back(tile);
        }
        rank = tile_rank_[tile];
      }
      where.push_back(rank * Tiles::kColumns + Tiles::local(p.i, p.j));
    }
  columns_.resize(tiles_.columns());
  for (const int32_t tile : touched) tile_rank_[tile] = -1;

  std::vector<int32_t> next(touched.size() * Tiles::kColumns, 0);
  for (const int32_t w : where) ++next[w];
  std::vector<int32_t> starts;
  int32_t total = 0;
  for (size_t w = 0; w < next.size(); ++w) {
    if (next[w] == 0) continue;
    body.columns.push_back(touched[w / Tiles::kColumns] * Tiles::kColumns +
                           static_cast<int32_t>(w % Tiles::kColumns));
    starts.push_back(total);
    total += std::exchange(next[w], total);
  }
  starts.push_back(total);
  if (sorted_.size() < count) sorted_.resize(count);
  size_t k = 0;
  for (const auto& chunk : chunks)
    for (const Placed& p : chunk) sorted_[next[where[k++]]++] = p.piece;
  for (auto& chunk : chunks) chunk = {};
  merge_columns(body, starts, workers);
  return body;
}

void Voxels::merge_columns(Body& body, const std::vector<int32_t>& starts,
                           const Workers& workers) const {
  constexpr size_t kChunk = 1024;
  struct Merged {
    std::vector<Run> runs;
    std::vector<Ground> grounds;
  };
  const size_t columns = body.columns.size();
  body.pieces = starts.back();
  body.first_run.resize(columns + 1);
  body.first_ground.resize(columns + 1);
  std::vector<Merged> merged((columns + kChunk - 1) / kChunk);
  parallel_for(merged.size(), workers.threads, 1, {}, [&](size_t from, size_t to) {
    for (size_t c = from; c < to; ++c)
      for (size_t k = c * kChunk; k < std::min(columns, (c + 1) * kChunk); ++k) {
        Merged& m = merged[c];
        body.first_run[k] = static_cast<int32_t>(m.runs.size());
        body.first_ground[k] = static_cast<int32_t>(m.grounds.size());
        merge_pieces(std::span(sorted_).subspan(starts[k], starts[k + 1] - starts[k]), m.runs,
                     m.grounds);
      }
  });
  if (merged.size() == 1) {
    body.runs = std::move(merged[0].runs);
    body.grounds = std::move(merged[0].grounds);
    body.runs.shrink_to_fit();
    body.grounds.shrink_to_fit();
  } else {
    size_t runs = 0, grounds = 0;
    for (const Merged& m : merged) runs += m.runs.size(), grounds += m.grounds.size();
    body.runs.reserve(runs);
    body.grounds.reserve(grounds);
    for (size_t c = 0; c < merged.size(); ++c) {
      for (size_t k = c * kChunk; k < std::min(columns, (c + 1) * kChunk); ++k) {
        body.first_run[k] += static_cast<int32_t>(body.runs.size());
        body.first_ground[k] += static_cast<int32_t>(body.grounds.size());
      }
      body.runs.insert(body.runs.end(), merged[c].runs.begin(), merged[c].runs.end());
      body.grounds.insert(body.grounds.end(), merged[c].grounds.begin(), merged[c].grounds.end());
    }
  }
  body.first_run[columns] = static_cast<int32_t>(body.runs.size());
  body.first_ground[columns] = static_cast<int32_t>(body.grounds.size());
}

}  // namespace surefoot::grid
