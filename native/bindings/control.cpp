#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <variant>

#include "bindings/control.hpp"

namespace surefoot::bindings {
namespace {

using Singles = nb::ndarray<const float, nb::numpy, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Sevens =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, 7>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const double, nb::numpy, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;

// [s]: moves under way when time is up are played to their ends.
constexpr double kUnderWay = 15.0;

void bind_rollout(nb::module_& m) {
  nb::class_<Rollout> c(m, "Rollout", "What a controller does from a configuration.");
  c.def_prop_ro("ending", [](const Rollout& self) { return static_cast<int>(self.ending); });
  c.def_ro("time", &Rollout::time);
  c.def_prop_ro("failure", [](const Rollout& self) {
    return std::make_tuple(self.failure.x, self.failure.y, self.failure.z);
  });
  c.def_prop_ro(
      "pieces",
      [](const Rollout& self) {
        Output<double, 12> out(self.pieces.size());
        double* to = out.data;
        for (const Piece& p : self.pieces) {
          const double row[12] = {static_cast<double>(p.action),
                                  p.begin,
                                  p.end,
                                  p.start,
                                  static_cast<double>(p.frame),
                                  p.origin.x,
                                  p.origin.y,
                                  p.origin.z,
                                  p.origin.heading,
                                  p.drift.x,
                                  p.drift.y,
                                  p.drift.z};
          to = std::copy(row, row + 12, to);
        }
        return out.array();
      },
      nb::rv_policy::move,
      "(n, 12): action, begin, end, start, frame, origin x y z heading, drift x y z.");
  c.def_prop_ro(
      "last",
      [](const Rollout& self) {
        const auto row = packed(self.last);
        return numbers_of({row.begin(), row.end()});
      },
      nb::rv_policy::move,
      "The configuration at the end: frame, x, y, z, heading, action, time into it.");
}

void bind_adapted(nb::module_& m) {
  nb::class_<Adapted> c(m, "Adapted", "A controller adapted to the geometry about it.");
  c.def_prop_ro("rollout", [](const Adapted& self) { return self.rollout; }, nb::rv_policy::move);
  c.def_ro("attempts", &Adapted::attempts);
  c.def_ro("fitted", &Adapted::fitted);
  c.def_prop_ro(
      "obstacle",
      [](const Adapted& self) {
        const Level& o = self.situation.obstacle;
        return numbers_of({o.x, o.y, o.z, o.heading});
      },
      nb::rv_policy::move);
  c.def_prop_ro(
      "constants", [](const Adapted& self) { return numbers_of(self.situation.constants); },
      nb::rv_policy::move);
  c.def_prop_ro(
      "samples",
      [](const Adapted& self) {
        Output<double, 3> out(self.samples.size());
        for (size_t i = 0; i < self.samples.size(); ++i) out.put(i, self.samples[i]);
        return out.array();
      },
      nb::rv_policy::move);
}

// Bodies that a configuration and a target are on; asked while the world stays as it is.
void check_frames(const World& world, const Configuration& from, const Target& to) {
  for (const int frame : {from.frame, to.frame})
    if (frame >= 0) world.check_body(frame, "frame");
}

Rollout roll(const Controller& self, const World* world, const Numbers& start, double t,
             const Numbers& target, const Numbers& obstacle, const Numbers& constants,
             const Numbers& needs, const Numbers& limits) {
  const Configuration from = configuration_of(start, self.moves());
  const Limits within = limits_of(limits);
  const Situation about = situation_of(obstacle, constants);
  const Target to = target_of(target);
  const Needs needed = needs_of(needs);
  Rollout out;
  nb::gil_scoped_release release;
  if (world == nullptr) {
    Roller(self, nullptr, needed, within).roll(from, t, to, about, out);
  } else {
    world->view(t, t + std::max(within.longest, within.wait) + kUnderWay, [&](Snapshot& view) {
      check_frames(*world, from, to);
      Roller(self, &view, needed, within).roll(from, t, to, about, out);
    });
  }
  return out;
}

auto roll_many(const Controller& self, const Rows& levels, const Indices& actions,
               const Numbers& into, const Vectors& targets, const Rows& obstacles,
               const Rows& constants, double radius, const Numbers& limits, int threads) {
  const size_t n = levels.shape(0);
  if (actions.size() != n || into.size() != n || targets.shape(0) != n || obstacles.shape(0) != n ||
      constants.shape(0) != n)
    throw nb::value_error("the arrays do not fit each other");
  const Limits within = limits_of(limits);
  for (const int32_t action : view(actions))
    if (action < 0 || static_cast<size_t>(action) >= self.moves().actions())
      throw nb::value_error("no such action");
  Output<int32_t, 1> endings(n);
  Output<double, 1> times(n);
  Output<double, 4> last(n);
  Output<int32_t, 1> counts(n);
  {
    nb::gil_scoped_release release;
    parallel_for(n, threads, 16, python_interrupt(), [&](size_t first, size_t end) {
      Roller roller(self, nullptr, {}, within);
      Rollout out;
      Situation about;
      for (size_t i = first; i < end; ++i) {
        about.obstacle = level_of(obstacles.data() + 4 * i);
        about.constants.assign(constants.data() + 4 * i, constants.data() + 4 * i + 4);
        const double* p = targets.data() + 3 * i;
        roller.roll({-1, level_of(levels.data() + 4 * i), actions.data()[i], into.data()[i]}, 0.0,
                    {-1, {p[0], p[1], p[2]}, radius, 1.0}, about, out);
        endings.data[i] = static_cast<int32_t>(out.ending);
        times.data[i] = out.time;
        counts.data[i] = static_cast<int32_t>(out.pieces.size());
        const Level& l = out.last.level;
        const double row[4] = {l.x, l.y, l.z, l.heading};
        std::copy(row, row + 4, last.data + 4 * i);
      }
    });
  }
  return std::make_tuple(endings.array(), times.array(), last.array(), counts.array());
}

// A fit written in Python: asked with the GIL, answered with x, y, z, heading and constants.
Fit python_fit(const PythonFit& ask) {
  return [ask](const FitTask& task) -> std::optional<Fitted> {
    nb::gil_scoped_acquire gil;
    Output<double, 3> samples(task.samples.size());
    for (size_t i = 0; i < task.samples.size(); ++i) samples.put(i, task.samples[i]);
    const Level& s = task.start;
    const auto found = ask(samples.array(), {s.x, s.y, s.z, s.heading},
                           {task.target.x, task.target.y, task.target.z}, task.side);
    if (!found) return std::nullopt;
    if (found->size() < 4) throw nb::value_error("a fit gives x, y, z, heading and constants");
    return Fitted{level_of(found->data()), {found->begin() + 4, found->end()}};
  };
}

const Fit kFits[] = {fit_nothing, fit_cylinder, fit_ditch, fit_corner};

}  // namespace

Adapting adapting(const std::variant<int, PythonFit>& fit, double size, bool sides, bool rays,
                  int attempts, int unsourced) {
  Adapting how;
  if (fit.index() == 0) check_index(std::get<int>(fit), std::size(kFits), "fit");
  how.fit = fit.index() == 0 ? kFits[std::get<int>(fit)] : python_fit(std::get<PythonFit>(fit));
  how.size = size;
  how.sides = sides;
  how.rays = rays;
  how.attempts = attempts;
  how.unsourced = static_cast<size_t>(unsourced);
  return how;
}

namespace {

// Without the GIL: the world may be held by a thread that waits for it.
bool moves(const World& world) {
  bool any = false;
  world.bare([&](const Snapshot&) { any = world.moves(); });
  return any;
}

Adapted adapted(const Controller& self, const World& world, const Numbers& start, double t,
                const Numbers& target, const std::variant<int, PythonFit>& fit, double size,
                bool sides, bool rays, int attempts, int unsourced, const Numbers& needs,
                const Numbers& limits) {
  const Configuration from = configuration_of(start, self.moves());
  const Limits within = limits_of(limits);
  const Target to = target_of(target);
  const Needs needed = needs_of(needs);
  Adapting how = adapting(fit, size, sides, rays, attempts, unsourced);
  Adapted out;
  nb::gil_scoped_release release;
  how.moves = moves(world);
  world.view(t, t + within.longest + kUnderWay, [&](Snapshot& view) {
    check_frames(world, from, to);
    adapt(self, view, needed, within, from, t, to, how, out);
  });
  return out;
}

// Many edges at once: endings, times, configurations at the end and attempts.
auto adapt_many(const Controller& self, const World& world, const Sevens& starts,
                const Numbers& times, const Sevens& targets,
                const std::variant<int, PythonFit>& fit, double size, bool sides, bool rays,
                int attempts, int unsourced, const Numbers& needs, const Numbers& limits,
                int threads) {
  const size_t n = times.size();
  if (starts.shape(0) != n || targets.shape(0) != n)
    throw nb::value_error("the arrays do not fit each other");
  const Limits within = limits_of(limits);
  const Needs needed = needs_of(needs);
  Adapting how = adapting(fit, size, sides, rays, attempts, unsourced);
  for (size_t i = 0; i < n; ++i) check_action(starts.data()[7 * i + 5], self.moves());
  Output<int32_t, 1> endings(n), tries(n);
  Output<double, 1> ends(n);
  Output<double, 7> last(n);
  {
    nb::gil_scoped_release release;
    how.moves = moves(world);
    parallel_for(n, threads, 8, python_interrupt(), [&](size_t first, size_t end) {
      Adapted out;
      for (size_t i = first; i < end; ++i) {
        const double t = times.data()[i];
        const Configuration from = configuration_of(starts.data() + 7 * i);
        const Target to = target_of(targets.data() + 7 * i);
        world.view(t, t + within.longest + kUnderWay, [&](Snapshot& view) {
          check_frames(world, from, to);
          adapt(self, view, needed, within, from, t, to, how, out);
        });
        endings.data[i] = static_cast<int32_t>(out.rollout.ending);
        ends.data[i] = out.rollout.time;
        tries.data[i] = out.attempts;
        const auto row = packed(out.rollout.last);
        std::copy(row.begin(), row.end(), last.data + 7 * i);
      }
    });
  }
  return std::make_tuple(endings.array(), ends.array(), last.array(), tries.array());
}

// Where the body is along a rollout: times (n,) and x, y, z, heading (n, 4) in the world.
auto traced(const Controller& self, const World* world, const Rollout& rollout, double rate) {
  std::vector<double> times;
  std::vector<Level> levels;
  const auto trace = [&](Snapshot* view) {
    double next = rollout.pieces.empty() ? 0 : rollout.pieces.front().start;
    for (size_t i = 0; i < rollout.pieces.size(); ++i) {
      const Piece& piece = rollout.pieces[i];
      for (; next < piece.until() - 1e-9; next += 1.0 / rate) {
        times.push_back(next);
        levels.push_back(piece_level(self.moves(), view, piece, piece.begin + next - piece.start));
      }
      if (i + 1 == rollout.pieces.size()) {
        times.push_back(piece.until());
        levels.push_back(piece_level(self.moves(), view, piece, piece.end));
      }
    }
  };
  {
    nb::gil_scoped_release release;
    if (world == nullptr || rollout.pieces.empty())
      trace(nullptr);
    else
      world->view(rollout.pieces.front().start, rollout.pieces.back().until(),
                  [&](Snapshot& view) { trace(&view); });
  }
  Output<double, 4> out(levels.size());
  for (size_t i = 0; i < levels.size(); ++i) {
    const double row[4] = {levels[i].x, levels[i].y, levels[i].z, levels[i].heading};
    std::copy(row, row + 4, out.data + 4 * i);
  }
  return std::make_tuple(numbers_of(times), out.array());
}

void make_controller(Controller* self, std::shared_ptr<Moves> moves,
                     std::shared_ptr<learning::ValueIteration> learned, const Singles& values,
                     const Indices& policy, const Indices& actions, int subject,
                     const std::vector<int>& sources, std::shared_ptr<Controller> then, int when,
                     double size, const Singles& depths, double too_bad, double discount,
                     double arrival, bool standing) {
  const size_t places = learned->space().axis(0).size() *
                        (learned->space().dimensions() > 1 ? learned->space().axis(1).size() : 1);
  std::vector<Source> from;
  for (const int source : sources) from.push_back(static_cast<Source>(source));
  new (self) Controller(
      std::move(moves), std::move(learned), {values.data(), values.data() + values.size()},
      {policy.data(), policy.data() + policy.size()},
      {actions.data(), actions.data() + actions.size()}, static_cast<Subject>(subject),
      std::move(from), {std::move(then), static_cast<Handover::When>(when), size},
      {{depths.data(), depths.data() + depths.size()}, places, too_bad},
      {discount, arrival, standing});
}

}  // namespace

void bind_control(nb::module_& m) {
  bind_control_moves(m);
  bind_rollout(m);
  bind_adapted(m);
  nb::class_<Controller> c(m, "Controller", "Chooses moves for a task; see surefoot.control.");
  c.def("__init__", &make_controller, nb::arg("moves"), nb::arg("learned"),
        nb::arg("values").noconvert(), nb::arg("policy").noconvert(),
        nb::arg("actions").noconvert(), nb::arg("subject"), nb::arg("sources"),
        nb::arg("then").none(), nb::arg("when"), nb::arg("size"), nb::arg("depths").noconvert(),
        nb::arg("too_bad"), nb::arg("discount"), nb::arg("arrival"), nb::arg("standing"));
  c.def(
      "choose",
      [](const Controller& self, size_t state, const Numbers& task, double radius) {
        expect(task, self.space().dimensions(), "a number for each axis");
        check_index(static_cast<int64_t>(state), self.states(), "state");
        return self.choose(state, task.data(), radius);
      },
      nb::arg("state"), nb::arg("task").noconvert(), nb::arg("radius"),
      "The best action in a state for a task, -1 where there is none.");
  c.def("roll", &roll, nb::arg("world").none(), nb::arg("start").noconvert(), nb::arg("t"),
        nb::arg("target").noconvert(), nb::arg("obstacle").noconvert(),
        nb::arg("constants").noconvert(), nb::arg("needs").noconvert(),
        nb::arg("limits").noconvert(), "What it does from a configuration.");
  c.def("roll_many", &roll_many, nb::arg("levels").noconvert(), nb::arg("actions").noconvert(),
        nb::arg("into").noconvert(), nb::arg("targets").noconvert(),
        nb::arg("obstacles").noconvert(), nb::arg("constants").noconvert(), nb::arg("radius"),
        nb::arg("limits").noconvert(), nb::arg("threads"),
        "Endings, times, last levels and pieces of many rollouts on level ground.");
  c.def("adapt", &adapted, nb::arg("world"), nb::arg("start").noconvert(), nb::arg("t"),
        nb::arg("target").noconvert(), nb::arg("fit"), nb::arg("size"), nb::arg("sides"),
        nb::arg("rays"), nb::arg("attempts"), nb::arg("unsourced"), nb::arg("needs").noconvert(),
        nb::arg("limits").noconvert(), "Finds task parameters that lead to the target.");
  c.def("adapt_many", &adapt_many, nb::arg("world"), nb::arg("starts").noconvert(),
        nb::arg("times").noconvert(), nb::arg("targets").noconvert(), nb::arg("fit"),
        nb::arg("size"), nb::arg("sides"), nb::arg("rays"), nb::arg("attempts"),
        nb::arg("unsourced"), nb::arg("needs").noconvert(), nb::arg("limits").noconvert(),
        nb::arg("threads"), "Endings, times, configurations at the end and attempts of many.");
  c.def("traced", &traced, nb::arg("world").none(), nb::arg("rollout"), nb::arg("rate"),
        "Times (n,) and where the body is (n, 4) along a rollout.");
}

}  // namespace surefoot::bindings
