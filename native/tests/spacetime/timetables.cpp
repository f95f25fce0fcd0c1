// The search through time over random timetables, against a table of the best from every landmark
// at every tick.
#include "spacetime/search.hpp"
#include "spacetime/timetable.hpp"
#include "tests/random.hpp"

namespace surefoot::spacetime {
namespace {

using namespace surefoot::testing;

constexpr double kTick = 0.5;

struct Case {
  Timetable table;
  std::vector<std::vector<uint8_t>> safe;  // by landmark, tick
  double waiting;                          // [1/s] cost
  int goal;
};

Case random_case(Random& random) {
  Case c;
  Timetable& t = c.table;
  t.landmarks = static_cast<size_t>(3 + random.below(6));
  t.controllers = 2;
  t.ticks = 60;
  t.tick = kTick;
  t.rates = {1, random.chance(0.5) ? 1.0 : 1.6};
  c.waiting = random.chance(0.5) ? 1.0 : 0.4;
  const auto n = t.landmarks;
  c.goal = static_cast<int>(n) - 1;
  c.safe.assign(n, std::vector<uint8_t>(t.ticks, 1));
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 1; k < t.ticks; ++k)
      c.safe[i][k] = c.safe[i][k - 1] ? !random.chance(0.08) : random.chance(0.4);
  t.durations.assign(n * t.controllers * n * t.ticks, 0);
  for (size_t from = 0; from < n; ++from)
    for (size_t controller = 0; controller < t.controllers; ++controller)
      for (size_t to = 0; to < n; ++to) {
        if (from == to || random.chance(0.4)) continue;
        const int usual = 1 + random.below(6);
        bool open = random.chance(0.5);
        for (size_t k = 0; k < t.ticks; ++k) {
          if (random.chance(0.15)) open = !open;
          const auto lasts = static_cast<size_t>(usual + random.below(2));
          if (open && c.safe[from][k] && k + lasts < t.ticks && c.safe[to][k + lasts])
            t.durations[t.index(static_cast<int>(from), static_cast<int>(controller),
                                static_cast<int>(to)) *
                            t.ticks +
                        k] = static_cast<int32_t>(lasts);
        }
      }
  t.until.assign(n * t.ticks, 0);
  for (size_t i = 0; i < n; ++i)
    for (size_t k = t.ticks; k-- > 0;)
      t.until[i * t.ticks + k] = k + 1 < t.ticks && c.safe[i][k + 1] ? t.until[i * t.ticks + k + 1]
                                                                     : static_cast<int32_t>(k);
  t.goals.assign(n, false);
  t.goals[static_cast<size_t>(c.goal)] = true;
  t.ahead.assign(n, 0);
  return c;
}

// What the best way to the goal costs from a landmark at tick 0, tick by tick backward.
double best_of(const Case& c) {
  const Timetable& t = c.table;
  const size_t n = t.landmarks;
  std::vector<std::vector<double>> best(n, std::vector<double>(t.ticks, kInfinity));
  for (size_t k = t.ticks; k-- > 0;)
    for (size_t i = 0; i < n; ++i) {
      double& own = best[i][k];
      if (static_cast<int>(i) == c.goal) own = 0;
      if (k + 1 < t.ticks && c.safe[i][k + 1])
        own = std::min(own, c.waiting * kTick + best[i][k + 1]);
      for (size_t controller = 0; controller < t.controllers; ++controller)
        for (size_t to = 0; to < n; ++to) {
          const int32_t lasts =
              t.durations[t.index(static_cast<int>(i), static_cast<int>(controller),
                                  static_cast<int>(to)) *
                              t.ticks +
                          k];
          if (lasts > 0)
            own = std::min(own, t.rates[controller] * kTick * lasts +
                                    best[to][k + static_cast<size_t>(lasts)]);
        }
    }
  return best[0][0];
}

Settings settings_of(const Case& c) {
  Settings s;
  s.latest = kTick * static_cast<double>(c.table.ticks - 1);
  s.tick = s.wait = kTick;
  s.preparation = 0;
  s.waiting_cost = c.waiting;
  return s;
}

Found run(const Case& c, const Settings& settings) {
  TimetableEdges edges(c.table);
  return Search(edges, settings, {}).run(0, 0);
}

TEST(a_search_through_time_finds_the_best_way) {
  int reached = 0, waited = 0;
  each_seed(200, [&](Random& random) {
    const Case c = random_case(random);
    const double best = best_of(c);
    const Found found = run(c, settings_of(c));
    CHECK((found.end == End::kReached) == (best < kInfinity));
    if (best == kInfinity) return;
    ++reached;
    CHECK_NEAR(found.cost, best, 1e-9);
    CHECK(found.least <= best + 1e-9);
    for (size_t k = 1; k < found.path.size(); ++k) {
      const Label &from = found.labels[found.path[k - 1]], &to = found.labels[found.path[k]];
      CHECK(to.departs >= from.time - 1e-9 && to.time > to.departs);
      waited += to.departs > from.time + 1e-6;
    }
  });
  CHECK(reached > 100 && waited > 20);
}

TEST(a_way_costs_no_more_than_the_stated_part_above_the_best) {
  each_seed(100, [](Random& random) {
    const Case c = random_case(random);
    const double best = best_of(c);
    Settings greedy = settings_of(c);
    greedy.price = 1.5;
    greedy.haste = 2;
    const Found found = run(c, greedy);
    CHECK((found.end == End::kReached) == (best < kInfinity));
    if (best < kInfinity) CHECK(found.cost <= 1.5 * best + 1e-9);
  });
}

TEST(a_search_ends_when_it_has_expanded_as_much_as_it_may) {
  each_seed(30, [](Random& random) {
    const Case c = random_case(random);
    Settings few = settings_of(c);
    few.most_nodes = 1;
    const Found found = run(c, few);
    CHECK(found.counts.expanded <= 2);
  });
}

TEST(a_timetable_that_does_not_fit_is_refused) {
  Random random(2);
  const Case good = random_case(random);
  Case c = good;
  c.table.durations.pop_back();
  CHECK_THROWS(TimetableEdges(c.table), "durations has");
  c = good;
  c.table.landmarks = size_t{1} << 33;  // four of these multiplied overflow
  CHECK_THROWS(TimetableEdges(c.table), "landmarks is 8.58993e+09");
  c = good;
  c.table.durations[0] = -1;
  CHECK_THROWS(TimetableEdges(c.table), "a duration is -1");
  c = good;
  c.table.goals.pop_back();
  CHECK_THROWS(TimetableEdges(c.table), "goals has");
  Settings s = settings_of(good);
  s.tick = 0;
  CHECK_THROWS(run(good, s), "tick is 0");
  s = settings_of(good);
  s.latest = kInfinity;
  CHECK_THROWS(run(good, s), "latest is inf");
  TimetableEdges edges(good.table);
  CHECK_THROWS(Search(edges, settings_of(good), {}).run(99, 0), "landmark is 99");
}

}  // namespace
}  // namespace surefoot::spacetime
