#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "learning/value_iteration.hpp"

namespace surefoot::bindings {
namespace {

using learning::ValueIteration;
using Floats1 = nb::ndarray<const float, nb::numpy, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Values =
    nb::ndarray<const float, nb::numpy, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Tasks =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using NewValues = nb::ndarray<float, nb::numpy, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const bool, nb::numpy, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

template <class Array>
auto copied(const Array& array) {
  using T = std::remove_const_t<std::remove_pointer_t<decltype(array.data())>>;
  return std::vector<T>(array.data(), array.data() + array.size());
}

template <class Array>
void check(const ValueIteration& self, const Array& values) {
  if (values.shape(0) != self.table().states || values.shape(1) != self.space().size())
    throw nb::value_error("values must be states x tasks");
}

void make(ValueIteration* self, const std::vector<std::vector<double>>& axes,
          const std::vector<double>& periods, int relation, const std::vector<int>& rules,
          std::tuple<size_t, size_t, size_t> shape, const Indices& successors,
          const Floats1& weights, const Floats1& rewards, const Floats1& discounts,
          const Numbers& motions, const Numbers& shifts, const Flags& viable, const Floats1& here,
          const Floats1& there, float stuck, const Floats1& acting, const Floats1& going,
          const Flags& known, const Indices& columns, const Indices& early_first,
          const Indices& early, const Floats1& saved) {
  std::vector<learning::Axis> made;
  check_count(periods.size(), "periods", axes.size(), "axes");
  for (size_t k = 0; k < axes.size(); ++k) made.emplace_back(axes[k], periods[k]);
  std::vector<learning::Rule> changed;
  for (const int rule : rules) changed.push_back(static_cast<learning::Rule>(rule));
  learning::TaskSpace space(std::move(made), static_cast<learning::Relation>(relation),
                            std::move(changed));
  learning::Transitions table;
  std::tie(table.states, table.actions, table.nearest) = shape;
  for (const int32_t first : view(early_first)) require(first >= 0, "early_first has ", first);
  table.successors = copied(successors);
  table.weights = copied(weights);
  table.rewards = copied(rewards);
  table.discounts = copied(discounts);
  table.motions = copied(motions);
  table.shifts = copied(shifts);
  table.viable.assign(viable.data(), viable.data() + viable.size());
  new (self) ValueIteration(std::move(space), std::move(table),
                            {copied(here),
                             copied(there),
                             stuck,
                             copied(acting),
                             copied(going),
                             copied(columns),
                             {early_first.data(), early_first.data() + early_first.size()},
                             copied(early),
                             copied(saved),
                             {known.data(), known.data() + known.size()}});
}

}  // namespace

void bind_learning(nb::module_& m) {
  nb::class_<ValueIteration> c(m, "ValueIteration",
                               "Fitted value iteration; see surefoot.learning for the meaning.");
  c.def("__init__", &make, nb::arg("axes"), nb::arg("periods"), nb::arg("relation"),
        nb::arg("rules"), nb::arg("shape"), nb::arg("successors").noconvert(),
        nb::arg("weights").noconvert(), nb::arg("rewards").noconvert(),
        nb::arg("discounts").noconvert(), nb::arg("motions").noconvert(),
        nb::arg("shifts").noconvert(), nb::arg("viable").noconvert(), nb::arg("here").noconvert(),
        nb::arg("there").noconvert(), nb::arg("stuck"), nb::arg("acting").noconvert(),
        nb::arg("going").noconvert(), nb::arg("known").noconvert(), nb::arg("columns").noconvert(),
        nb::arg("early_first").noconvert(), nb::arg("early").noconvert(),
        nb::arg("saved").noconvert());
  c.def_prop_ro("shared", &ValueIteration::shared,
                "Whether every action does the same in all states that allow it.");
  c.def(
      "sweep",
      [](const ValueIteration& self, const Values& old, NewValues& next, float rate, int threads) {
        check(self, old);
        check(self, next);
        const bool in_place = old.data() == next.data();
        nb::gil_scoped_release release;
        return self.sweep(old.data(), next.data(), rate, in_place ? 1 : threads,
                          python_interrupt());
      },
      nb::arg("old").noconvert(), nb::arg("next").noconvert(), nb::arg("rate"), nb::arg("threads"),
      "One sweep over all states and tasks; the largest change. In place when both are the same.");
  c.def(
      "greedy",
      [](const ValueIteration& self, const Values& values, int threads) {
        check(self, values);
        const size_t states = self.table().states, tasks = self.space().size();
        Output<int32_t, 1> out(states * tasks);
        {
          nb::gil_scoped_release release;
          self.greedy(values.data(), out.data, threads, python_interrupt());
        }
        return nb::ndarray<nb::numpy, int32_t, nb::shape<-1, -1>>(out.data, {states, tasks},
                                                                  out.owner);
      },
      nb::arg("values").noconvert(), nb::arg("threads"),
      "(states, tasks): the best action, -1 where there is none.");
  c.def(
      "look_ahead",
      [](const ValueIteration& self, const Values& values, size_t state, const Numbers& task) {
        check(self, values);
        if (state >= self.table().states || task.size() != self.space().dimensions())
          throw nb::value_error("no such state or task");
        Output<double, 1> out(self.table().actions);
        self.look_ahead(values.data(), state, task.data(), out.data);
        return out.array();
      },
      nb::arg("values").noconvert(), nb::arg("state"), nb::arg("task").noconvert(),
      "(actions,): what each action is worth, -inf where it is not viable.");
  c.def(
      "look_ahead_among",
      [](const ValueIteration& self, const Values& values, const Indices& states,
         const Numbers& shares, const Numbers& task) {
        check(self, values);
        if (states.size() != shares.size() || task.size() != self.space().dimensions())
          throw nb::value_error("a share for each state, and a number for each axis");
        for (size_t i = 0; i < states.size(); ++i)
          if (states.data()[i] < 0 || size_t(states.data()[i]) >= self.table().states)
            throw nb::value_error("no such state");
        Output<double, 1> out(self.table().actions);
        self.look_ahead_among(values.data(), {states.data(), states.size()},
                              {shares.data(), shares.size()}, task.data(), out.data);
        return out.array();
      },
      nb::arg("values").noconvert(), nb::arg("states").noconvert(), nb::arg("shares").noconvert(),
      nb::arg("task").noconvert(),
      "(actions,): what each action is worth in a state that lies between some.");
  c.def(
      "value",
      [](const ValueIteration& self, const Values& values, size_t state, const Numbers& task) {
        check(self, values);
        if (state >= self.table().states || task.size() != self.space().dimensions())
          throw nb::value_error("no such state or task");
        return self.space().at(values.data() + self.space().size() * state, task.data());
      },
      nb::arg("values").noconvert(), nb::arg("state"), nb::arg("task").noconvert(),
      "The value of a state for a task between grid points.");
  c.def(
      "values",
      [](const ValueIteration& self, const Values& values, size_t state, const Tasks& tasks) {
        check(self, values);
        const size_t axes = self.space().dimensions();
        if (state >= self.table().states || tasks.shape(1) != axes)
          throw nb::value_error("no such state or task");
        Output<double, 1> out(tasks.shape(0));
        const float* const own = values.data() + self.space().size() * state;
        for (size_t i = 0; i < tasks.shape(0); ++i)
          out.data[i] = self.space().at(own, tasks.data() + axes * i);
        return out.array();
      },
      nb::arg("values").noconvert(), nb::arg("state"), nb::arg("tasks").noconvert(),
      "(n,): the values of a state for many tasks.");
}

}  // namespace surefoot::bindings
