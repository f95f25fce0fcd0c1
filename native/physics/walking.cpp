#include "physics/walking.hpp"

#include <cmath>
#include <cstring>

#include "physics/engine.hpp"

namespace surefoot::physics {
namespace {

constexpr double kStrikeForce = 10.0;  // [N] on the swing foot
constexpr double kEarliest = 0.35;     // of a step's time, before which a touch is no strike
// Likewise, before which no foot takes over: feet that do so in turns are never lifted.
constexpr double kSettled = 0.2;
constexpr double kStuckAfter = 5.0;    // steps' times without a strike
constexpr double kCarried = 200.0;     // [N] on a foot that carries the body
constexpr double kFastest = 500.0;     // [rad/s] that no joint reaches while things are well
constexpr long kPatience = 1000;       // MuJoCo steps between looks for Ctrl-C
constexpr double kLeastUpright = 0.3;  // cosine of the root's tilt

// What MuJoCo's callback needs to know; a thread simulates one body at a time.
struct Cue {
  const Anatomy* anatomy = nullptr;
  const std::vector<Deck>* decks = nullptr;
  const Gait* first = nullptr;
  const Gait* second = nullptr;
  double share = 0;
  const Beat* beat = nullptr;
  const mjData* data = nullptr;
};
thread_local Cue cue;

// Sets the cue for as long as a body is simulated, however that ends.
struct Cued {
  explicit Cued(const Cue& now) { cue = now; }
  ~Cued() { cue = {}; }
};

void control(const Cue& now, mjData& data) {
  const Anatomy& a = *now.anatomy;
  const Ground ground = ground_of(a, *now.decks, data, now.beat->stance);
  torques(a, data, *now.first, *now.beat, ground, data.qfrc_applied);
  if (now.share == 0) return;
  double other[kMostFreedom];
  torques(a, data, *now.second, *now.beat, ground, other);
  for (int i = 0; i < a.dofs; ++i)
    data.qfrc_applied[i] += now.share * (other[i] - data.qfrc_applied[i]);
}

// The library has one callback for all: ours stands in while batches run, and passes on what is
// not ours to whoever was there before.
std::mutex callback_mutex;
int callback_users = 0;
mjfGeneric callback_before = nullptr;
void (*warning_before)(const char*) = nullptr;

void callback(const mjModel* model, mjData* data) {
  if (cue.data == data)
    control(cue, *data);
  else if (callback_before != nullptr)
    callback_before(model, data);
}

// Numbers that run away are ours to tell; MuJoCo would write a file about them where we stand.
void unheard(const char*) {}

struct Installed {
  Installed() {
    std::lock_guard lock(callback_mutex);
    if (callback_users++ > 0) return;
    callback_before = *engine().control;
    *engine().control = callback;
    warning_before = *engine().warning;
    *engine().warning = unheard;
  }
  ~Installed() {
    std::lock_guard lock(callback_mutex);
    if (--callback_users > 0) return;
    *engine().control = callback_before;
    *engine().warning = warning_before;
  }
};

// What a step's end depends on.
struct Pace {
  double step_time, takeover;  // as a gait has them
};

struct Touch {
  double force[2] = {0, 0};  // [N] of the world on the left and right foot
  bool itself = false;
};

Touch touches(const Anatomy& a, const mjData& d) {
  Touch found;
  for (int i = 0; i < d.ncon; ++i) {
    const mjContact& contact = d.contact[i];
    const int g0 = contact.geom[0], g1 = contact.geom[1];
    if (contact.efc_address < 0 || g0 < 0 || g1 < 0) continue;
    if (a.own_geom[g0] && a.own_geom[g1]) {
      found.itself = true;
      continue;
    }
    const int foot = a.foot_of_geom[g0] | a.foot_of_geom[g1];
    if (foot == 0) continue;
    // Edges of the friction pyramid add up to the normal force.
    const int edges = contact.dim == 1 ? 1 : 2 * (contact.dim - 1);
    for (int e = 0; e < edges; ++e) found.force[foot - 1] += d.efc_force[contact.efc_address + e];
  }
  return found;
}

double up(const mjtNum* q) { return 1 - 2 * (q[1] * q[1] + q[2] * q[2]); }

// The degree of freedom that has run away the farthest, or -1.
int runaway(const Anatomy& a, const mjData& d, double& peak) {
  int worst = -1;
  double fastest = kFastest;
  for (int i = 0; i < a.dofs; ++i) {
    const double speed = std::abs(d.qvel[i]);
    if (std::isnan(speed)) return i;
    if (speed > fastest) worst = i, fastest = speed;
    if (i >= 6) peak = std::max(peak, speed);
  }
  return worst;
}

bool fallen(const Anatomy& a, const mjData& d) {
  const double lower = std::min(d.xpos[3 * a.legs[0].foot + 2], d.xpos[3 * a.legs[1].foot + 2]);
  return d.qpos[2] - lower < a.fall_height || up(d.qpos + 3) < kLeastUpright;
}

// Whether the swing foot is the one that stands from now on: it has touched the ground late enough,
// or it carries the body while the other does not, as after a stumble.
bool struck(const Touch& touch, const Beat& beat, const Pace& pace) {
  const double swing = touch.force[1 - beat.stance];
  if (swing > kStrikeForce && beat.elapsed > kEarliest * pace.step_time) return true;
  return pace.takeover > 0 && beat.elapsed > kSettled * pace.step_time && swing > pace.takeover &&
         touch.force[beat.stance] < kStrikeForce;
}

// [m] between the ankles across the heading.
double feet_apart(const Anatomy& a, const mjData& d, double heading) {
  const double* left = d.xpos + 3 * a.legs[0].foot;
  const double* right = d.xpos + 3 * a.legs[1].foot;
  return std::cos(heading) * (left[1] - right[1]) - std::sin(heading) * (left[0] - right[0]);
}

// The next step begins: a function of positions and velocities alone, so the solver starts cold.
void begin_step(const Anatomy& a, mjData& d, Beat& beat, bool swap) {
  if (swap) beat.stance = 1 - beat.stance;
  beat.elapsed = 0;
  beat.heading = facing(d.qpos + 3);
  beat.support = 1;
  std::memset(d.qacc_warmstart, 0, sizeof(mjtNum) * a.model->nv);
}

Outcome walk(const Anatomy& a, const std::vector<Deck>& decks, mjData& d, Beat& beat,
             const Pace& pace, const Order& order, double* frames, size_t room,
             const Interrupt& interrupt) {
  const mjModel& m = *a.model;
  const double dt = m.opt.timestep;
  const long steps = std::lround(order.seconds / dt);
  const double half_weight = 0.5 * m.body_subtreemass[a.root] * std::abs(m.opt.gravity[2]);
  Outcome out;
  size_t recorded = 0;
  const auto exploded = [&] {
    out.joint = runaway(a, d, out.peak);
    if (out.joint >= 0) out.ending = Ending::exploded;
    return out.joint >= 0;
  };
  if (exploded()) return out;
  const auto place_decks = [&](long k) {
    for (const Deck& deck : decks) place(deck, order.tick + k, d);
  };
  place_decks(0);
  for (long k = 0; k < steps; ++k) {
    if (order.record_every > 0 && k % order.record_every == 0 && recorded < room)
      std::memcpy(frames + m.nq * recorded++, d.qpos, sizeof(mjtNum) * m.nq);
    if (interrupt && k % kPatience == kPatience - 1) interrupt();
    engine().step(&m, &d);
    place_decks(k + 1);
    beat.elapsed += dt;
    out.duration += dt;

    if (exploded()) return out;
    const Touch touch = touches(a, d);
    beat.support = std::clamp(touch.force[beat.stance] / kCarried, 0.0, 1.0);
    if (touch.force[0] <= 0 && touch.force[1] <= 0) out.flight += dt;
    out.light += dt * std::max(0.0, 1 - (touch.force[0] + touch.force[1]) / half_weight);
    if (touch.itself) out.touching += dt;
    out.tilt += dt * std::acos(std::clamp(up(d.qpos + 3), -1.0, 1.0));
    for (int i = 6; i < a.dofs; ++i) out.effort += dt * d.qfrc_applied[i] * d.qfrc_applied[i];

    if (fallen(a, d)) {
      out.ending = Ending::fell;
      return out;
    }
    if (struck(touch, beat, pace)) {
      out.strikes += 1;
      out.width += feet_apart(a, d, facing(d.qpos + 3));
      begin_step(a, d, beat, true);
      if (order.until_strike) {
        out.ending = Ending::strike;
        return out;
      }
    } else if (beat.elapsed > kStuckAfter * pace.step_time) {
      out.ending = Ending::stuck;
      return out;
    }
  }
  return out;
}

}  // namespace

Stage::Stage(Anatomy anatomy, std::vector<Gait> gaits, std::vector<Deck> decks)
    : anatomy_(std::move(anatomy)), gaits_(std::move(gaits)), decks_(std::move(decks)) {
  engine();
}

Stage::~Stage() {
  for (mjData* data : idle_) engine().delete_data(data);
}

// Room for one body, given back when its work is done.
struct Stage::Seat {
  Stage* stage;
  mjData* data;
  ~Seat() { stage->give(data); }
};

Stage::Seat Stage::take() {
  {
    std::lock_guard lock(idle_mutex_);
    if (!idle_.empty()) {
      mjData* data = idle_.back();
      idle_.pop_back();
      return {this, data};
    }
  }
  mjData* data = engine().make_data(anatomy_.model);
  if (data == nullptr) throw std::bad_alloc();
  return {this, data};
}

void Stage::give(mjData* data) {
  std::lock_guard lock(idle_mutex_);
  idle_.push_back(data);
}

void Stage::set_track(size_t deck, std::vector<double> track) {
  std::lock_guard lock(decks_mutex_);
  decks_.at(deck).track = std::make_shared<const std::vector<double>>(std::move(track));
}

std::vector<Deck> Stage::decks() {
  std::lock_guard lock(decks_mutex_);
  return decks_;
}

void Stage::advance(size_t count, double* positions, double* velocities, Beat* beats,
                    const Action* actions, const Order* orders, Outcome* outcomes, double* frames,
                    size_t room, int threads, const Interrupt& interrupt) {
  const Installed installed;
  const mjModel& m = *anatomy_.model;
  const auto caller = std::this_thread::get_id();
  const std::vector<Deck> decks = this->decks();
  parallel_for(count, threads, 1, interrupt, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      Seat seat = take();
      mjData& d = *seat.data;
      engine().reset_data(&m, &d);
      std::memcpy(d.qpos, positions + m.nq * i, sizeof(mjtNum) * m.nq);
      std::memcpy(d.qvel, velocities + m.nv * i, sizeof(mjtNum) * m.nv);
      const Action& action = actions[i];
      const Gait &first = gaits_[action.first], &second = gaits_[action.second];
      const Pace pace{first.step_time + action.share * (second.step_time - first.step_time),
                      first.takeover + action.share * (second.takeover - first.takeover)};
      // On this thread's own stack: neighbours in the array are other threads'.
      Beat beat = beats[i];
      const Cued cued({&anatomy_, &decks, &first, &second, action.share, &beat, &d});
      outcomes[i] = walk(anatomy_, decks, d, beat, pace, orders[i],
                         frames ? frames + m.nq * room * i : nullptr, room,
                         std::this_thread::get_id() == caller ? interrupt : Interrupt{});
      beats[i] = beat;
      std::memcpy(positions + m.nq * i, d.qpos, sizeof(mjtNum) * m.nq);
      std::memcpy(velocities + m.nv * i, d.qvel, sizeof(mjtNum) * m.nv);
    }
  });
}

void Stage::torques_of(const double* position, const double* velocity, const Beat& beat, long tick,
                       const Action& action, double* out, int repeat) {
  const Seat seat = take();
  const mjModel& m = *anatomy_.model;
  mjData& d = *seat.data;
  engine().reset_data(&m, &d);
  std::memcpy(d.qpos, position, sizeof(mjtNum) * m.nq);
  std::memcpy(d.qvel, velocity, sizeof(mjtNum) * m.nv);
  const std::vector<Deck> decks = this->decks();
  for (const Deck& deck : decks) place(deck, tick, d);
  engine().forward(&m, &d);
  const Cue now{&anatomy_, &decks, &gaits_[action.first], &gaits_[action.second], action.share,
                &beat,     &d};
  for (int k = 0; k < repeat; ++k) control(now, d);
  std::fill(out, out + m.nv, 0.0);
  std::memcpy(out, d.qfrc_applied, sizeof(mjtNum) * anatomy_.dofs);
}

}  // namespace surefoot::physics
