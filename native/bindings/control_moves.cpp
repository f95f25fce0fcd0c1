#include <nanobind/stl/tuple.h>

#include "bindings/control.hpp"

namespace surefoot::bindings {
namespace {

void make_moves(Moves* self, const Indices& offsets, const Numbers& paths,
                const Indices& foot_offsets, const Numbers& feet, const Numbers& durations,
                const Flags& still, const Indices& ends, const Indices& action_moves,
                const Numbers& turns) {
  const size_t count = durations.size();
  check_count(offsets.size(), "offsets", count + 1, "durations (one more)");
  check_count(foot_offsets.size(), "foot_offsets", count + 1, "durations (one more)");
  check_count(still.size(), "still", count, "durations");
  check_count(ends.size(), "ends", count, "durations");
  check_count(turns.size(), "turns", action_moves.size(), "action_moves");
  check_offsets(view(offsets), paths.size() / 4, "offsets");
  check_offsets(view(foot_offsets), feet.size() / 7, "foot_offsets");
  check_count(paths.size(), "paths", 4 * static_cast<size_t>(offsets.data()[count]), "offsets");
  check_count(feet.size(), "feet", 7 * static_cast<size_t>(foot_offsets.data()[count]),
              "foot_offsets");
  check_finite(view(feet), "feet");
  new (self) Moves();
  for (size_t i = 0; i < count; ++i) {
    const int first = offsets.data()[i], foot = foot_offsets.data()[i];
    const int samples = offsets.data()[i + 1] - first;
    self->moves.push_back({static_cast<size_t>(first), static_cast<size_t>(samples),
                           static_cast<size_t>(foot),
                           static_cast<size_t>(foot_offsets.data()[i + 1] - foot),
                           durations.data()[i], still.data()[i], ends.data()[i], 0.0});
  }
  for (size_t i = 0; i < paths.size(); i += 4) self->path.push_back(level_of(paths.data() + i));
  for (size_t i = 0; i < feet.size(); i += 7) {
    const double* row = feet.data() + i;
    self->stands.push_back({static_cast<int>(row[0]), row[1], row[2], level_of(row + 3)});
  }
  self->action_moves.assign(action_moves.data(), action_moves.data() + action_moves.size());
  for (const double turn : view(turns)) self->turns.emplace_back(turn);
  self->measure();
}

}  // namespace

void bind_control_moves(nb::module_& m) {
  nb::class_<Moves> c(m, "Moves", "Pieces of clips, as controllers string them together.");
  c.def("__init__", &make_moves, nb::arg("offsets").noconvert(), nb::arg("paths").noconvert(),
        nb::arg("foot_offsets").noconvert(), nb::arg("feet").noconvert(),
        nb::arg("durations").noconvert(), nb::arg("still").noconvert(), nb::arg("ends").noconvert(),
        nb::arg("action_moves").noconvert(), nb::arg("turns").noconvert());
  c.def(
      "sampled",
      [](const Moves& self, size_t count) {
        if (count < 2) throw nb::value_error("count must be at least 2");
        Output<double, 4> out(self.actions() * count);
        double* to = out.data;
        for (size_t action = 0; action < self.actions(); ++action)
          for (size_t i = 0; i < count; ++i, to += 4) {
            const double t = self.move(action).duration * static_cast<double>(i) /
                             static_cast<double>(count - 1);
            const Level at = self.at(action, t);
            to[0] = at.x, to[1] = at.y, to[2] = at.z, to[3] = at.heading;
          }
        return out.array();
      },
      nb::arg("count"), "(actions x count, 4): the way of each action at even times.");
  c.def(
      "at",
      [](const Moves& self, size_t action, double t) {
        if (action >= self.actions()) throw nb::value_error("no such action");
        const Level at = self.at(action, t);
        return std::make_tuple(at.x, at.y, at.z, at.heading);
      },
      nb::arg("action"), nb::arg("t"), "x, y, z and heading at a time into an action.");
  c.def(
      "levels",
      [](const Moves& self, const Indices& actions, const Numbers& times) {
        if (actions.size() != times.size()) throw nb::value_error("as many actions as times");
        Output<double, 4> out(times.size());
        double* to = out.data;
        for (size_t i = 0; i < times.size(); ++i, to += 4) {
          const auto action = static_cast<size_t>(actions.data()[i]);
          if (actions.data()[i] < 0 || action >= self.actions())
            throw nb::value_error("no such action");
          const Level at = self.at(action, times.data()[i]);
          to[0] = at.x, to[1] = at.y, to[2] = at.z, to[3] = at.heading;
        }
        return out.array();
      },
      nb::arg("actions").noconvert(), nb::arg("times").noconvert(),
      "(n, 4): x, y, z and heading, each at a time into an action.");
  c.def(
      "feet",
      [](const Moves& self, size_t action) {
        if (action >= self.actions()) throw nb::value_error("no such action");
        const auto stands = self.feet(action);
        Output<double, 7> out(stands.size());
        double* to = out.data;
        for (const Stand& stand : stands) {
          const Level at = self.foot(action, stand);
          const double row[7] = {static_cast<double>(stand.foot),
                                 stand.lands,
                                 stand.leaves,
                                 at.x,
                                 at.y,
                                 at.z,
                                 at.heading};
          to = std::copy(row, row + 7, to);
        }
        return out.array();
      },
      nb::arg("action"),
      "(k, 7): foot, when it lands and leaves [s], and where it stands, of an action.");
}

}  // namespace surefoot::bindings
