#include "grid/voxels.hpp"

#include <algorithm>

#include "geometry/checks.hpp"

namespace surefoot::grid {
namespace {

void sort_once(std::vector<int32_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

Voxels::Voxels(const VoxelSettings& settings) : settings_(settings) {
  const Lattice& l = settings.lattice;
  check_number<GridError>(l.cell, "cell", kMinCell, kMaxSize);
  check_number<GridError>(l.rise, "rise", kMinCell, kMaxSize);
  check_position<GridError>(l.origin, "origin");
  check_number<GridError>(settings.max_slope, "max_slope", 0, 1.6);
  check_size<GridError>(settings.relief, "relief");
  check_number<GridError>(settings.memory_limit, "memory_limit", 0, kInfinity);
}

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
    auto chunks = cut(bodies.subspan(first, count), starts, workers);
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
  require<GridError>(body.id >= 0, "id is ", body.id, "; ids are 0 or above");
  for (size_t k = 0; k < body.cells.size(); ++k)
    for (const int32_t at : body.cells[k])
      if (at < -kFarthest || at > kFarthest)
        refuse<GridError>(entry("cells", k), " has the number ", at, "; numbers may be ", kFarthest,
                          " from zero at most");
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
  if (body.columns.size() > touches_.size())
    touches_.reserve(touches_.size() + body.columns.size());
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

// --- from pieces to cells ------------------------------------------------------------------------

void Voxels::parts_of(int32_t column, std::vector<Part>& parts) const {
  parts.clear();
  for (int32_t t = columns_[column].touch; t >= 0; t = touches_[t].next) {
    parts.push_back(bodies_[touches_[t].slot].at(touches_[t].at));
  }
  if (parts.size() < 2) return;
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

  size_t total = 0;
  for (const std::vector<Cell>& chunk : made) total += chunk.size();
  if (total > cells_.size()) cells_.reserve(cells_.size() + total);
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
                 touches_.capacity() * sizeof(Touch) + tiles_.bytes();
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
