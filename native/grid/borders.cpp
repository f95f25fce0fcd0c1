#include "grid/borders.hpp"

#include <algorithm>
#include <numeric>

#include "grid/spread.hpp"

namespace surefoot::grid {

Borders::Borders(std::shared_ptr<const Moves> moves, const BorderSettings& settings,
                 const Workers& workers)
    : moves_(std::move(moves)), settings_(settings) {
  require<GridError>(moves_ != nullptr, "borders need moves");
  check_number<GridError>(settings.layers, "layers", 0, 254);
  std::vector<int32_t> all(moves_->voxels().tiles().columns());
  std::iota(all.begin(), all.end(), 0);
  make(all, workers);
  version_ = moves_->voxels().version();
}

size_t Borders::update(const Workers& workers) {
  if (!moves_->current()) throw GridError("the moves are behind their voxels; update them first");
  if (current()) return 0;
  const Voxels& voxels = moves_->voxels();
  std::vector<int32_t> columns, rows;
  if (voxels.changed_since(version_, columns, rows)) {
    // The moves that changed start within reach and a column more; each layer looks once more as
    // far as moves reach.
    const int far = moves_->reach() + 1 + settings_.layers * moves_->reach();
    columns = spread(voxels.tiles(), columns, far);
  } else {
    columns.resize(voxels.tiles().columns());
    std::iota(columns.begin(), columns.end(), 0);
  }
  make(columns, {workers.threads, {}});
  version_ = voxels.version();
  size_t count = 0;
  for (const int32_t column : columns) count += voxels.column(column).size();
  return count;
}

// Layer after layer, each from the ones before alone: the order of cells does not matter.
void Borders::make(const std::vector<int32_t>& columns, const Workers& workers) {
  const Voxels& voxels = moves_->voxels();
  layers_.resize(voxels.cells().size(), kNobody);
  const auto each = [&](auto visit) {
    parallel_for(columns.size(), workers.threads, 1024, workers.interrupt,
                 [&](size_t from, size_t to) {
                   for (size_t k = from; k < to; ++k) {
                     const Voxels::Rows rows = voxels.rows(columns[k]);
                     for (int32_t row = 0; row < rows.count; ++row) visit(rows.first + row);
                   }
                 });
  };
  each([&](int32_t cell) {
    layers_[cell] = moves_->links(cell).fits & settings_.actions ? 0 : kNobody;
  });
  found_.resize(layers_.size());
  for (int layer = 1; layer <= settings_.layers; ++layer) {
    each([&](int32_t cell) {
      found_[cell] = layers_[cell];
      if (layers_[cell] != 0) return;
      for (int d = 0; d < (settings_.diagonals ? 8 : 4); ++d)
        if (!open(cell, d, layer)) found_[cell] = static_cast<uint8_t>(layer);
    });
    each([&](int32_t cell) { layers_[cell] = found_[cell]; });
  }
}

// Across a side there is a cell that can be reached and is no border yet; beyond a gap, too.
bool Borders::open(int32_t cell, int d, int layer) const {
  const auto counts = [&](int32_t to, int action) {
    if (!(settings_.actions >> action & 1)) return false;
    // Cells outside of what is made anew have later layers already; they do not count yet.
    const uint8_t there = layers_[to];
    return there == 0 || (there >= layer && there != kNobody);
  };
  const Links& links = moves_->links(cell);
  if (links.to[d] >= 0 && counts(links.to[d], links.action(d))) return true;
  for (const Leap& leap : moves_->leaps(cell)) {
    const int steps = std::max(std::abs(leap.i), std::abs(leap.j));
    if (leap.i == steps * kDirections[d].i && leap.j == steps * kDirections[d].j &&
        counts(leap.cell, leap.action))
      return true;
  }
  return false;
}

// --- regions -------------------------------------------------------------------------------------

namespace {

// Numbers regions in the order of their first cells.
std::vector<int32_t> numbered(const Moves& moves, const std::vector<int32_t>& label) {
  std::vector<int32_t> number(label.size(), -1), out(label.size(), -1);
  int32_t next = 0;
  for (size_t cell = 0; cell < label.size(); ++cell) {
    if (label[cell] < 0 || moves.links(static_cast<int32_t>(cell)).fits == 0) continue;
    int32_t& mine = number[label[cell]];
    if (mine < 0) mine = next++;
    out[cell] = mine;
  }
  return out;
}

std::vector<int32_t> joined(const Moves& moves) {
  std::vector<int32_t> parent(moves.rows());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int32_t cell) {
    while (parent[cell] != cell) cell = parent[cell] = parent[parent[cell]];
    return cell;
  };
  for (int32_t cell = 0; cell < static_cast<int32_t>(parent.size()); ++cell)
    moves.each_move(cell, [&](int32_t to, int, int, int) {
      const int32_t a = root(cell), b = root(to);
      parent[std::max(a, b)] = std::min(a, b);
    });
  for (int32_t cell = 0; cell < static_cast<int32_t>(parent.size()); ++cell)
    parent[cell] = root(cell);
  return parent;
}

// Tarjan's components, with a stack of its own.
std::vector<int32_t> strongly_joined(const Moves& moves) {
  struct Frame {
    int32_t cell;
    uint32_t move;
  };
  const auto n = static_cast<int32_t>(moves.rows());
  std::vector<int32_t> index(n, -1), low(n, 0), label(n, -1), open;
  std::vector<Frame> stack;
  int32_t counter = 0;
  // The k-th move from a cell, or -2 after the last.
  const auto target = [&](int32_t cell, uint32_t k) {
    if (k < 8) return moves.links(cell).to[k];
    const auto leaps = moves.leaps(cell);
    return k - 8 < leaps.size() ? leaps[k - 8].cell : -2;
  };
  for (int32_t first = 0; first < n; ++first) {
    if (index[first] >= 0 || moves.links(first).fits == 0) continue;
    stack.push_back({first, 0});
    index[first] = low[first] = counter++;
    open.push_back(first);
    while (!stack.empty()) {
      const int32_t cell = stack.back().cell, to = target(cell, stack.back().move++);
      if (to >= 0) {
        if (index[to] < 0) {
          index[to] = low[to] = counter++;
          open.push_back(to);
          stack.push_back({to, 0});
        } else if (label[to] < 0) {
          low[cell] = std::min(low[cell], index[to]);
        }
        continue;
      }
      if (to == -1) continue;
      stack.pop_back();
      if (!stack.empty()) low[stack.back().cell] = std::min(low[stack.back().cell], low[cell]);
      if (low[cell] != index[cell]) continue;
      int32_t member;
      do {
        member = open.back();
        open.pop_back();
        label[member] = cell;
      } while (member != cell);
    }
  }
  return label;
}

}  // namespace

std::vector<int32_t> regions(const Moves& moves, bool mutual) {
  return numbered(moves, mutual ? strongly_joined(moves) : joined(moves));
}

}  // namespace surefoot::grid
