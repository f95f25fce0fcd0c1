#include "bindings/physics.hpp"

#include <nanobind/stl/tuple.h>

#include "physics/walking.hpp"

namespace surefoot::bindings {

using namespace nb::literals;
using namespace surefoot::physics;

namespace {

using Rows = nb::ndarray<const double, nb::numpy, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Knots = nb::ndarray<const double, nb::numpy, nb::shape<-1, 2, -1, kKnots>, nb::c_contig,
                          nb::device::cpu>;
using Table =
    nb::ndarray<const int32_t, nb::numpy, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Track =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, kDeckRow>, nb::c_contig, nb::device::cpu>;
using MovedRows = nb::ndarray<double, nb::numpy, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

constexpr size_t kMeasures = 9;

// Columns of the tables that Python fills; see surefoot/physics/stage.py.
Anatomy read_anatomy(uintptr_t model, const Table& joints, const Numbers& stiffness,
                     const Numbers& limits, const Table& legs, const Indices& feet,
                     const Numbers& gains, int root, int bodies) {
  Anatomy a;
  a.model = reinterpret_cast<const mjModel*>(model);
  a.root = root;
  a.bodies = bodies;
  a.dofs = 6;
  for (size_t i = 0; i < joints.shape(0); ++i) {
    const int32_t* row = joints.data() + 6 * i;
    Joint joint{row[0],
                row[1],
                row[2],
                row[3],
                row[4],
                a.channels,
                static_cast<Held>(row[5]),
                stiffness.data()[i],
                limits.data()[i]};
    a.channels += joint.channels;
    a.dofs = std::max(a.dofs, joint.dof + joint.channels);
    a.joints.push_back(joint);
  }
  a.root_channel = a.channels;
  a.channels += 3;
  if (a.channels > kMostFreedom || a.dofs > kMostFreedom)
    throw nb::value_error("a body has more degrees of freedom than there is room for");
  for (int side = 0; side < 2; ++side) {
    const int32_t* row = legs.data() + 5 * side;
    a.legs[side] = {row[0], row[1], row[2], row[3], row[4]};
  }
  for (size_t g = 0; g < feet.shape(0); ++g) {
    a.foot_of_geom.push_back(static_cast<uint8_t>(feet.data()[g]));
    const int body = a.model->geom_bodyid[g];
    a.own_geom.push_back(body >= root && body < root + bodies);
  }
  const double* g = gains.data();
  a.root_stiffness = g[0], a.root_damping = g[1], a.root_limit = g[2];
  a.hip_damping = g[3], a.twist_share = g[4], a.stance_twist_limit = g[5], a.fall_height = g[6];
  a.twist_free = g[7], a.twist_stiffness = g[8];
  return a;
}

// Body, place in qpos and qvel; corners of the boxes; the tracks follow when they are known.
std::vector<Deck> read_decks(uintptr_t model, const Table& where, const Rows& corners) {
  const auto* m = reinterpret_cast<const mjModel*>(model);
  std::vector<Deck> decks(where.shape(0));
  for (size_t i = 0; i < decks.size(); ++i) {
    const int32_t* row = where.data() + 3 * i;
    const double* c = corners.data() + 6 * i;
    const double mass = m->body_mass[row[0]];
    decks[i] = {row[0], row[1], row[2], {c[0], c[1], c[2]}, {c[3], c[4], c[5]}, mass, {}};
  }
  return decks;
}

std::vector<Gait> read_gaits(const Rows& numbers, const Knots& knots) {
  std::vector<Gait> gaits(numbers.shape(0));
  const size_t size = knots.shape(2) * kKnots;
  for (size_t i = 0; i < gaits.size(); ++i) {
    const double* n = numbers.data() + 10 * i;
    gaits[i].step_time = n[0];
    gaits[i].turn = n[1];
    gaits[i].ahead = {n[2], n[3], n[4]};
    gaits[i].sideways = {n[5], n[6], n[7]};
    gaits[i].hold = n[8];
    gaits[i].takeover = n[9];
    for (size_t side = 0; side < 2; ++side) {
      const double* first = knots.data() + (2 * i + side) * size;
      gaits[i].knots[side].assign(first, first + size);
    }
  }
  return gaits;
}

Beat read_beat(const double* row) { return {static_cast<int>(row[0]), row[1], row[2], row[3]}; }
Action read_action(const double* row) {
  return {static_cast<int>(row[0]), static_cast<int>(row[1]), row[2]};
}

void write_measures(const Outcome& o, double* row) {
  const double all[kMeasures] = {o.duration, o.strikes, o.flight,   o.effort, o.tilt,
                                 o.width,    o.peak,    o.touching, o.light};
  std::copy(all, all + kMeasures, row);
}

auto advance(Stage& stage, const MovedRows& positions, const MovedRows& velocities,
             const MovedRows& beats, const Rows& actions, const Numbers& seconds,
             const Indices& ticks, bool until_strike, int record_every, int threads) {
  const size_t n = positions.shape(0), nq = positions.shape(1);
  std::vector<Beat> now(n);
  std::vector<Action> chosen(n);
  std::vector<Order> orders(n);
  std::vector<Outcome> outcomes(n);
  size_t room = 0;
  for (size_t i = 0; i < n; ++i) {
    now[i] = read_beat(beats.data() + 4 * i);
    chosen[i] = read_action(actions.data() + 3 * i);
    orders[i] = {ticks.data()[i], seconds.data()[i], until_strike, record_every};
    if (record_every > 0) {
      const double dt = stage.anatomy().model->opt.timestep * record_every;
      room = std::max(room, static_cast<size_t>(seconds.data()[i] / dt) + 1);
    }
  }
  double* frames = nullptr;
  if (room > 0) frames = new double[n * room * nq]();
  nb::capsule owner(frames, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  {
    nb::gil_scoped_release release;
    stage.advance(n, positions.data(), velocities.data(), now.data(), chosen.data(), orders.data(),
                  outcomes.data(), frames, room, threads, python_interrupt());
  }
  Output<int32_t, 2> endings(n);
  Output<double, kMeasures> measures(n);
  for (size_t i = 0; i < n; ++i) {
    double* row = beats.data() + 4 * i;
    row[0] = now[i].stance, row[1] = now[i].elapsed;
    row[2] = now[i].heading, row[3] = now[i].support;
    endings.data[2 * i] = static_cast<int32_t>(outcomes[i].ending);
    endings.data[2 * i + 1] = outcomes[i].joint;
    write_measures(outcomes[i], measures.data + kMeasures * i);
  }
  return std::make_tuple(endings.array(), measures.array(),
                         nb::ndarray<nb::numpy, double, nb::ndim<3>>(frames, {n, room, nq}, owner));
}

auto torques_of(Stage& stage, const Numbers& position, const Numbers& velocity, const Numbers& beat,
                const Numbers& action, int tick, int repeat) {
  Output<double, 1> out(velocity.shape(0));
  {
    nb::gil_scoped_release release;
    stage.torques_of(position.data(), velocity.data(), read_beat(beat.data()), tick,
                     read_action(action.data()), out.data, repeat);
  }
  return out.array();
}

}  // namespace

void bind_physics(nb::module_& m) {
  nb::class_<Stage>(m, "Stage", "A body with its gaits, and room to simulate many of them.")
      .def(
          "__init__",
          [](Stage* self, uintptr_t model, const Table& joints, const Numbers& stiffness,
             const Numbers& limits, const Table& legs, const Indices& feet, const Numbers& gains,
             int root, int bodies, const Rows& numbers, const Knots& knots, const Table& decks,
             const Rows& corners) {
            new (self) Stage(
                read_anatomy(model, joints, stiffness, limits, legs, feet, gains, root, bodies),
                read_gaits(numbers, knots), read_decks(model, decks, corners));
          },
          "model"_a, "joints"_a.noconvert(), "stiffness"_a.noconvert(), "limits"_a.noconvert(),
          "legs"_a.noconvert(), "feet"_a.noconvert(), "gains"_a.noconvert(), "root"_a, "bodies"_a,
          "numbers"_a.noconvert(), "knots"_a.noconvert(), "decks"_a.noconvert(),
          "corners"_a.noconvert())
      .def(
          "set_track",
          [](Stage& stage, size_t deck, const Track& rows) {
            stage.set_track(deck, {rows.data(), rows.data() + rows.size()});
          },
          "deck"_a, "rows"_a.noconvert(),
          "Where a platform is at each MuJoCo step: seven positions, six velocities, acceleration.")
      .def("advance", &advance, "positions"_a.noconvert(), "velocities"_a.noconvert(),
           "beats"_a.noconvert(), "actions"_a.noconvert(), "seconds"_a.noconvert(),
           "ticks"_a.noconvert(), "until_strike"_a, "record_every"_a, "threads"_a,
           "Moves bodies on in place; gives how each ended, its measures, and recorded positions.")
      .def("torques", &torques_of, "position"_a.noconvert(), "velocity"_a.noconvert(),
           "beat"_a.noconvert(), "action"_a.noconvert(), "tick"_a = 0, "repeat"_a = 1,
           "Generalised forces of the controller in one state.");
}

}  // namespace surefoot::bindings
