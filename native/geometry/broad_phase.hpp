// Which bodies can be near a place during a time.
//
// Bodies at rest live in one tree. Moving bodies live in one tree per block of time, holding
// the boxes they sweep in that block; blocks are made when first asked about and kept. A changed
// body is moved inside the trees that exist, when they are next used: the cost of a change does
// not depend on how many bodies there are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "geometry/box_tree.hpp"
#include "geometry/mesh.hpp"
#include "geometry/trajectory.hpp"

namespace surefoot {

struct Body {
  std::string name;
  std::shared_ptr<const Mesh> mesh;
  TrajectoryPtr trajectory;
  bool solid = true;
  bool alive = true;
  bool moving = false;
  Frame rest;          // at rest only
  int rest_leaf = -1;  // in the tree of bodies at rest
};

// The box that a body sweeps between two times.
Box swept_box(const Body& body, double from, double to);

class BroadPhase {
 public:
  struct Block {
    BoxTree tree;
    std::unordered_map<int, int> leaves;  // body -> leaf
    size_t applied = 0;                   // changes of the log taken in
    uint64_t used = 0;
  };
  // Which blocks a batch of queries needs: all of a span of time, or those of some moments.
  struct Wanted {
    int level = 0;
    std::vector<int64_t> indices;  // increasing

    double block_length() const { return std::ldexp(kBlockLength, level); }
  };
  static Wanted wanted(double from, double to);
  static Wanted wanted(std::span<const double> times);

  // The blocks themselves.
  struct Span {
    double block_length = 0;
    std::vector<int64_t> indices;
    std::vector<std::shared_ptr<const Block>> blocks;

    const BoxTree& at(double t) const { return blocks[index(t)]->tree; }
    int index(double t) const {
      const auto k = static_cast<int64_t>(std::floor(t / block_length));
      const int64_t offset = k - indices.front();
      const auto last = static_cast<int64_t>(indices.size()) - 1;
      if (indices.back() - indices.front() == last)
        return static_cast<int>(std::clamp<int64_t>(offset, 0, last));
      return static_cast<int>(std::lower_bound(indices.begin(), indices.end(), k) -
                              indices.begin());
    }
    double start(int block) const { return static_cast<double>(indices[block]) * block_length; }
  };

  const BoxTree& resting() const { return resting_; }
  size_t moving() const { return moving_.size(); }
  void added(std::vector<Body>& bodies, int id);
  void removed(std::vector<Body>& bodies, int id);

  // The blocks, if all exist and are up to date.
  bool ready(const Wanted& wanted, Span& span) const;
  void prepare(const std::vector<Body>& bodies, const Wanted& wanted);

 private:
  // Long spans use longer blocks, so that a span never has more than about kMaxBlocks.
  static constexpr double kBlockLength = 0.5;
  static constexpr int kMaxBlocks = 128;
  static constexpr size_t kMaxLeaves = 4'000'000;
  using Key = std::pair<int, int64_t>;  // level, index

  void log_change(int id, size_t body_count);
  void make_room();

  BoxTree resting_;
  std::vector<int> moving_;               // ids, unordered
  std::unordered_map<int, size_t> slot_;  // id -> index in moving_
  std::map<Key, std::shared_ptr<Block>> blocks_;
  std::vector<int> log_;
  mutable uint64_t clock_ = 0;
};

}  // namespace surefoot
