// Which surface can be reached from which, frame by frame (lopez2012, 3.4 and 4.2).
#include "topology/atlas.hpp"

namespace surefoot::topology {
namespace {

// Frames between two looks at what surfaces that only tremble can reach.
constexpr uint64_t kSeldom = 6;

uint64_t pair_key(int from, int to) {
  return static_cast<uint64_t>(static_cast<uint32_t>(from)) << 32 | static_cast<uint32_t>(to);
}

}  // namespace

double Relation::mean_valid(double now) const {
  // The present spell counts once it is longer than those before.
  const double mean = valid_spells > 0 ? valid_sum / valid_spells : 0;
  if (!valid || now - since <= mean) return mean;
  return (valid_sum + now - since) / (valid_spells + 1);
}

double Relation::mean_invalid(double now) const {
  if (invalid_spells > 0) return invalid_sum / invalid_spells;
  return valid || times_valid == 0 ? 0 : now - since;
}

int Atlas::relation_between(int from, int to) {
  const auto [known, fresh] = between_.try_emplace(pair_key(from, to), -1);
  if (!fresh) return known->second;
  int index;
  if (!free_relations_.empty()) {
    index = free_relations_.back();
    free_relations_.pop_back();
    relations_[index] = {};
  } else {
    index = static_cast<int>(relations_.size());
    relations_.emplace_back();
  }
  relations_[index].from = from;
  relations_[index].to = to;
  relations_[index].since = now_;
  surfaces_[from].out.push_back(index);
  surfaces_[to].in.push_back(index);
  known->second = index;
  return index;
}

void Atlas::remove_relation(int index) {
  Relation& r = relations_[index];
  between_.erase(pair_key(r.from, r.to));
  std::erase(surfaces_[r.from].out, index);
  std::erase(surfaces_[r.to].in, index);
  r = {};
  r.from = r.to = -1;
  free_relations_.push_back(index);
  ++pruned_;
}

void Atlas::set_valid(Relation& r, bool valid) {
  if (r.valid == valid) return;
  const double lasted = now_ - r.since;
  if (r.valid && r.whole) r.valid_sum += lasted, ++r.valid_spells;
  if (!r.valid && r.times_valid > 0) r.invalid_sum += lasted, ++r.invalid_spells;
  if (valid) {
    // What was there when the watching began was not seen to begin.
    const bool seen = frame_count_ > 1 && (r.times_valid > 0 || r.checked < now_);
    if (r.onset > -kInfinity && seen) {
      const double between = now_ - r.onset;
      r.between_sum += between;
      r.between_squares += between * between;
      ++r.between_count;
    }
    if (seen) r.onset = now_;
    r.whole = seen;
    r.tried_lately = 0;
    ++r.times_valid;
  }
  r.valid = valid;
  r.since = now_;
}

bool Atlas::in_reach(Relation& r) {
  const Surface &from = surfaces_[r.from], &to = surfaces_[r.to];
  const Thing &a = things_[from.body], &b = things_[to.body];
  const auto& starts = a.roadmap->nodes();
  const auto& ends = b.roadmap->nodes();
  const auto within = [&](Vec3 p, Vec3 q) {
    return std::hypot(q.x - p.x, q.y - p.y) <= reach(leap_, q.z - p.z);
  };
  // What was in reach a frame ago mostly is.
  if (r.witness_from >= 0 && within(a.frame.apply(starts[r.witness_from].position),
                                    b.frame.apply(ends[r.witness_to].position)))
    return true;
  r.witness_from = r.witness_to = -1;
  const Vec3 at = a.frame.unapply(b.frame.origin);
  const Quat turn = conjugate(a.pose.rotation) * b.pose.rotation;
  if (r.gap > 0) {
    const double turned = length(rotation_vector(turn * conjugate(r.gap_turn)));
    const Box& own = b.roadmap->box(to.part);
    const double arm = length(max(abs(own.lo), abs(own.hi)));
    if (length(at - r.gap_at) + turned * arm < r.gap) return false;
  }
  // The few of the one that are near the other at all; borders first.
  const Vec3 out{far_, far_, 0};
  const Box near{to.box.lo - out - Vec3{0, 0, rise_}, to.box.hi + out + Vec3{0, 0, drop_}};
  const Vec3 half = near.half(), middle = a.frame.unapply(near.centre());
  Vec3 spread;
  for (int axis = 0; axis < 3; ++axis)
    for (int row = 0; row < 3; ++row)
      spread[axis] += std::abs(a.frame.turn.rows[row][axis]) * half[row];
  double gap = kInfinity, best = kInfinity;
  a.roadmap->visit({middle - spread, middle + spread}, [&](int i) {
    if (starts[i].surface != from.part || r.witness_from >= 0) return;
    const Vec3 p = a.frame.apply(starts[i].position);
    const Vec3 low = to.box.lo - p, high = to.box.hi - p;
    const double dx = std::max({low.x, -high.x, 0.0}), dy = std::max({low.y, -high.y, 0.0});
    if (std::hypot(dx, dy) > far_ || low.z > rise_ || high.z < -drop_) {
      gap = std::min(gap, std::max({std::hypot(dx, dy) - far_, low.z - rise_, -drop_ - high.z}));
      return;
    }
    for (const int j : b.roadmap->surface(to.part)) {
      const Vec3 q = b.frame.apply(ends[j].position);
      const double away = std::hypot(q.x - p.x, q.y - p.y), up = q.z - p.z;
      const double missing = std::max({away - far_, up - rise_, -drop_ - up, 0.0});
      gap = std::min(gap, missing);
      if (missing == 0 && away <= reach(leap_, up) && away < best) {
        best = away;
        r.witness_from = i;
        r.witness_to = j;
        return;
      }
    }
  });
  r.gap = r.witness_from >= 0 || gap == kInfinity ? 0 : gap;
  r.gap_at = at;
  r.gap_turn = turn;
  return r.witness_from >= 0;
}

void Atlas::relate() {
  const auto pair = [&](int from, int to) {
    const int index = relation_between(from, to);
    Relation& r = relations_[index];
    if (r.stamp == frame_count_) return;
    r.stamp = frame_count_;
    ++frame_.pairs;
    const bool valid = in_reach(r);
    set_valid(r, valid);
    r.checked = now_;
  };
  // By what moves in this frame: what rests against each other stays as it was. What lies in a heap
  // and only trembles is looked at in turns.
  const auto due = [&](int id) {
    const Thing& thing = things_[id];
    if (!thing.awake) return false;
    if (thing.built == frame_count_) return true;
    return !thing.trembles() || (frame_count_ + static_cast<uint64_t>(id)) % kSeldom == 0;
  };
  const Vec3 out{far_, far_, 0};
  double tall = 0, wide = 0;
  for (const Skill& s : skills_) {
    tall = std::max(tall, s.shape.height);
    wide = std::max(wide, s.shape.radius);
  }
  for (int id = 0; id < thing_count(); ++id) {
    Thing& thing = things_[id];
    if (!thing.alive || !due(id)) continue;
    // Forbidden volumes against surfaces and what can be reached from them.
    const Vec3 clear{wide + far_, wide + far_, 0};
    surfaces_tree_.visit(
        {thing.box.lo - clear - Vec3{0, 0, tall + rise_}, thing.box.hi + clear + Vec3{0, 0, drop_}},
        [&](int s) {
          frame_.obstructions += surfaces_[s].body != id;
          return false;
        });
    for (const int s : thing.surfaces) {
      const Surface& own = surfaces_[s];
      if (!own.alive) continue;
      const double high = std::max(rise_, drop_);
      surfaces_tree_.visit(
          {own.box.lo - out - Vec3{0, 0, high}, own.box.hi + out + Vec3{0, 0, high}}, [&](int j) {
            if (j == s) return false;
            const Box& other = surfaces_[j].box;
            if (other.lo.z - own.box.hi.z <= rise_ && own.box.lo.z - other.hi.z <= drop_)
              pair(s, j);
            if (own.box.lo.z - other.hi.z <= rise_ && other.lo.z - own.box.hi.z <= drop_)
              pair(j, s);
            return false;
          });
    }
  }
  // What was valid and has not been met with again, and what has not been valid for long.
  for (size_t i = 0; i < relations_.size(); ++i) {
    Relation& r = relations_[i];
    if (r.from < 0) continue;
    const Surface &from = surfaces_[r.from], &to = surfaces_[r.to];
    const bool there = from.alive && to.alive;
    const bool met = r.stamp == frame_count_;
    const bool changed = !met && (!there || due(from.body) || due(to.body));
    if (!met) {
      if (changed) set_valid(r, false);
      r.checked = now_;
    }
    if (r.valid) {
      const Thing &a = things_[from.body], &b = things_[to.body];
      r.speed_sum += length(a.twist.linear - b.twist.linear);
      ++r.valid_frames;
    } else if (now_ - r.since > settings_.forget || !things_[from.body].alive ||
               !things_[to.body].alive || (r.times_valid == 0 && changed)) {
      remove_relation(static_cast<int>(i));
    }
  }
}

}  // namespace surefoot::topology
