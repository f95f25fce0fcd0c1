#include <nanobind/stl/vector.h>

#include "bindings/control.hpp"
#include "bindings/spacetime.hpp"
#include "spacetime/ahead.hpp"
#include "spacetime/arrivals.hpp"
#include "spacetime/outlook.hpp"
#include "spacetime/soonest.hpp"

namespace surefoot::bindings {
namespace {

using namespace surefoot::spacetime;

void check_pair(const Meetings& meetings, int a, int b) {
  for (const int landmark : {a, b}) check_index(landmark, meetings.size(), "landmark");
}

template <class Answer>
auto of_pair(Answer (Meetings::*ask)(int, int) const) {
  return [ask](const Meetings& self, int a, int b) {
    check_pair(self, a, b);
    return (self.*ask)(a, b);
  };
}

void bind_meetings(nb::module_& m) {
  nb::class_<Meetings> c(m, "Meetings", "When landmarks come within reach of each other.");
  c.def(
      "__init__",
      [](Meetings* self, const World& world, const Indices& frames, const Vectors& places,
         const Indices& bodies, const Numbers& reach, double start, double latest) {
        const size_t n = frames.size();
        if (places.shape(0) != n || bodies.size() != n)
          throw nb::value_error("the arrays do not fit each other");
        expect(reach, 14, "a reach has 14 numbers");
        std::vector<Landmark> landmarks;
        for (size_t i = 0; i < n; ++i)
          landmarks.push_back({frames.data()[i], view(places)[i], bodies.data()[i]});
        const double* r = reach.data();
        nb::gil_scoped_release release;
        new (self) Meetings(world, std::move(landmarks),
                            {r[0],
                             r[1],
                             r[2],
                             r[3],
                             r[4],
                             r[5],
                             r[6],
                             r[7],
                             r[8],
                             r[9],
                             static_cast<int>(r[10]),
                             {r[11], r[12], r[13], false}},
                            start, latest);
      },
      nb::arg("world"), nb::arg("frames").noconvert(), nb::arg("places").noconvert(),
      nb::arg("bodies").noconvert(), nb::arg("reach").noconvert(), nb::arg("start"),
      nb::arg("latest"),
      "reach: same, across, rise, drop [m], slope, step, gap [m], lead, lag [s], beside [m], "
      "nearest;\n"
      "radius, height and step [m] of who goes.");
  c.def("__len__", &Meetings::size);
  c.def(
      "near",
      [](const Meetings& self, int landmark) {
        check_index(landmark, self.size(), "landmark");
        const auto near = self.near(landmark);
        return std::vector<int>(near.begin(), near.end());
      },
      nb::arg("landmark"));
  c.def("hindered", of_pair(&Meetings::hindered), nb::arg("a"), nb::arg("b"),
        "Whether something that never moves against both stands between two landmarks.");
  c.def("least", of_pair(&Meetings::least), nb::arg("a"), nb::arg("b"));
  c.def(
      "in_reach",
      [](const Meetings& self, int a, int b, double t) {
        check_pair(self, a, b);
        check_time(t, "t");
        return self.in_reach(a, b, t);
      },
      nb::arg("a"), nb::arg("b"), nb::arg("t"));
  c.def(
      "crossable",
      [](const Meetings& self, int a, int b, double t, double gap, double rise, double drop) {
        check_pair(self, a, b);
        check_time(t, "t");
        return self.crossable(a, b, t, {gap, rise, drop});
      },
      nb::arg("a"), nb::arg("b"), nb::arg("t"), nb::arg("gap"), nb::arg("rise"), nb::arg("drop"),
      "Likewise, with no more than that between them soon after.");
  c.def(
      "ahead",
      [](const Meetings& self, const Flags& goals, const Numbers& radii, double metre) {
        if (goals.size() != self.size() || radii.size() != self.size())
          throw nb::value_error("the arrays do not fit each other");
        const Prices prices{metre, list_of(radii)};
        const std::vector<bool> wanted = flags_of(goals);
        std::vector<double> found;
        {
          nb::gil_scoped_release release;
          found = ahead(self, wanted, prices);
        }
        return numbers_of(found);
      },
      nb::arg("goals").noconvert(), nb::arg("radii").noconvert(), nb::arg("metre"),
      "(n,): what is left to a goal costs at least, infinite where no way leads there.");
}

Fastest fastest_of(const Numbers& numbers) {
  expect(numbers, 4, "the fastest is 4 numbers");
  const double* f = numbers.data();
  return {f[0], f[1], f[2], f[3]};
}

void bind_arrivals(nb::module_& m) {
  nb::class_<Arrivals> c(m, "Arrivals", "When a goal is reached at the earliest, from everywhere.");
  c.def(
      "__init__",
      [](Arrivals* self, const Meetings& meetings, const Flags& goals, const Numbers& at_goal,
         const Numbers& fastest) {
        if (goals.size() != meetings.size())
          throw nb::value_error("the arrays do not fit each other");
        expect(at_goal, 3, "being at a goal is 3 numbers");
        const double* g = at_goal.data();
        const std::vector<bool> wanted = flags_of(goals);
        const Fastest how = fastest_of(fastest);
        nb::gil_scoped_release release;
        new (self) Arrivals(meetings, wanted, {g[0], g[1], g[2]}, how);
      },
      nb::arg("meetings"), nb::arg("goals").noconvert(), nb::arg("at_goal").noconvert(),
      nb::arg("fastest").noconvert(), nb::keep_alive<1, 2>(),
      "at_goal: tolerance [m], earliest, latest [s]; fastest: speed [m/s], crossing [s], near,\n"
      "boarded [m].");
  c.def("goal", &Arrivals::goal, nb::arg("landmark"), nb::arg("t"), nb::arg("boarded"));
}

void bind_likely(nb::module_& m) {
  nb::class_<Likely> c(m, "Likely", "What is left to a goal most likely costs, from everywhere.");
  c.def(
      "__init__",
      [](Likely* self, const Meetings& meetings, const Flags& goals, int start,
         const Numbers& fastest, const Numbers& dear, const Numbers& pace) {
        if (goals.size() != meetings.size() || dear.size() != meetings.size() || start < 0 ||
            static_cast<size_t>(start) >= meetings.size())
          throw nb::value_error("the arrays do not fit each other");
        expect(pace, 10, "a pace is 10 numbers");
        const double* p = pace.data();
        const std::vector<bool> wanted = flags_of(goals);
        const Fastest how = fastest_of(fastest);
        const std::vector<double> prices = list_of(dear);
        nb::gil_scoped_release release;
        new (self) Likely(meetings, wanted, soonest(meetings, start, how), prices,
                          {p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9]});
      },
      nb::arg("meetings"), nb::arg("goals").noconvert(), nb::arg("start"),
      nb::arg("fastest").noconvert(), nb::arg("dear").noconvert(), nb::arg("pace").noconvert(),
      nb::keep_alive<1, 2>(),
      "pace: speed [m/s], start, crossing [s], gap [m], later [s], what a second of waiting "
      "costs,\n"
      "halt, earliest, latest, longer where hindered [s].");
  c.def("left", &Likely::left, nb::arg("landmark"), nb::arg("t"));
  c.def("soonest", &Likely::soonest, nb::arg("landmark"));
}

void bind_outlook(nb::module_& m) {
  nb::class_<Outlook> c(m, "Outlook", "What is likely, as a search learns it.");
  c.def(nb::init<const Likely&, double>(), nb::arg("likely"), nb::arg("doubt") = 3.0,
        nb::keep_alive<1, 2>());
  c.def("tell", &Outlook::tell, nb::arg("start"), nb::arg("to"), nb::arg("departs"),
        nb::arg("succeeded"), nb::arg("rests") = false, "What became of a way.");
  c.def("left", &Outlook::left, nb::arg("landmark"), nb::arg("t"));
  c.def("doubt", &Outlook::doubt, nb::arg("start"), nb::arg("to"), nb::arg("departs"),
        "[s]: by how much worse a way is that has failed about then.");
}

}  // namespace

void bind_estimates(nb::module_& m) {
  bind_meetings(m);
  bind_arrivals(m);
  bind_likely(m);
  bind_outlook(m);
}

}  // namespace surefoot::bindings
