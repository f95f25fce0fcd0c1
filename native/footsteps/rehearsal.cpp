#include <algorithm>

#include "footsteps/clearing.hpp"
#include "footsteps/track.hpp"
#include "motion/forward.hpp"
#include "motion/humanoid.hpp"
#include "motion/turns.hpp"

namespace surefoot::footsteps {
namespace {

using humanoid::kJoints;

constexpr double kEven = 0.004;  // [m] that level ground may differ

Spot spot_of(const State& s) { return {s.x, s.y, s.z, s.heading, s.body}; }

// What the feet of an action come down to, from one state to another, each in its own frame.
Treading treading(const Action& action, const State& from, const State& to, const Treads& treads) {
  Treading ground{};
  for (int foot = 0; foot < 2; ++foot) {
    const float* sole = action.soles[foot];
    ground.x[foot] = to.x + to.cosine * sole[0] - to.sine * sole[1];
    ground.y[foot] = to.y + to.sine * sole[0] + to.cosine * sole[1];
    ground.height[foot] = to.feet[foot], ground.from[foot] = from.feet[foot];
    ground.body[foot] = to.on[foot];
    for (int k = 0; k < 2; ++k) ground.slope[foot][k] = static_cast<double>(treads.tilt[foot][k]);
  }
  ground.arch = static_cast<double>(treads.arch);
  return ground;
}

double length_of(const Reel& reel, int32_t piece) {
  const Piece& part = reel.pieces[static_cast<size_t>(piece)];
  return (part.end - part.begin) / part.speed;
}

// Poses of a body while it plays one piece, and its points there.
class Looks {
 public:
  Looks(const Reel& reel, const Carriers* carriers) : reel_(reel), carriers_(carriers) {}

  void add(const Beat& beat, double t) {
    beats_.push_back(beat);
    times_.push_back(t);
  }

  // Writes points in the order in which moments were added, and begins anew.
  template <class Out>
  void put(const Out& figure_of) {
    const size_t n = beats_.size();
    root_.resize(3 * n), local_.resize(4 * kJoints * n), contacts_.resize(4 * n);
    spare_.resize((2 * kOffset + 1) * n);
    places_.resize(3 * kJoints * n), turns_.resize(4 * kJoints * n);
    play_on(reel_, beats_, times_, {&carriers_, 1},
            {root_.data(), local_.data(), contacts_.data(), spare_.data(),
             spare_.data() + 2 * kOffset * n},
            1, {});
    forward_kinematics(humanoid::kParents, reel_.offsets.data(), root_.data(), local_.data(), 0, n,
                       {}, places_.data(), turns_.data());
    for (size_t i = 0; i < n; ++i) put(i, figure_of(i));
    beats_.clear(), times_.clear();
  }

 private:
  Vec3 place(size_t i, int joint) const {
    const double* p = places_.data() + 3 * (kJoints * i + static_cast<size_t>(joint));
    return {p[0], p[1], p[2]};
  }
  Vec3 fixed(size_t i, int joint, Vec3 offset) const {
    const double* q = turns_.data() + 4 * (kJoints * i + static_cast<size_t>(joint));
    return place(i, joint) + rotated(Quat{q[0], q[1], q[2], q[3]}, offset);
  }
  void put(size_t i, Point* points) const {
    const auto set = [](Point& point, Vec3 v) {
      point = {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
    };
    set(points[kRoot], place(i, humanoid::kPelvis));
    set(points[1], place(i, humanoid::kHead));
    for (int side = 0; side < 2; ++side) {
      const int arm = humanoid::kHand + humanoid::kOtherSide * side,
                foot = humanoid::kFoot + humanoid::kOtherSide * side,
                toe = humanoid::kToe + humanoid::kOtherSide * side;
      // The middle of the hand: fingers are where a bent elbow takes them.
      set(points[2 + side], fixed(i, arm, {0, 0, -reel_.hand / 2}));
      set(points[kFeet + side], (fixed(i, foot, reel_.heel) + place(i, toe)) * 0.5);
    }
  }

  const Reel& reel_;
  const Carriers* carriers_;
  std::vector<Beat> beats_;
  std::vector<double> times_, root_, local_, spare_, places_, turns_;
  std::vector<uint8_t> contacts_;
};

}  // namespace

void Track::play(const Staging& staging, size_t action, Stepper& body, Lowering* sinking) const {
  body.wait(states_[action].t);
  const State &from = states_[action], &to = states_[action + 1];
  const Treading ground = treading(table_->actions[actions_[action]], from, to, treads_[action]);
  body.append(*staging.reel, actions_[action], spot_of(to), ground, staging.blend, sinking,
              carriers());
}

void Track::stay(const Staging& staging, Stepper& body, Lowering* sinking) const {
  const State& at = states_.back();
  const Treading ground = treading(table_->actions[staging.stand], at, at, {});
  body.append(*staging.reel, staging.stand, spot_of(at), ground, staging.blend, sinking,
              carriers());
}

size_t Track::first_at(double t) const {
  const auto next = std::lower_bound(states_.begin(), states_.end(), t - kSame,
                                     [](const State& s, double time) { return s.t < time; });
  return static_cast<size_t>(next - states_.begin());
}

Stepper Track::body_at(const Staging& staging, double t) const {
  const size_t next = first_at(t);
  if (next < states_.size()) {
    if (states_[next].t <= t + kSame) return bodies_[next];
    // A stand can be broken off at any time.
    const size_t i = index(t);
    if (actions_[i] == staging.stand) {
      Stepper body = bodies_[i];
      play(staging, i, body, nullptr);
      body.wait(t);
      return body;
    }
    const State state = at(t);  // in the middle of a step: it finds into its motion anew
    return Stepper(spot_of(state), t);
  }
  // Stands in a row go through the clip of the stand, round and round.
  Stepper body = bodies_.back();
  const double length = length_of(*staging.reel, staging.stand);
  const Piece& stand = staging.reel->pieces[static_cast<size_t>(staging.stand)];
  const double whole = staging.reel->takes[static_cast<size_t>(stand.take)].duration;
  const auto round = std::max<int64_t>(static_cast<int64_t>((whole - stand.begin) / length), 1);
  const auto count = static_cast<int64_t>((t - end()) / length);
  if (count >= 2 * round) {
    const int64_t waited = (count / round - 1) * round;
    body.wait(end() + static_cast<double>(waited) * length);
  }
  while (body.until() < t - kSame) stay(staging, body, nullptr);
  body.wait(t);
  return body;
}

// How many actions of a plan, from the first on, are those that another one has from `from` on.
size_t Track::shared(const Track& other, size_t from) const {
  const auto same = [](const State& a, const State& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.heading == b.heading && a.body == b.body &&
           a.feet[0] == b.feet[0] && a.feet[1] == b.feet[1] && a.on[0] == b.on[0] &&
           a.on[1] == b.on[1] && std::abs(a.t - b.t) <= kSame;
  };
  const auto alike = [](const Treads& a, const Treads& b) {
    // How high feet are raised comes of it.
    return std::equal(&a.tilt[0][0], &a.tilt[0][0] + 4, &b.tilt[0][0]);
  };
  // What carries them may have been put on another way meanwhile.
  for (const auto& [body, trajectory] : carried_by_)
    for (const auto& [known, then] : other.carried_by_)
      if (body == known && trajectory != then) return 0;
  size_t count = 0;
  while (count < actions_.size() && from + count < other.actions_.size() &&
         actions_[count] == other.actions_[from + count] &&
         same(states_[count + 1], other.states_[from + count + 1]) &&
         alike(treads_[count], other.treads_[from + count]))
    ++count;
  return count;
}

bool Track::uneven() const {
  if (carriers() != nullptr) return true;
  const State& first = states_.front();
  const auto same = [&](const State& s) {
    return std::abs(s.feet[0] - first.z) < kEven && std::abs(s.feet[1] - first.z) < kEven;
  };
  return !std::all_of(states_.begin(), states_.end(), same) ||
         std::any_of(treads_.begin(), treads_.end(), [](const Treads& t) { return t.arch > 0; });
}

void Track::rehearse(const Staging& staging, const Track* before, Snapshot* world) {
  check_staging(staging, *table_);
  const auto moment = [&](size_t i) {
    return static_cast<double>(first_ + static_cast<int64_t>(i)) / kRate;
  };
  const auto seen_before = [&](size_t i) {
    Sight spare;
    const Figure& points = before->sight(first_ + static_cast<int64_t>(i), spare).points;
    std::copy(points, points + kPoints, sights_[i].points);
  };
  Stepper body(spot_of(states_.front()), start());
  bodies_.clear();
  size_t known = 0, k = 0;
  if (before != nullptr && before->rehearsed()) {
    // What it goes on with need not be played again.
    const size_t from = before->first_at(start());
    if (from < before->actions_.size() && before->states_[from].t <= start() + kSame)
      known = std::min(shared(*before, from), actions_.size() - 1);
    for (size_t i = 0; i < known; ++i) {
      bodies_.push_back(before->bodies_[from + i]);
      treads_[i].arch = before->treads_[from + i].arch;
      for (; moment(k) < states_[i + 1].t; ++k) seen_before(k);
    }
    body = known > 0 ? before->bodies_[from + known] : before->body_at(staging, start());
  }
  Looks looks(*staging.reel, carriers());
  size_t shown = k;
  for (size_t i = known; i < actions_.size(); ++i) {
    bodies_.push_back(body.kept());
    if (world != nullptr) {
      // How high feet must be raised is known when they are seen.
      Stepper trial = body;
      Lowering sinking;
      treads_[i].arch = 0;
      play(staging, i, trial, &sinking);
      treads_[i].arch = static_cast<float>(
          needed_arch(*staging.reel, trial, states_[i].t, states_[i + 1].t, carriers(), *world));
    }
    play(staging, i, body, nullptr);
    const bool last = i + 1 == actions_.size();
    for (; k < sights_.size() && (last || moment(k) < states_[i + 1].t); ++k) {
      const double t = std::max(moment(k), states_[i].t);
      looks.add(body.beat(t), t);
    }
    looks.put([&](size_t row) { return sights_[shown + row].points; });
    shown = k;
  }
  bodies_.push_back(body.kept());
  // The moment before the start: what was seen then.
  if (before != nullptr && before->rehearsed() && moment(0) < start()) seen_before(0);
  measure();
}

// What holds the body from moment to moment, and how far it goes between two.
void Track::measure() {
  float farthest = 0;
  for (size_t k = 0; k < sights_.size(); ++k) {
    const Point root = sights_[k].points[kRoot];
    if (k == 0) low_ = high_ = root;
    low_ = {std::min(low_.x, root.x), std::min(low_.y, root.y), 0};
    high_ = {std::max(high_.x, root.x), std::max(high_.y, root.y), 0};
    float girth = 0;
    for (int p = 0; p < kPoints; ++p) {
      const Point at = sights_[k].points[p];
      girth = std::max(girth, std::hypot(at.x - root.x, at.y - root.y) + table_->radii[p]);
      if (k == 0) continue;
      const Point from = sights_[k - 1].points[p];
      farthest = std::max(farthest, std::hypot(at.x - from.x, at.y - from.y));
    }
    sights_[k].girth = girth;
  }
  stride_ = farthest;
  covered_ = end();
  cover(end() + 1);
}

void rehearse(StepTable& table, const Staging& staging) {
  check_staging(staging, table);
  Looks looks(*staging.reel, nullptr);
  for (size_t i = 0; i < table.actions.size(); ++i) {
    Action& action = table.actions[i];
    State from = facing(0, 0, 0, 0, 0), to = moved(from, action);
    to.z = static_cast<double>(action.rise());
    for (int foot = 0; foot < 2; ++foot) {
      from.feet[foot] = static_cast<double>(action.ground[0][foot]);
      to.feet[foot] = static_cast<double>(action.ground[1][foot]);
    }
    Stepper body(spot_of(from), 0);
    body.append(*staging.reel, static_cast<int32_t>(i), spot_of(to), treading(action, from, to, {}),
                staging.blend, nullptr, nullptr);
    for (int k = 0; k < kSamples; ++k) {
      const double t = action.duration * k / (kSamples - 1);
      looks.add(body.beat(t), t);
    }
    auto* rows = reinterpret_cast<Point*>(table.samples.data()) +
                 static_cast<size_t>(action.shape) * kSamples * kPoints;
    looks.put([&](size_t row) { return rows + kPoints * row; });
    // Who goes down into a crouch is not low yet, who comes up from one not upright.
    const double fading = staging.reel->pieces[i].blend;
    for (int k = 0; k < kSamples && action.lift != 0; ++k) {
      const double x = std::min(action.duration * k / (kSamples - 1) / fading, 1.0);
      const double left = 1 - x * x * x * (10 + x * (6 * x - 15));
      for (int p = 0; p < kFeet; ++p)
        rows[kPoints * k + p].z += action.lift * static_cast<float>(left);
    }
    if (static_cast<int32_t>(i) == staging.stand) table.sole = (rows[4].z + rows[5].z) / 2;
    float girth = 0, way = 0;
    for (int k = 0; k < kSamples; ++k)
      for (int p = 0; p < kPoints; ++p) {
        const Point at = rows[kPoints * k + p], root = rows[kPoints * k + kRoot];
        girth = std::max(girth, std::hypot(at.x - root.x, at.y - root.y) + table.radii[p]);
        if (k == 0) continue;
        const Point before = rows[kPoints * (k - 1) + p];
        way = std::max(way, std::hypot(at.x - before.x, at.y - before.y));
      }
    action.girth = girth;
    action.pace = way * (kSamples - 1) / static_cast<float>(action.duration);
  }
}

}  // namespace surefoot::footsteps
