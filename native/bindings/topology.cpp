#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "topology/atlas.hpp"

namespace surefoot::bindings {
namespace {

using namespace topology;

// radius, height, step, max_slope, speed of each skill.
using Skills =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, 5>, nb::c_contig, nb::device::cpu>;
using Triples =
    nb::ndarray<const int32_t, nb::numpy, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Seven = nb::ndarray<const double, nb::numpy, nb::shape<7>, nb::c_contig, nb::device::cpu>;

std::vector<Skill> to_skills(const Skills& a) {
  std::vector<Skill> out;
  for (size_t i = 0; i < a.shape(0); ++i) {
    const double* p = a.data() + 5 * i;
    out.push_back({{p[0], p[1], p[2], false}, p[3], p[4]});
  }
  return out;
}

template <class T>
auto row(std::initializer_list<T> values) {
  Output<T, 1> out(values.size());
  std::copy(values.begin(), values.end(), out.data);
  return out.array();
}

void bind_roadmap(nb::module_& m) {
  nb::class_<Roadmap>(m, "Roadmap", "A navigable surface, in the body's own frame.")
      .def(
          "nodes",
          [](const Roadmap& self) {
            const size_t n = self.nodes().size();
            Output<double, 3> positions(n);
            Output<uint8_t, 1> skills(n);
            Output<int32_t, 1> surface(n);
            Output<bool, 1> border(n);
            for (size_t i = 0; i < n; ++i) {
              const Node& node = self.nodes()[i];
              positions.put(i, node.position);
              skills.data[i] = node.skills;
              surface.data[i] = node.surface;
              border.data[i] = node.border;
            }
            return std::make_tuple(positions.array(), skills.array(), surface.array(),
                                   border.array());
          },
          "Positions (n, 3), bits of skills, connected part and whether at the border.")
      .def(
          "edges",
          [](const Roadmap& self) {
            std::vector<std::array<int32_t, 3>> rows;
            for (size_t i = 0; i < self.nodes().size(); ++i)
              for (const Edge& e : self.edges(static_cast<int>(i)))
                if (static_cast<int>(i) < e.to)
                  rows.push_back({static_cast<int>(i), e.to, e.skills});
            Output<int32_t, 3> out(rows.size());
            for (size_t i = 0; i < rows.size(); ++i)
              std::copy(rows[i].begin(), rows[i].end(), out.data + 3 * i);
            return out.array();
          },
          "(m, 3): two nodes and the bits of skills that can go between them.")
      .def_prop_ro("spacing", &Roadmap::spacing)
      .def_prop_ro("surface_count", &Roadmap::surface_count);
}

auto statistics(const Relation& r, double now) {
  return row<double>(
      {static_cast<double>(r.from), static_cast<double>(r.to), r.valid ? 1.0 : 0.0,
       r.stable() ? 1.0 : 0.0, r.since, static_cast<double>(r.times_valid), r.mean_valid(now),
       r.mean_invalid(now), r.mean_speed(), static_cast<double>(r.between_count),
       r.between_count ? r.between_sum / r.between_count : 0.0,
       r.between_count ? std::sqrt(std::max(0.0, r.between_squares / r.between_count -
                                                     std::pow(r.between_sum / r.between_count, 2)))
                       : 0.0,
       r.onset, static_cast<double>(r.tried), static_cast<double>(r.found),
       static_cast<double>(r.jumps.size())});
}

void bind_graph(nb::class_<Atlas>& c) {
  c.def(
      "surfaces",
      [](const Atlas& self) {
        const size_t n = self.surfaces().size();
        Output<int32_t, 3> out(n);
        for (size_t i = 0; i < n; ++i) {
          const Surface& s = self.surfaces()[i];
          const int32_t values[3] = {s.body, s.part, s.alive};
          std::copy(values, values + 3, out.data + 3 * i);
        }
        return out.array();
      },
      "(n, 3): body, connected part, and whether it is there now.");
  c.def(
      "relations",
      [](const Atlas& self) {
        std::vector<int> out;
        for (size_t i = 0; i < self.relations().size(); ++i)
          if (self.relations()[i].from >= 0) out.push_back(static_cast<int>(i));
        return out;
      },
      "The numbers of all relations there are.");
  c.def(
      "surface",
      [](const Atlas& self, int index) {
        self.check_surface(index);
        const Surface& s = self.surfaces()[index];
        return std::make_tuple(s.body, s.part, s.alive);
      },
      nb::arg("index"), "Body, connected part, and whether it is there now.");
  c.def(
      "relation",
      [](const Atlas& self, int index) {
        self.check_relation(index);
        return statistics(self.relations()[index], self.now());
      },
      nb::arg("index"),
      "from, to, valid, stable, since, times valid, mean valid, mean invalid, mean speed,\n"
      "periods seen, their mean and deviation, last onset, jumps tried, found and kept.");
  c.def(
      "jumps",
      [](const Atlas& self, int index) {
        self.check_relation(index);
        const auto& jumps = self.relations()[index].jumps;
        Output<double, 5> out(jumps.size());
        for (size_t i = 0; i < jumps.size(); ++i) {
          const Jump& j = jumps[i];
          const double values[5] = {static_cast<double>(j.from), static_cast<double>(j.to), j.lasts,
                                    j.time, j.step ? 1.0 : 0.0};
          std::copy(values, values + 5, out.data + 5 * i);
        }
        return out.array();
      },
      nb::arg("index"), "(n, 5): nodes of take-off and landing, duration, when seen, on foot.");
  c.def(
      "route",
      [](const Atlas& self, int from, int to, double max_speed, double min_valid,
         const Indices& shut) {
        bool reached = false;
        std::vector<int> way = self.route(from, to, {max_speed, min_valid}, view(shut), reached);
        return std::make_tuple(reached, way);
      },
      nb::arg("start"), nb::arg("goal"), nb::arg("max_speed"), nb::arg("min_valid"),
      nb::arg("shut").noconvert(), "Whether there is a way, and its relations in order.");
}

void bind_ways(nb::class_<Atlas>& c) {
  c.def(
      "search",
      [](Atlas& self, int surface, const Vectors& start, double time, int skill,
         const Indices& targets, int most_nodes, double wait, double change) {
        check_count(start.shape(0), "start", 1, "a search");
        Search asked{surface, view(start)[0], time, skill, {}, most_nodes, wait, change, true};
        asked.targets.assign(targets.data(), targets.data() + targets.shape(0));
        Found found;
        {
          nb::gil_scoped_release release;
          found = self.search(asked);
        }
        const size_t n = found.steps.size();
        Output<double, 3> positions(n);
        Output<double, 1> times(n);
        Output<int32_t, 1> nodes(n), skills(n);
        for (size_t i = 0; i < n; ++i) {
          positions.put(i, found.steps[i].position);
          times.data[i] = found.steps[i].time;
          nodes.data[i] = found.steps[i].node;
          skills.data[i] = found.steps[i].skill;
        }
        return std::make_tuple(found.reached, nodes.array(), positions.array(), times.array(),
                               skills.array(), found.expanded, found.effort.tests,
                               static_cast<double>(found.effort.nanoseconds) * 1e-9);
      },
      nb::arg("surface"), nb::arg("start").noconvert(), nb::arg("time"), nb::arg("skill"),
      nb::arg("targets").noconvert(), nb::arg("most_nodes"), nb::arg("wait"), nb::arg("change"),
      "Whether a target is reached; nodes, positions, times and skills of the way; then nodes\n"
      "expanded, obstruction tests, and seconds spent in them.");
  c.def(
      "decide",
      [](Atlas& self, int relation, const Vectors& position, double t, int landing) {
        check_count(position.shape(0), "position", 1, "a decision");
        Decided d;
        {
          nb::gil_scoped_release release;
          d = self.decide(relation, view(position)[0], t, landing);
        }
        return std::make_tuple(
            d.possible, d.jump.to, d.jump.step, d.jump.lasts,
            row<double>({d.flight.from.x, d.flight.from.y, d.flight.from.z}),
            row<double>({d.flight.launch.x, d.flight.launch.y, d.flight.launch.z}));
      },
      nb::arg("relation"), nb::arg("position").noconvert(), nb::arg("t"), nb::arg("landing"),
      "Whether there is a way over now; the node it leads to, on foot or not, how long it takes,\n"
      "and in the world from where and how fast. Near the node `landing`, unless that is -1.");
  c.def(
      "passage",
      [](Atlas& self, int surface, const Vectors& start, int skill, int goal,
         const Indices& targets, double change, double max_speed, double min_valid,
         const Indices& shut, const Triples& spent) {
        check_count(start.shape(0), "start", 1, "a search");
        Search asked{surface, view(start)[0], self.now(), skill, {}, 0, 0, change, true};
        asked.targets.assign(targets.data(), targets.data() + targets.shape(0));
        std::vector<Hop> tired;
        for (size_t i = 0; i < spent.shape(0); ++i) {
          const int32_t* p = spent.data() + 3 * i;
          tired.push_back({p[0], p[1], p[2]});
        }
        Passage found;
        {
          nb::gil_scoped_release release;
          found = self.passage(asked, goal, {max_speed, min_valid}, view(shut), tired);
        }
        Output<int32_t, 3> hops(found.hops.size());
        for (size_t i = 0; i < found.hops.size(); ++i) {
          const Hop& hop = found.hops[i];
          const int32_t values[3] = {hop.relation, hop.from, hop.to};
          std::copy(values, values + 3, hops.data + 3 * i);
        }
        return std::make_tuple(found.reached, hops.array(), found.expanded, found.effort.tests,
                               static_cast<double>(found.effort.nanoseconds) * 1e-9);
      },
      nb::arg("surface"), nb::arg("start").noconvert(), nb::arg("skill"), nb::arg("goal"),
      nb::arg("targets").noconvert(), nb::arg("change"), nb::arg("max_speed"), nb::arg("min_valid"),
      nb::arg("shut").noconvert(), nb::arg("spent").noconvert(),
      "Whether what is at rest leaves a way over all surfaces; (n, 3) where it changes surfaces:\n"
      "relation, take-off and landing; then nodes expanded, tests, and seconds spent in them.");
  c.def(
      "first_contact",
      [](Atlas& self, int frame, const Numbers& times, const Vectors& positions, double radius,
         double height, double step, int except) {
        int body = -1;
        nb::gil_scoped_release release;
        const double time = self.first_contact(frame, view(times), view(positions),
                                               {radius, height, step, false}, except, &body);
        nb::gil_scoped_acquire acquire;
        return std::make_tuple(time, body);
      },
      nb::arg("frame"), nb::arg("times").noconvert(), nb::arg("positions").noconvert(),
      nb::arg("radius"), nb::arg("height"), nb::arg("step"), nb::arg("skip"),
      "When a path first meets something (infinity: never), as all seems to move, and what.");
}

}  // namespace

void bind_topology(nb::module_& m) {
  bind_roadmap(m);
  m.def(
      "jump_reach",
      [](double vertical, double horizontal, double landing, const Numbers& rises) {
        Output<double, 1> out(rises.shape(0));
        const Leap leap{{}, vertical, horizontal, landing};
        for (size_t i = 0; i < out.rows; ++i) out.data[i] = reach(leap, rises.data()[i]);
        return out.array();
      },
      nb::arg("vertical"), nb::arg("horizontal"), nb::arg("landing"), nb::arg("rises").noconvert(),
      "How far landings so much above the take-off can be; negative where there are none.");
  nb::class_<Atlas> c(m, "Atlas", "The world as somebody sees it who cannot tell what comes next.");
  c.def(
      "__init__",
      [](Atlas* self, std::shared_ptr<World> world, const Skills& skills, const Seven& leap,
         const Seven& body, const Seven& watching, int rebuilds, int samples, int kept,
         uint64_t seed) {
        const double *l = leap.data(), *b = body.data(), *w = watching.data();
        const Leap jump{{l[3], l[4], l[5], false}, l[0], l[1], l[2]};
        const Settings settings{{b[0], b[1], static_cast<int>(b[2])},
                                w[0],
                                w[1],
                                w[2],
                                w[3],
                                w[4],
                                b[3],
                                rebuilds,
                                samples,
                                kept,
                                seed};
        new (self) Atlas(std::move(world), to_skills(skills), jump, settings);
      },
      nb::arg("world"), nb::arg("skills").noconvert(), nb::arg("leap").noconvert(),
      nb::arg("sampling").noconvert(), nb::arg("watching").noconvert(), nb::arg("rebuilds"),
      nb::arg("samples"), nb::arg("kept"), nb::arg("seed"),
      "skills: radius, height, step, slope, speed each. leap: vertical, horizontal, landing "
      "speed,\n"
      "radius, height, step. sampling: spacing, inset, most, stride. watching: tilt, still,\n"
      "settling, ahead, forget. Rows of seven are filled up with zeros.");
  c.def("admit", &Atlas::admit, nb::arg("body"), nb::arg("forbidden"));
  c.def("update", &Atlas::update, nb::arg("t"), nb::arg("all"),
        nb::call_guard<nb::gil_scoped_release>());
  c.def_prop_ro("now", &Atlas::now);
  c.def_prop_ro("pruned", &Atlas::pruned);
  c.def(
      "roadmap",
      [](const Atlas& self, int body) {
        self.check_thing(body);
        return std::const_pointer_cast<Roadmap>(self.thing(body).roadmap);
      },
      nb::arg("body"), "Of a body; None while it tumbles or nobody may stand on it.");
  c.def(
      "state",
      [](const Atlas& self, int body) {
        self.check_thing(body);
        const Thing& thing = self.thing(body);
        return std::make_tuple(thing.alive, thing.awake, thing.tumbling, thing.roadmap != nullptr);
      },
      nb::arg("body"), "Alive, awake, tumbling, and with surfaces to stand on.");
  c.def(
      "box",
      [](const Atlas& self, int body) {
        self.check_thing(body);
        const Box& b = self.thing(body).box;
        return row<double>({b.lo.x, b.lo.y, b.lo.z, b.hi.x, b.hi.y, b.hi.z});
      },
      nb::arg("body"));
  c.def(
      "nearest",
      [](const Atlas& self, int body, const Vectors& local, double most) {
        check_count(local.shape(0), "position", 1, "a question");
        const int node = self.nearest(body, view(local)[0], most);
        const Thing& thing = self.thing(body);
        const int part = node < 0 ? -1 : thing.roadmap->nodes()[node].surface;
        return std::make_tuple(part < 0 ? -1 : thing.surfaces[part], node);
      },
      nb::arg("body"), nb::arg("position").noconvert(), nb::arg("most"),
      "The surface and the node of a body nearest to a position of its frame; -1 for none.");
  c.def("obstructed", &Atlas::obstructed, nb::arg("body"), nb::arg("node"),
        "Bits of skills that other bodies take away from a node now.");
  c.def(
      "frame",
      [](const Atlas& self) {
        const Frametimes& f = self.frame();
        return row<double>({f.detection, f.building, f.graph, f.sampling,
                            static_cast<double>(f.awake), static_cast<double>(f.tumbling),
                            static_cast<double>(f.rebuilt), static_cast<double>(f.pairs),
                            static_cast<double>(f.obstructions), static_cast<double>(f.tried)});
      },
      "Seconds of looking, building, relating and sampling; then counts of the last frame: awake,\n"
      "tumbling, rebuilt, pairs looked at, obstructions, jumps tried.");
  bind_graph(c);
  bind_ways(c);
}

}  // namespace surefoot::bindings
