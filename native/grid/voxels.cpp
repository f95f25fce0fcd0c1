#include "grid/voxels.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

namespace surefoot::grid {
namespace {

// Columns farther out than this are not counted.
constexpr double kFarthest = 1 << 29;

// Measured over worlds of many kinds; what a piece takes with its share of everything else.
constexpr double kBytesPerPiece = 170;

void sort_once(std::vector<int32_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

double cross_2d(Vec3 a, Vec3 b) { return a.x * b.y - a.y * b.x; }

std::string format(const char* text, double a, double b, double c) {
  char line[320];
  std::snprintf(line, sizeof line, text, a, b, c);
  return line;
}

}  // namespace

// --- bodies come and go --------------------------------------------------------------------------

void Voxels::put(std::span<const MeshBody> bodies, const Workers& workers) {
  check(bodies);
  std::vector<Body> made;
  made.reserve(bodies.size());
  // So many at a time that threads have enough to do and the pieces still fit into caches.
  constexpr int kBatch = 16384;
  while (made.size() < bodies.size()) {
    const size_t first = made.size();
    size_t count = 0;
    for (int triangles = 0; first + count < bodies.size() && triangles < kBatch; ++count)
      triangles += bodies[first + count].mesh->triangle_count();
    std::vector<size_t> starts;
    const auto chunks = cut(bodies.subspan(first, count), starts, workers);
    for (size_t b = 0; b < count; ++b) {
      const MeshBody& body = bodies[first + b];
      made.push_back(grouped({chunks.data() + starts[b], starts[b + 1] - starts[b]}, workers));
      made.back().id = body.id;
      made.back().solid = body.solid && body.mesh->has_solid_part();
      made.back().forbidden = body.forbidden;
    }
  }
  sorted_ = {};
  replace(std::move(made), {}, workers);
}

void Voxels::put(const CellBody& body, const Workers& workers) {
  std::vector<std::vector<Placed>> chunk(1);
  const double rise = lattice().rise;
  for (const auto& [i, j, level] : body.cells) {
    Piece piece{static_cast<float>(level * rise), static_cast<float>((level + 1.0) * rise), level,
                level};
    piece.area = 1;
    piece.centre = piece.high;
    chunk[0].push_back({i, j, piece});
  }
  std::vector<Body> made(1);
  made[0] = grouped(chunk, workers);
  made[0].id = body.id;
  made[0].forbidden = body.forbidden;
  replace(std::move(made), {}, workers);
}

void Voxels::remove(std::span<const int32_t> ids, const Workers& workers) {
  replace({}, ids, workers);
}

// From here on nothing may stop half-way: the columns and the bodies in them belong together.
void Voxels::replace(std::vector<Body> bodies, std::span<const int32_t> removed,
                     const Workers& workers) {
  Change change{++version_, {}, {}};
  for (const int32_t id : removed) detach(id, change.columns);
  for (Body& body : bodies) {
    detach(body.id, change.columns);
    attach(std::move(body), change.columns);
  }
  settle(change.columns);
  rebuild(change, {workers.threads, {}});
  logged_ += change.columns.size();
  log_.push_back(std::move(change));
  // Who is farther behind than half the world had better start again.
  while (logged_ > static_cast<size_t>(tiles_.columns()) / 2 && !log_.empty()) {
    oldest_ = log_.front().version;
    logged_ -= log_.front().columns.size();
    log_.pop_front();
  }
}

void Voxels::attach(Body body, std::vector<int32_t>& changed) {
  int32_t slot = static_cast<int32_t>(bodies_.size());
  if (free_slots_.empty()) {
    bodies_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  slots_[body.id] = slot;
  for (int32_t k = 0; k < static_cast<int32_t>(body.columns.size()); ++k) {
    Column& column = columns_[body.columns[k]];
    const Touch touch{slot, k, column.touch};
    if (free_touches_.empty()) {
      column.touch = static_cast<int32_t>(touches_.size());
      touches_.push_back(touch);
    } else {
      column.touch = free_touches_.back();
      free_touches_.pop_back();
      touches_[column.touch] = touch;
    }
  }
  note(body.columns, changed);
  piece_count_ += body.pieces;
  bodies_[slot] = std::move(body);
}

void Voxels::detach(int32_t id, std::vector<int32_t>& changed) {
  const auto found = slots_.find(id);
  if (found == slots_.end()) return;
  const int32_t slot = found->second;
  slots_.erase(found);
  Body& body = bodies_[slot];
  for (const int32_t column : body.columns) {
    int32_t* link = &columns_[column].touch;
    while (touches_[*link].slot != slot) link = &touches_[*link].next;
    free_touches_.push_back(*link);
    *link = touches_[*link].next;
  }
  note(body.columns, changed);
  piece_count_ -= body.pieces;
  body = {};
  free_slots_.push_back(slot);
}

void Voxels::note(const std::vector<int32_t>& columns, std::vector<int32_t>& changed) {
  for (const int32_t column : columns) {
    if (columns_[column].changed) continue;
    columns_[column].changed = 1;
    changed.push_back(column);
  }
}

// In order, which is cheaper to read off all columns when most of them changed.
void Voxels::settle(std::vector<int32_t>& changed) {
  if (changed.size() * 8 < columns_.size()) {
    std::sort(changed.begin(), changed.end());
  } else {
    changed.clear();
    for (size_t k = 0; k < columns_.size(); ++k)
      if (columns_[k].changed) changed.push_back(static_cast<int32_t>(k));
  }
  for (const int32_t column : changed) columns_[column].changed = 0;
}

// --- from triangles to pieces --------------------------------------------------------------------

double Voxels::estimate(std::span<const MeshBody> bodies, double cell) const {
  double pieces = 0;
  for (const MeshBody& body : bodies)
    for (int k = 0; k < body.mesh->triangle_count(); ++k) {
      const Triangle t = body.mesh->triangle(k);
      const Vec3 ab = body.frame.turn * (t.b - t.a), ac = body.frame.turn * (t.c - t.a);
      const double area = std::abs(cross_2d(ab, ac)) / 2;
      const double width = std::max({0.0, ab.x, ac.x}) - std::min({0.0, ab.x, ac.x});
      const double depth = std::max({0.0, ab.y, ac.y}) - std::min({0.0, ab.y, ac.y});
      // The columns inside, and those along the outline.
      pieces += area / (cell * cell) + (width + depth) / cell + 1;
    }
  return pieces * kBytesPerPiece;
}

void Voxels::check(std::span<const MeshBody> bodies) const {
  const Lattice& at = lattice();
  for (const MeshBody& body : bodies) {
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
      for (int k = work[w].first; k < work[w].last; ++k) {
        const Mesh::Face& at = body.mesh->face(k);
        const std::vector<Vec3>& all = corners[work[w].body];
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
Voxels::Body Voxels::grouped(std::span<const std::vector<Placed>> chunks, const Workers& workers) {
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

// --- from pieces to cells ------------------------------------------------------------------------

void Voxels::parts_of(int32_t column, std::vector<Part>& parts) const {
  parts.clear();
  for (int32_t t = columns_[column].touch; t >= 0; t = touches_[t].next) {
    parts.push_back(bodies_[touches_[t].slot].at(touches_[t].at));
  }
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.body < b.body; });
}

void Voxels::rebuild(Change& change, const Workers& workers) {
  constexpr size_t kChunk = 512;
  const std::vector<int32_t>& changed = change.columns;
  const size_t chunks = (changed.size() + kChunk - 1) / kChunk;
  std::vector<std::vector<Cell>> made(chunks);
  std::vector<int32_t> counts(changed.size());
  parallel_for(chunks, workers.threads, 1, workers.interrupt, [&](size_t from, size_t to) {
    ColumnBuilder builder(static_cast<float>(settings_.relief));
    std::vector<Part> parts;
    for (size_t c = from; c < to; ++c)
      for (size_t k = c * kChunk; k < std::min(changed.size(), (c + 1) * kChunk); ++k) {
        const size_t before = made[c].size();
        parts_of(changed[k], parts);
        builder.build(changed[k], parts, made[c]);
        counts[k] = static_cast<int32_t>(made[c].size() - before);
      }
  });

  for (size_t c = 0; c < chunks; ++c) {
    auto next = made[c].begin();
    for (size_t k = c * kChunk; k < std::min(changed.size(), (c + 1) * kChunk); ++k) {
      Column& column = columns_[changed[k]];
      live_ += counts[k] - column.count;
      for (int row = column.first; row < column.first + column.count; ++row) {
        cells_[row].column = -1;
        change.rows.push_back(row);
      }
      if (counts[k] > column.capacity) {
        if (column.capacity > 0) free_blocks_[column.capacity].push_back(column.first);
        column.first = room_for(counts[k]);
        column.capacity = counts[k];
      }
      column.count = counts[k];
      for (int row = column.first; row < column.first + column.count; ++row) {
        cells_[row] = *next++;
        change.rows.push_back(row);
      }
    }
  }
}

// Rows for the cells of a column: some that were given up, or new ones.
int32_t Voxels::room_for(int32_t count) {
  if (count >= static_cast<int32_t>(free_blocks_.size())) free_blocks_.resize(count + 1);
  if (!free_blocks_[count].empty()) {
    const int32_t first = free_blocks_[count].back();
    free_blocks_[count].pop_back();
    return first;
  }
  const auto first = static_cast<int32_t>(cells_.size());
  cells_.resize(cells_.size() + count);
  return first;
}

// --- questions -----------------------------------------------------------------------------------

size_t Voxels::bytes() const {
  size_t total = columns_.capacity() * sizeof(Column) + cells_.capacity() * sizeof(Cell) +
                 touches_.capacity() * sizeof(Touch);
  for (const Body& body : bodies_)
    total += body.runs.capacity() * sizeof(Run) + body.grounds.capacity() * sizeof(Ground) +
             3 * body.columns.capacity() * sizeof(int32_t);
  return total;
}

bool Voxels::changed_since(uint64_t version, std::vector<int32_t>& columns,
                           std::vector<int32_t>& rows) const {
  columns.clear();
  rows.clear();
  if (version < oldest_) return false;
  for (const Change& change : log_) {
    if (change.version <= version) continue;
    columns.insert(columns.end(), change.columns.begin(), change.columns.end());
    rows.insert(rows.end(), change.rows.begin(), change.rows.end());
  }
  sort_once(columns);
  sort_once(rows);
  return true;
}

int32_t Voxels::locate(Vec3 point, double up, double down) const {
  const Vec3 at = lattice().to_cells(point);
  if (!(std::abs(at.x) < kFarthest && std::abs(at.y) < kFarthest)) return -1;
  const int32_t column =
      tiles_.find(static_cast<int32_t>(std::floor(at.x)), static_cast<int32_t>(std::floor(at.y)));
  if (column < 0) return -1;
  const double z = point.z - lattice().origin.z;
  int32_t best = -1;
  double nearest = kInfinity;
  for (const Cell& cell : this->column(column)) {
    const double above = cell.top - z;
    if (above > up || above < -down || std::abs(above) >= nearest) continue;
    nearest = std::abs(above);
    best = static_cast<int32_t>(&cell - cells_.data());
  }
  return best;
}

}  // namespace surefoot::grid
