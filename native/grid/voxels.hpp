// A world cut into cells: which slices of which columns are occupied, and the surface cells on
// top of them. Bodies come, move and go at a cost in proportion to themselves.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>

#include "geometry/mesh.hpp"
#include "geometry/parallel.hpp"
#include "grid/column.hpp"
#include "grid/tiles.hpp"

namespace surefoot::grid {

// What cannot be cut into cells; becomes surefoot.errors.ProblemError in Python.
struct GridError : InputError {
  using InputError::InputError;
};

struct Workers {
  int threads = 1;
  Interrupt interrupt;
};

struct VoxelSettings {
  Lattice lattice;
  double max_slope = 0.61;      // [rad] steeper faces are no ground
  double relief = 0.2;          // [m] unevenness inside one cell that still is ground
  double memory_limit = 2.0e9;  // [bytes] about; more is refused beforehand
};

// A body as a mesh somewhere.
struct MeshBody {
  int32_t id;
  std::shared_ptr<const Mesh> mesh;
  Frame frame;
  bool solid, forbidden;
};

// A body that fills whole cells.
struct CellBody {
  int32_t id;
  std::span<const std::array<int32_t, 3>> cells;
  bool forbidden;
};

class Voxels {
 public:
  explicit Voxels(const VoxelSettings& settings);

  const Lattice& lattice() const { return settings_.lattice; }
  const VoxelSettings& settings() const { return settings_; }

  // Bodies come, or move when their id is there already.
  void put(std::span<const MeshBody> bodies, const Workers& workers);
  void put(const CellBody& body, const Workers& workers);
  void remove(std::span<const int32_t> ids, const Workers& workers);
  // Bytes that bodies would need, about.
  double estimate(std::span<const MeshBody> bodies, double cell) const;

  const Tiles& tiles() const { return tiles_; }
  // Rows of cells, some of which may hold none. The cells of a column are side by side, the
  // lowest first.
  const std::vector<Cell>& cells() const { return cells_; }
  std::span<const Cell> column(int32_t id) const {
    if (id < 0) return {};
    return {cells_.data() + columns_[id].first, static_cast<size_t>(columns_[id].count)};
  }
  // The rows of a column's cells.
  struct Rows {
    int32_t first = 0, count = 0;
  };
  Rows rows(int32_t column) const {
    if (column < 0) return {};
    return {columns_[column].first, columns_[column].count};
  }
  int32_t live() const { return live_; }
  int32_t pieces() const { return piece_count_; }
  size_t bytes() const;

  // A cell's centre on its ground.
  Vec3 position(int32_t cell) const {
    if (cells_[cell].column < 0) return {};
    const ColumnPlace at = tiles_.place(cells_[cell].column);
    const Lattice& l = lattice();
    return {l.origin.x + (at.i + 0.5) * l.cell, l.origin.y + (at.j + 0.5) * l.cell,
            l.origin.z + cells_[cell].ground};
  }

  // Counts changes. `changed_since` gives the columns of all later ones and the rows that held or
  // hold their cells, each once; false when that was too long ago to be known.
  uint64_t version() const { return version_; }
  bool changed_since(uint64_t version, std::vector<int32_t>& columns,
                     std::vector<int32_t>& rows) const;

  // The cell under or about each point whose top is nearest in height, or -1.
  int32_t locate(Vec3 point, double up, double down) const;

 private:
  // What one body puts into the columns that it touches.
  struct Body {
    int32_t id = -1;
    bool solid = false, forbidden = false;
    int32_t pieces = 0;
    std::vector<int32_t> columns, first_run, first_ground;
    std::vector<Run> runs;
    std::vector<Ground> grounds;

    Part at(int32_t k) const {
      const auto part = [k](const auto& all, const std::vector<int32_t>& first) {
        return std::span(all.data() + first[k], static_cast<size_t>(first[k + 1] - first[k]));
      };
      return {id, solid, forbidden, part(runs, first_run), part(grounds, first_ground)};
    }
  };
  struct Column {
    int32_t first = 0, count = 0;
    int32_t capacity : 31 = 0;
    uint32_t changed : 1 = 0;  // noted as such
    int32_t touch = -1;        // the first of the bodies in it
  };
  // A body in a column, as a link of the column's list.
  struct Touch {
    int32_t slot, at, next;
  };
  struct Change {
    uint64_t version;
    std::vector<int32_t> columns, rows;
  };

  void check(std::span<const MeshBody> bodies) const;
  std::vector<std::vector<Placed>> cut(std::span<const MeshBody> bodies,
                                       std::vector<size_t>& chunk_starts,
                                       const Workers& workers) const;
  Body grouped(std::span<std::vector<Placed>> chunks, const Workers& workers);
  void merge_columns(Body& body, const std::vector<int32_t>& starts, const Workers& workers) const;
  void replace(std::vector<Body> bodies, std::span<const int32_t> removed, const Workers& workers);
  void attach(Body body, std::vector<int32_t>& changed);
  void detach(int32_t id, std::vector<int32_t>& changed);
  void note(const std::vector<int32_t>& columns, std::vector<int32_t>& changed);
  void settle(std::vector<int32_t>& changed);
  void rebuild(Change& change, const Workers& workers);
  void parts_of(int32_t column, std::vector<Part>& parts) const;
  int32_t room_for(int32_t count);

  VoxelSettings settings_;
  Tiles tiles_;
  std::vector<Column> columns_;
  std::vector<Cell> cells_;
  std::vector<Touch> touches_;
  std::vector<int32_t> free_touches_, free_slots_, tile_rank_;
  std::vector<Piece> sorted_;                      // kept while bodies are put
  std::vector<std::vector<int32_t>> free_blocks_;  // by size
  std::vector<Body> bodies_;
  std::unordered_map<int32_t, int32_t> slots_;  // by id
  std::deque<Change> log_;
  size_t logged_ = 0;
  uint64_t version_ = 0, oldest_ = 0;
  int32_t live_ = 0, piece_count_ = 0;
};

}  // namespace surefoot::grid
