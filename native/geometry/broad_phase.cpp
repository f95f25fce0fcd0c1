#include "geometry/broad_phase.hpp"

#include <algorithm>

namespace surefoot {
namespace {

Box swept_piece(const Body& body, double from, double to) {
  const double middle = 0.5 * (from + to);
  const Frame frame(body.trajectory->pose(middle));
  const Travel travel =
      max(body.trajectory->travel(from, middle), body.trajectory->travel(middle, to));
  const Box& local = body.mesh->box();
  const Vec3 centre = frame.apply(local.centre());
  const double reach = body.mesh->radius();
  // A turn moves no vertex further than it moves one at the largest radius.
  const double turned = std::min(travel.turn, 2.0) * reach;
  const double tilted = std::min(travel.tilt, 2.0) * reach;
  const Vec3 half = frame.turn.spread(local.half()) + travel.shift + Vec3{turned, turned, tilted} +
                    Vec3{1e-9, 1e-9, 1e-9};
  return {centre - half, centre + half};
}

}  // namespace

Box swept_box(const Body& body, double from, double to) {
  // What repeats itself has been everywhere after one round.
  const double period = body.trajectory->period();
  if (period > 0 && to - from > period) to = from + period;
  std::vector<double> times{from};
  body.trajectory->jumps(from, to, times);
  times.push_back(to);
  std::sort(times.begin(), times.end());
  Box box;
  for (size_t i = 0; i + 1 < times.size(); ++i)
    box.include(swept_piece(body, times[i], times[i + 1]));
  // A jump at the very end is not inside any piece.
  if (body.moving) box.include(swept_piece(body, to, to));
  return box;
}

BroadPhase::Wanted BroadPhase::wanted(double from, double to) {
  Wanted w;
  while ((to - from) / w.block_length() > kMaxBlocks - 2) ++w.level;
  const auto first = static_cast<int64_t>(std::floor(from / w.block_length()));
  const auto last = static_cast<int64_t>(std::floor(to / w.block_length()));
  for (int64_t k = first; k <= last; ++k) w.indices.push_back(k);
  return w;
}

BroadPhase::Wanted BroadPhase::wanted(std::span<const double> times) {
  Wanted w;
  double from = kInfinity, to = -kInfinity, last = -kInfinity;
  for (const double t : times) {
    if (t == last) continue;
    last = t;
    from = std::min(from, t);
    to = std::max(to, t);
    if (w.indices.size() > kMaxBlocks) continue;
    const auto k = static_cast<int64_t>(std::floor(t / w.block_length()));
    const auto at = std::lower_bound(w.indices.begin(), w.indices.end(), k);
    if (at == w.indices.end() || *at != k) w.indices.insert(at, k);
  }
  // Too many moments apart from each other: cover all the time between with longer blocks.
  return w.indices.size() > kMaxBlocks ? wanted(from, to) : w;
}

void BroadPhase::added(std::vector<Body>& bodies, int id) {
  Body& body = bodies[id];
  if (!body.moving) {
    body.rest_leaf = resting_.insert(id, swept_box(body, 0, 0));
    return;
  }
  slot_[id] = moving_.size();
  moving_.push_back(id);
  log_change(id, bodies.size());
}

void BroadPhase::removed(std::vector<Body>& bodies, int id) {
  Body& body = bodies[id];
  if (!body.moving) {
    resting_.remove(body.rest_leaf);
    body.rest_leaf = -1;
    return;
  }
  const size_t at = slot_[id];
  moving_[at] = moving_.back();
  slot_[moving_[at]] = at;
  moving_.pop_back();
  slot_.erase(id);
  log_change(id, bodies.size());
}

void BroadPhase::log_change(int id, size_t body_count) {
  if (blocks_.empty()) return;
  log_.push_back(id);
  // Blocks that slept through this many changes are cheaper to make again.
  if (log_.size() > 4096 + 4 * body_count) {
    log_.clear();
    blocks_.clear();
  }
}

bool BroadPhase::ready(const Wanted& wanted, Span& span) const {
  span.block_length = wanted.block_length();
  span.indices = wanted.indices;
  span.blocks.clear();
  for (const int64_t k : wanted.indices) {
    const auto found = blocks_.find({wanted.level, k});
    if (found == blocks_.end() || found->second->applied != log_.size()) return false;
    span.blocks.push_back(found->second);
  }
  return true;
}

void BroadPhase::prepare(const std::vector<Body>& bodies, const Wanted& wanted) {
  const double block_length = wanted.block_length();
  ++clock_;
  make_room();
  for (const int64_t k : wanted.indices) {
    const double start = static_cast<double>(k) * block_length, end = start + block_length;
    const Key key{wanted.level, k};
    std::shared_ptr<Block> block;
    // A trajectory may throw. Taken out while it changes, a block is never left half made.
    if (const auto found = blocks_.find(key); found != blocks_.end()) {
      block = std::move(found->second);
      blocks_.erase(found);
    } else {
      block = std::make_shared<Block>();
      for (int id : moving_)
        block->leaves[id] = block->tree.insert(id, swept_box(bodies[id], start, end));
      block->applied = log_.size();
    }
    block->used = clock_;
    for (; block->applied < log_.size(); ++block->applied) {
      const int id = log_[block->applied];
      if (const auto leaf = block->leaves.find(id); leaf != block->leaves.end()) {
        block->tree.remove(leaf->second);
        block->leaves.erase(leaf);
      }
      if (bodies[id].alive && bodies[id].moving)
        block->leaves[id] = block->tree.insert(id, swept_box(bodies[id], start, end));
    }
    blocks_.emplace(key, std::move(block));
  }
}

// Forgets the blocks that were not used for longest.
void BroadPhase::make_room() {
  size_t leaves = 0;
  for (const auto& [key, block] : blocks_) leaves += block->leaves.size();
  while (leaves > kMaxLeaves && !blocks_.empty()) {
    const auto oldest = std::min_element(blocks_.begin(), blocks_.end(), [](auto& a, auto& b) {
      return a.second->used < b.second->used;
    });
    leaves -= oldest->second->leaves.size();
    blocks_.erase(oldest);
  }
}

}  // namespace surefoot
