#include <nanobind/stl/tuple.h>

#include "bindings/control.hpp"

namespace surefoot::bindings {
namespace {

void make_moves(Moves* self, const Indices& offsets, const Numbers& paths,
                const Indices& foot_offsets, const Numbers& feet, const Numbers& durations,
                const Flags& still, const Indices& ends, const Indices& action_moves,
                const Numbers& turns) {
  const size_t count = durations.size();
  if (offsets.size() != count + 1 || foot_offsets.size() != count + 1 || still.size() != count ||
      ends.size() != count || action_moves.size() != turns.size() ||
      paths.size() != 4 * static_cast<size_t>(offsets.data()[count]) ||
      feet.size() != 7 * static_cast<size_t>(foot_offsets.data()[count]))
    throw nb::value_error("the arrays do not fit each other");
  new (self) Moves();
  for (size_t i = 0; i < count; ++i) {
    const int first = offsets.data()[i], foot = foot_offsets.data()[i];
    const int samples = offsets.data()[i + 1] - first;
    if (samples < 2) throw nb::value_error("a path has two points or more");
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
  for (const int32_t move : view(action_moves))
    if (move < 0 || static_cast<size_t>(move) >= count)
      throw nb::value_error("an action is of a move that is not there");
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
