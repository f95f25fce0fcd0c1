// Nearest samples and values of tasks against the plainest code for them.
#include "learning/neighbours.hpp"
#include "learning/value_iteration.hpp"
#include "tests/random.hpp"

namespace surefoot::learning {
namespace {

using namespace surefoot::testing;

TEST(the_nearest_samples_are_those_of_a_sorted_list) {
  each_seed(25, [](Random& random) {
    Neighbours neighbours({{0, 3, false, 1.0}, {3, 4, true, 0.7}}, 7);
    const auto row = [&] {
      std::vector<double> out;
      const Vec3 v = random.in_box(2);
      const Quat q = random.rotation();
      for (const double x : {v.x, v.y, v.z, q.w, q.x, q.y, q.z}) out.push_back(x);
      return out;
    };
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < 120; ++i) {
      rows.push_back(row());
      neighbours.add(rows.back().data());
    }
    const std::vector<double> asked = row();
    std::vector<std::pair<double, int32_t>> all;
    for (size_t i = 0; i < rows.size(); ++i) {
      double sum = 0, dot = 0;
      for (size_t k = 0; k < 3; ++k) sum += (rows[i][k] - asked[k]) * (rows[i][k] - asked[k]);
      for (size_t k = 3; k < 7; ++k) dot += rows[i][k] * asked[k];
      all.emplace_back(std::sqrt(sum) + 0.7 * 2 * std::acos(std::min(1.0, std::abs(dot))),
                       static_cast<int32_t>(i));
    }
    std::sort(all.begin(), all.end());
    int32_t who[5];
    double away[5];
    neighbours.nearest(asked.data(), 5, who, away);
    for (size_t k = 0; k < 5; ++k) {
      CHECK(who[k] == all[k].second);
      CHECK_NEAR(away[k], all[k].first, 1e-6);
    }
  });
}

TEST(values_between_grid_points_are_linear_between_them) {
  each_seed(20, [](Random& random) {
    const TaskSpace space({Axis({0, 1, 2.5, 4}, 0), Axis({-1, 0, 3}, 0)}, Relation::kNone,
                          {Rule::kShift, Rule::kShift});
    const double a = random.uniform(-2, 2), b = random.uniform(-2, 2), c = random.uniform(-2, 2);
    std::vector<float> values;
    for (size_t i = 0; i < 4; ++i)
      for (size_t j = 0; j < 3; ++j)
        values.push_back(static_cast<float>(a + b * space.axis(0)[i] + c * space.axis(1)[j]));
    for (int i = 0; i < 30; ++i) {
      const double task[2] = {random.uniform(0, 4), random.uniform(-1, 3)};
      CHECK_NEAR(space.at(values.data(), task), a + b * task[0] + c * task[1], 1e-4);
    }
    const double beyond[2] = {99, -99};  // counts as the ends
    CHECK_NEAR(space.at(values.data(), beyond), a + 4 * b - c, 1e-4);
    const double none[2] = {std::nan(""), 0};
    space.at(values.data(), none);  // of no meaning, and no harm
  });
}

struct Case {
  size_t states, actions;
  Transitions table;
  TaskRewards rewards;
};

// Random transitions; the task is a number that stays.
Case random_case(Random& random, size_t tasks) {
  Case c{
      static_cast<size_t>(2 + random.below(6)), static_cast<size_t>(1 + random.below(4)), {}, {}};
  Transitions& t = c.table;
  t.states = c.states, t.actions = c.actions, t.nearest = 2;
  for (size_t pair = 0; pair < c.states * c.actions; ++pair) {
    const auto share = static_cast<float>(random.uniform(0, 1));
    for (int k = 0; k < 2; ++k) t.successors.push_back(random.below(static_cast<int>(c.states)));
    t.weights.push_back(share), t.weights.push_back(1 - share);
    t.rewards.push_back(static_cast<float>(random.uniform(-1, 0)));
    t.discounts.push_back(0.9f);
    for (int k = 0; k < 3; ++k) t.motions.push_back(0);
    t.viable.push_back(random.chance(0.85));
  }
  for (size_t w = 0; w < tasks; ++w) {
    c.rewards.here.push_back(static_cast<float>(random.uniform(-1, 0)));
    c.rewards.there.push_back(static_cast<float>(random.uniform(-1, 0)));
  }
  c.rewards.stuck = -30;
  return c;
}

TaskSpace one_number() { return TaskSpace({Axis({0, 1, 2}, 0)}, Relation::kNone, {Rule::kTurn}); }

TEST(sweeps_come_to_the_values_of_the_equation) {
  each_seed(25, [](Random& random) {
    const size_t tasks = 3;
    const Case c = random_case(random, tasks);
    const ValueIteration solver(one_number(), c.table, c.rewards);
    std::vector<float> values(c.states * tasks, 0), next = values;
    for (int i = 0; i < 400; ++i) {
      solver.sweep(values.data(), next.data(), 1, 1, {});
      values.swap(next);
    }
    for (size_t s = 0; s < c.states; ++s)
      for (size_t w = 0; w < tasks; ++w) {
        double best = -kInfinity;
        for (size_t a = 0; a < c.actions; ++a) {
          const size_t pair = s * c.actions + a;
          if (!c.table.viable[pair]) continue;
          double ahead = 0;
          for (size_t k = 0; k < 2; ++k)
            ahead += static_cast<double>(c.table.weights[2 * pair + k]) *
                     static_cast<double>(
                         values[static_cast<size_t>(c.table.successors[2 * pair + k]) * tasks + w]);
          best = std::max(best, static_cast<double>(c.table.rewards[pair]) +
                                    static_cast<double>(c.rewards.here[w] + c.rewards.there[w]) +
                                    0.9 * ahead);
        }
        const double expected = best == -kInfinity ? -30 : best;
        CHECK_NEAR(static_cast<double>(values[s * tasks + w]), expected, 2e-3);
      }
  });
}

TEST(sweeps_have_the_same_bits_on_any_number_of_threads) {
  Random random(9);
  const Case c = random_case(random, 3);
  const ValueIteration solver(one_number(), c.table, c.rewards);
  std::vector<float> values(c.states * 3), one(values.size()), many(values.size());
  for (float& v : values) v = static_cast<float>(random.uniform(-5, 0));
  solver.sweep(values.data(), one.data(), 0.8f, 1, {});
  solver.sweep(values.data(), many.data(), 0.8f, 4, {});
  CHECK(one == many);
}

TEST(tables_that_do_not_fit_are_refused) {
  Random random(1);
  const Case good = random_case(random, 3);
  const auto make = [&](auto change) {
    Case c = good;
    change(c);
    return ValueIteration(one_number(), c.table, c.rewards);
  };
  CHECK_THROWS(make([](Case& c) { c.table.successors[1] = 99; }), "successors[1] is 99");
  CHECK_THROWS(make([](Case& c) { c.table.successors[0] = -1; }), "successors[0] is -1");
  CHECK_THROWS(make([](Case& c) { c.table.weights.pop_back(); }), "weights has");
  CHECK_THROWS(make([](Case& c) { c.rewards.there.pop_back(); }), "there has 2 entries");
  CHECK_THROWS(make([](Case& c) { c.table.actions = 0; }), "there must be an action");
  // So many that the product wraps round to nothing.
  CHECK_THROWS(make([](Case& c) {
                 c.table = {};
                 c.table.states = size_t{1} << 63, c.table.actions = 2;
               }),
               "states times actions would be more than");
  CHECK_THROWS(Axis({}, 0), "an axis needs a point");
  CHECK_THROWS(Axis({0, 0}, 0), "they must increase");
  CHECK_THROWS(Axis({0, 7}, 6), "span its period or more");
  CHECK_THROWS(TaskSpace(std::vector<Axis>(11, Axis({0, 1}, 0)), Relation::kNone,
                         std::vector<Rule>(11, Rule::kShift)),
               "the number of axes is 11");
  CHECK_THROWS(TaskSpace({Axis({0, 1}, 0)}, Relation::kPlane, {}), "a place needs two axes");
  CHECK_THROWS(Neighbours({{5, 3, false, 1}}, 7), "size is 3");
  CHECK_THROWS(Neighbours({{0, 3, true, 1}}, 7), "a rotation has 4 numbers");
  const double row = 0;
  int32_t who;
  double away;
  CHECK_THROWS(Neighbours({{0, 1, false, 1}}, 1).nearest(&row, 1, &who, &away),
               "k is 1; it must be from 1 to 0");
}

}  // namespace
}  // namespace surefoot::learning
