// Footsteps: where soles rest, where actions may land, what swings must clear, and searches against
// all plans of a few steps.
#include <functional>

#include "footsteps/clearing.hpp"
#include "footsteps/search.hpp"
#include "footsteps/terrain.hpp"
#include "footsteps/traffic.hpp"
#include "tests/bodies.hpp"
#include "tests/scenes.hpp"

namespace surefoot::footsteps {
namespace {

using namespace surefoot::testing;

constexpr SoleShape kSole{0.26, 0.1};

// 0 stands; 1 and 2 step ahead with the left and the right foot; 3 and 4 turn the same way; 5 is a
// step for rough ground.
std::shared_ptr<StepTable> make_table() {
  auto table = std::make_shared<StepTable>();
  const auto add = [&](double dx, double turn, double duration, double effort, int lands,
                       bool stands) {
    Action a{};
    a.dx = dx, a.turn = turn, a.cosine = std::cos(turn), a.sine = std::sin(turn);
    a.duration = duration, a.effort = effort;
    a.shape = static_cast<int32_t>(table->actions.size());
    a.stop = 0;
    a.girth = 0.4f, a.pace = 2;
    a.kind = a.shape;
    a.stands = stands, a.lands = static_cast<uint8_t>(lands);
    for (int foot = 0; foot < 2; ++foot) {
      a.soles[foot][0] = 0.05f, a.soles[foot][1] = foot ? -0.1f : 0.1f;
      a.leaves[foot] = 0.1f;
    }
    a.up = a.down = 0.3f;
    table->actions.push_back(a);
    for (int k = 0; k < kSamples; ++k) {
      const float u = static_cast<float>(k) / (kSamples - 1), x = u * static_cast<float>(dx);
      // Root, head, hands, feet.
      const float points[kPoints][3] = {{x, 0, 1},         {x, 0, 1.6f},     {x, 0.25f, 0.9f},
                                        {x, -0.25f, 0.9f}, {x, 0.1f, 0.05f}, {x, -0.1f, 0.05f}};
      for (const auto& p : points) table->samples.insert(table->samples.end(), p, p + 3);
    }
  };
  add(0, 0, 0.5, 0.4, 0, true);
  add(0.35, 0, 0.6, 1.0, 1, false);
  add(0.35, 0, 0.6, 1.0, 2, false);
  add(0.2, 0.5, 0.6, 1.1, 1, false);
  add(0.2, -0.5, 0.6, 1.1, 2, false);
  add(0.3, 0, 0.7, 1.3, 1, false);
  table->actions[5].platform = 1;
  const std::vector<std::vector<int32_t>> after{{1, 2, 3, 4, 5}, {0, 2, 4},    {0, 1, 3, 5},
                                                {0, 2, 4},       {0, 1, 3, 5}, {0, 2, 4}};
  table->offsets = {0};
  for (const auto& next : after) {
    table->successors.insert(table->successors.end(), next.begin(), next.end());
    table->usual.push_back(static_cast<int32_t>(table->successors.size()) - (next.back() == 5));
    table->offsets.push_back(static_cast<int32_t>(table->successors.size()));
  }
  for (size_t i = 0; i < table->successors.size(); ++i)
    table->changes.push_back(0.01f * static_cast<float>(i));
  const float radii[kPoints] = {0.1f, 0.15f, 0.08f, 0.08f, 0.1f, 0.1f};
  for (int p = 0; p < kPoints; ++p)
    table->radii[p] = radii[p], table->low[p] = -0.05f, table->high[p] = p == 0 ? 0.5f : 0.1f;
  table->sole = 0.05f;
  table->price = 2;
  table->check();
  return table;
}

// Everything is free but a disc that no action may end in.
struct Disc : Surroundings {
  double x = 1e6, y = 0, radius = 0;

  bool open(const State& at) const { return std::hypot(at.x - x, at.y - y) > radius; }
  bool free(const State&, int32_t, State& to, Treads&) override { return open(to); }
  bool stays(const State& at, int32_t) override { return open(at); }
};

Errand errand_to(const std::vector<WayPoint>& way) {
  Errand e{};
  e.start = facing(0, 0, 0, 0, 0);
  e.action = 0;
  e.way = way;
  e.tolerance = 0.25;
  e.heading = std::nan("");
  e.earliest = 0, e.latest = kInfinity;
  e.budget = 1000000;
  return e;
}

// The least cost of all plans of up to `depth` actions that end at rest at the goal.
double least_cost(const StepTable& table, const Errand& errand, Disc& disc, int depth) {
  double best = kInfinity;
  const WayPoint goal = errand.way.back();
  const std::function<void(const State&, int32_t, double, int)> go =
      [&](const State& at, int32_t action, double cost, int left) {
        if (cost >= best) return;
        if (table.actions[action].stands &&
            std::hypot(goal.x - at.x, goal.y - at.y) <= errand.tolerance) {
          best = cost;
          return;
        }
        if (left == 0) return;
        const int32_t first = table.offsets[action];
        const auto next = table.after(action, errand.rough);
        for (size_t i = 0; i < next.size(); ++i) {
          const State to = moved(at, table.actions[next[i]]);
          if (disc.open(to))
            go(to, next[i],
               cost + table.actions[next[i]].effort + static_cast<double>(table.changes[first + i]),
               left - 1);
        }
      };
  go(errand.start, errand.action, 0, depth);
  return best;
}

TEST(the_plan_found_is_the_cheapest_of_all_plans) {
  const auto table = make_table();
  int reached = 0;
  each_seed(40, [&](Random& random) {
    Disc disc;
    if (random.chance(0.6))
      disc.x = random.uniform(0.3, 0.8), disc.y = random.uniform(-0.3, 0.3), disc.radius = 0.15;
    const std::vector<WayPoint> way{{random.uniform(0.3, 1.6), random.uniform(-0.6, 0.6), 0}};
    Errand errand = errand_to(way);
    errand.rough = random.chance(0.3);
    const double best = least_cost(*table, errand, disc, 7);
    if (best > 6) return;  // longer plans could be cheaper
    ++reached;
    const Found found = Searcher(*table, nullptr, {}).search(errand, disc);
    CHECK(found.reached);
    CHECK_NEAR(found.cost, best, 1e-6);
    CHECK_NEAR(found.bound, 1, 0);
    // It is a plan: each action may follow the one before, and ends where it takes the body.
    State at = errand.start;
    int32_t before = errand.action;
    for (size_t i = 0; i < found.actions.size(); ++i) {
      const auto next = table->after(before, true);
      CHECK(std::find(next.begin(), next.end(), found.actions[i]) != next.end() ||
            found.actions[i] == table->actions[before].stop);
      at = moved(at, table->actions[found.actions[i]]);
      CHECK_NEAR(found.ends[i].x, at.x, 1e-9);
      CHECK(disc.open(found.ends[i]));
      before = found.actions[i];
    }
    CHECK(table->actions[before].stands);
  });
  CHECK(reached > 15);
}

TEST(an_anytime_search_ends_with_the_cheapest_plan) {
  const auto table = make_table();
  each_seed(15, [&](Random& random) {
    Disc disc;
    const std::vector<WayPoint> way{{random.uniform(0.3, 1.5), random.uniform(-0.5, 0.5), 0}};
    const Errand errand = errand_to(way);
    SearchSettings anytime;
    anytime.first_weight = 3;
    const Found once = Searcher(*table, nullptr, {}).search(errand, disc);
    const Found rounds = Searcher(*table, nullptr, anytime).search(errand, disc);
    CHECK(once.reached == rounds.reached);
    if (once.reached) CHECK_NEAR(rounds.cost, once.cost, 1e-9);
  });
}

TEST(a_heavier_heuristic_costs_no_more_than_its_weight) {
  const auto table = make_table();
  each_seed(15, [&](Random& random) {
    Disc disc;
    const std::vector<WayPoint> way{{random.uniform(0.8, 2.0), random.uniform(-0.5, 0.5), 0}};
    const Errand errand = errand_to(way);
    SearchSettings heavy;
    heavy.weight = 2;
    const Found best = Searcher(*table, nullptr, {}).search(errand, disc);
    const Found quick = Searcher(*table, nullptr, heavy).search(errand, disc);
    CHECK(best.reached && quick.reached);
    CHECK(quick.cost >= best.cost - 1e-9 && quick.cost <= 2 * best.cost + 1e-9);
    CHECK(quick.expanded <= best.expanded);
  });
}

TEST(a_search_that_may_expand_little_gives_a_plan_that_stops) {
  const auto table = make_table();
  Disc disc;
  const std::vector<WayPoint> way{{30, 0, 0}};
  Errand errand = errand_to(way);
  errand.budget = 20;
  const Found found = Searcher(*table, nullptr, {}).search(errand, disc);
  CHECK(found.exhausted && !found.reached && !found.stuck);
  CHECK(found.expanded <= 21);
  CHECK(table->actions[found.actions.back()].stands);
}

TEST(a_guide_knows_what_standing_at_the_goal_costs) {
  const auto table = make_table();
  const Guide guide(*table, 0.25, 1e-3, 200);
  CHECK_NEAR(guide.cost(0, 0, 0, 0), 0, 1e-6);
  CHECK(guide.cost(0, 3, 0, 0) > guide.cost(0, 1.5, 0, 0));
  CHECK(guide.cost(0, -1.5, 0, 0) > guide.cost(0, 1.5, 0, 0));  // turning costs
  // Mirrored goals cost alike, but for what changes of feet cost.
  CHECK_NEAR(guide.cost(0, 1, 1, 0), guide.cost(0, 1, -1, 0), 0.5);
  // A step ahead is what it costs, and what is left after it.
  CHECK(guide.cost(0, 1.5, 0, 0) <= 1.0 + 0.02 + guide.cost(1, 1.15, 0, 0) + 0.1);
}

// --- ground --------------------------------------------------------------------------------------

struct Land {
  std::shared_ptr<World> world = std::make_shared<World>();
  std::shared_ptr<StepTable> table = make_table();

  void add(const Surface& s, TrajectoryPtr where = nullptr) {
    world->add("", s.mesh(), where ? where : at(Vec3{}), true);
  }
  Sole rest_at(double x, double y, double z, double yaw = 0, double reach = 0.5) const {
    Sole sole;
    world->view(0, 0, [&](Snapshot& view) { sole = rest(view, kSole, x, y, z, yaw, 0, reach); });
    return sole;
  }
  // Whether an action may be done from a state, and where it then ends.
  bool free(const State& from, int32_t action, bool rough, State& to, Treads& treads) const {
    TerrainSettings settings;
    settings.foot = kSole;
    Terrain terrain(world, settings);
    bool good = false;
    to = moved(from, table->actions[action]);
    world->during(0, 60, [&](const BroadPhase::Span& span) {
      good = Ground(terrain, span, {}).free(*table, from, action, 0, rough, to, treads);
    });
    return good;
  }
  bool free(const State& from, int32_t action, bool rough = false) const {
    State to;
    Treads treads;
    return free(from, action, rough, to, treads);
  }
};

TEST(a_sole_rests_level_on_level_ground) {
  Land land;
  land.add(sheet(-3, -3, 3, 3, 0.2));
  const Sole sole = land.rest_at(0.3, -0.4, 0.3, 1.1);
  CHECK(sole.found && sole.middle && !sole.blocked && !sole.torn);
  CHECK_NEAR(sole.height, 0.2, 1e-9);
  CHECK_NEAR(sole.coverage, 1, 1e-9);
  CHECK_NEAR(sole.normal_z, 1, 1e-9);
  CHECK(!land.rest_at(0.3, -0.4, 2).found);  // out of reach
  CHECK(!land.rest_at(9, 9, 0.2).found);     // nothing there
}

TEST(a_sole_on_a_slope_lies_in_its_plane) {
  each_seed(20, [](Random& random) {
    Land land;
    const double sx = random.uniform(-0.4, 0.4), sy = random.uniform(-0.4, 0.4);
    Surface slope = sheet(-3, -3, 3, 3, 0);
    for (Vec3& v : slope.vertices) v.z = sx * v.x + sy * v.y;
    land.add(slope);
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    const Sole sole = land.rest_at(x, y, sx * x + sy * y, random.uniform(-3, 3));
    CHECK(sole.middle);
    CHECK_NEAR(sole.height, sx * x + sy * y, 1e-9);
    CHECK_NEAR(sole.slope[0], sx, 1e-9);
    CHECK_NEAR(sole.slope[1], sy, 1e-9);
    CHECK_NEAR(sole.coverage, 1, 1e-9);
  });
}

TEST(a_sole_over_an_edge_is_held_in_part) {
  Land land;
  land.add(sheet(-3, -3, 0, 3, 0));
  double before = 1.1;
  for (const double x : {-0.2, -0.05, 0.05, 0.2}) {
    const Sole sole = land.rest_at(x, 0, 0);
    const double coverage = sole.found ? sole.coverage : 0;
    CHECK(coverage <= before);
    CHECK(sole.middle == (x < 0));
    before = coverage;
  }
  CHECK_NEAR(land.rest_at(-0.2, 0, 0).coverage, 1, 1e-9);
  CHECK_NEAR(before, 0, 0);
}

TEST(toes_before_a_step_are_blocked) {
  Land land;
  land.add(sheet(-3, -3, 3, 3, 0));
  land.add(box({0.15, -1, 0}, {1, 1, 0.2}));
  CHECK(land.rest_at(0, 0, 0).blocked);
  CHECK(!land.rest_at(0, 0, 0, 3.14159).blocked);
}

TEST(a_sole_half_on_a_lift_is_torn) {
  Land land;
  land.add(sheet(-3, -3, 0, 3, 0));
  land.add(sheet(0, -1, 1, 1, 0), between({0, 0, 0}, {0, 0, 1}, 5, 9));
  CHECK(land.rest_at(-0.05, 0, 0).torn);
  CHECK(!land.rest_at(-0.5, 0, 0).torn);
  CHECK(!land.rest_at(0.5, 0, 0).torn);
}

TEST(steps_are_free_on_level_ground_and_end_on_it) {
  Land land;
  land.add(sheet(-5, -5, 5, 5, 0));
  each_seed(10, [&](Random& random) {
    const State from =
        facing(random.uniform(-3, 3), random.uniform(-3, 3), 0, random.uniform(-3, 3), 0);
    for (const int32_t action : {0, 1, 2, 3, 4})
      for (const bool rough : {false, true}) {
        State to;
        Treads treads;
        CHECK(land.free(from, action, rough, to, treads));
        CHECK_NEAR(to.z, 0, 1e-6);
        CHECK_NEAR(to.feet[0], 0, 1e-6);
        CHECK_NEAR(static_cast<double>(treads.arch), 0, 0.02);
      }
  });
}

TEST(no_step_goes_into_a_wall_or_over_the_edge) {
  Land land;
  land.add(sheet(-5, -5, 5, 5, 0));
  land.add(box({1, -5, 0}, {1.2, 5, 2.5}));
  CHECK(land.free(facing(0, 0, 0, 0, 0), 1));
  CHECK(!land.free(facing(0.65, 0, 0, 0, 0), 1));
  CHECK(land.free(facing(0.65, 0, 0, 3.14159, 0), 1));
  CHECK(!land.free(facing(-4.8, 0, 0, 3.14159, 0), 1));
  CHECK(land.free(facing(-4.8, 0, 0, 0, 0), 1));
}

TEST(a_gap_is_stepped_over_where_feet_find_ground_beyond) {
  // Ground that ends at 0.1 and begins again behind a gap.
  const auto crosses = [](double gap) {
    Land land;
    land.add(sheet(-3, -3, 0.1, 3, 0));
    land.add(sheet(0.1 + gap, -3, 5, 3, 0));
    return land.free(facing(-0.1, 0, 0, 0, 0), 1, true);
  };
  CHECK(crosses(0.04));
  CHECK(!crosses(0.35));
  CHECK(!crosses(2));
}

TEST(a_low_step_is_stepped_onto_on_rough_ground) {
  Land land;
  land.add(sheet(-3, -3, 3, 3, 0));
  land.add(box({0.2, -3, 0}, {3, 3, 0.15}));
  State to;
  Treads treads;
  const State from = facing(0, 0, 0, 0, 0);
  CHECK(land.free(from, 1, true, to, treads));
  CHECK_NEAR(to.feet[0], 0.15, 1e-3);
  CHECK_NEAR(to.feet[1], 0, 1e-9);
  CHECK_NEAR(to.z, 0.075, 1e-3);
  CHECK(treads.effort > 0.5);
  CHECK(!land.free(from, 1, false));  // usual steps keep clear of it
}

TEST(a_search_goes_round_a_wall_on_real_ground) {
  Land land;
  land.add(sheet(-5, -5, 5, 5, 0));
  land.add(box({1.2, -0.6, 0}, {1.4, 0.6, 2.5}));
  struct OnGround : Surroundings {
    const StepTable& table;
    Ground& ground;
    OnGround(const StepTable& t, Ground& g) : table(t), ground(g) {}
    bool free(const State& from, int32_t action, State& to, Treads& treads) override {
      return ground.free(table, from, action, 0, false, to, treads);
    }
    bool stays(const State&, int32_t) override { return true; }
  };
  Terrain terrain(land.world, {});
  const std::vector<WayPoint> way{{2.6, 0, 0}};
  SearchSettings settings;
  settings.weight = 1.5, settings.merge = 0.1, settings.merge_turn = 0.3, settings.merge_time = 10;
  const Guide guide(*land.table, 0.25, 1e-2, 100);
  land.world->during(0, 69, [&](const BroadPhase::Span& span) {
    Ground ground(terrain, span, {});
    OnGround around(*land.table, ground);
    Errand errand = errand_to(way);
    errand.budget = 20000;
    errand.carriers = &ground;
    const Found found = Searcher(*land.table, &guide, settings).search(errand, around);
    CHECK(found.reached);
    const Box wall{{1.2, -0.6, -1}, {1.4, 0.6, 3}};
    double aside = 0;
    for (const State& end : found.ends) {
      CHECK(!wall.contains({end.x, end.y, 1}));
      aside = std::max(aside, std::abs(end.y));
    }
    CHECK(aside > 0.6);
  });
}

TEST(swings_are_raised_over_what_lies_between_footholds_alone) {
  const Reel reel = make_reel();
  Treading ground{};
  ground.body[0] = ground.body[1] = -1;
  // What a walk needs whose swings are raised by some arch, over a bar of some height.
  const auto arch = [&](double height, double raised) {
    Stepper steps(Spot{0, 0, 0, 0, -1}, 0);
    Lowering sinking;
    ground.arch = 0;
    steps.append(reel, 0, Spot{0, 0, 0, 0, -1}, ground, 0.2, &sinking, nullptr);
    ground.arch = raised;
    steps.append(reel, 1, Spot{kStride, 0, 0, 0, -1}, ground, 0.2, &sinking, nullptr);
    Land land;
    land.add(sheet(-3, -3, 3, 3, 0));
    if (height > 0) land.add(box({0.15, -1, 0}, {0.22, 1, height}));
    double needed = 0;
    land.world->view(
        0, 3, [&](Snapshot& view) { needed = needed_arch(reel, steps, 0.5, 2.5, nullptr, view); });
    return needed;
  };
  const double none = arch(0, 0), low = arch(0.05, 0), high = arch(0.12, 0);
  CHECK(none < 0.03);
  CHECK(low > none + 0.02);
  CHECK(high > low + 0.07 - 1e-6);
  CHECK(arch(0.05, low) < 0.01);  // raised so far, nothing more is needed
}

// --- plans of others -----------------------------------------------------------------------------

std::shared_ptr<Track> ahead(const std::shared_ptr<StepTable>& table, const State& from,
                             int steps) {
  std::vector<int32_t> actions;
  for (int i = 0; i < steps; ++i) actions.push_back(1 + i % 2);
  actions.push_back(0);
  return std::make_shared<Track>(table, from, actions, std::span<const State>{},
                                 std::vector<Treads>{}, nullptr);
}

TEST(a_track_is_where_its_actions_take_it) {
  const auto table = make_table();
  const auto track = ahead(table, facing(1, 2, 0, 1.5707963267948966, 3), 4);
  CHECK_NEAR(track->at(3).y, 2, 1e-9);
  CHECK_NEAR(track->at(track->end()).y, 2 + 4 * 0.35, 1e-9);
  CHECK_NEAR(track->at(1000).y, 2 + 4 * 0.35, 1e-9);
  CHECK_NEAR(track->end(), 3 + 4 * 0.6 + 0.5, 1e-9);
  double before = 0;
  for (double t = 3; t < track->end(); t += 0.05) {
    CHECK(track->at(t).y >= before - 1e-9);
    before = track->at(t).y;
  }
}

TEST(plans_that_cross_are_not_clear_of_each_other) {
  const auto table = make_table();
  each_seed(30, [&](Random& random) {
    const auto one = ahead(table, facing(0, 0, 0, 0, 0), 6);
    const auto other =
        ahead(table,
              facing(random.uniform(-1, 3), random.uniform(-3, 3), 0, random.uniform(-3, 3), 0), 6);
    // The least distance of their roots, and of what is around them, by samples.
    double least = kInfinity;
    for (double t = 0; t < 20; t += 0.01) {
      const State a = one->at(t), b = other->at(t);
      least = std::min(least, std::hypot(a.x - b.x, a.y - b.y));
    }
    const bool apart = clear(*one, *other, 0, kInfinity, 0.05f);
    CHECK(apart == clear(*other, *one, 0, kInfinity, 0.05f));
    if (least < 0.1) CHECK(!apart);
    if (least > 1.2) CHECK(apart);
  });
}

TEST(traffic_finds_those_who_come_near) {
  const auto table = make_table();
  each_seed(15, [&](Random& random) {
    Traffic traffic;
    std::vector<std::shared_ptr<Track>> tracks;
    for (int32_t id = 0; id < 30; ++id) {
      tracks.push_back(ahead(
          table,
          facing(random.uniform(-20, 20), random.uniform(-20, 20), 0, random.uniform(-3, 3), 0),
          5));
      traffic.put(id, tracks.back());
    }
    traffic.prepare();
    const double x = random.uniform(-20, 20), y = random.uniform(-20, 20),
                 reach = random.uniform(1, 10);
    std::vector<const Track*> found, expected;
    traffic.near(x, y, reach, 7, found);
    for (int32_t id = 0; id < 30; ++id) {
      const Track& t = *tracks[static_cast<size_t>(id)];
      if (id != 7 && t.low_x() <= x + reach && t.high_x() >= x - reach && t.low_y() <= y + reach &&
          t.high_y() >= y - reach)
        expected.push_back(&t);
    }
    CHECK(found == expected);
  });
}

TEST(steps_that_cannot_be_are_refused) {
  const auto good = make_table();
  const auto check = [&](auto change) {
    StepTable table = *good;
    change(table);
    table.check();
    return 0;
  };
  CHECK_THROWS(check([](StepTable& t) { t.successors[2] = 6; }), "successors[2] is 6");
  CHECK_THROWS(check([](StepTable& t) { t.offsets[2] = -1; }), "offsets[2] is -1");
  CHECK_THROWS(check([](StepTable& t) { t.offsets.pop_back(); }), "offsets has 6 entries");
  CHECK_THROWS(check([](StepTable& t) { t.samples.pop_back(); }), "samples has");
  CHECK_THROWS(check([](StepTable& t) { t.samples[3] = std::nanf(""); }), "samples[3] is nan");
  CHECK_THROWS(check([](StepTable& t) { t.actions[1].duration = 0; }), "duration is 0");
  CHECK_THROWS(check([](StepTable& t) { t.actions[1].stop = 9; }), "stop is 9");
  CHECK_THROWS(check([](StepTable& t) { t.actions[0].stands = 0; }), "never comes to a stand");
  CHECK_THROWS(check([](StepTable& t) { t.radii[2] = -1; }), "the radius of a cylinder is -1");
  CHECK_THROWS(check([](StepTable& t) { t = StepTable{}; }), "needs an action");
  const auto track = [&](const State& from, std::vector<int32_t> actions) {
    return Track(good, from, std::move(actions), {}, {}, nullptr);
  };
  CHECK_THROWS(track(facing(0, 0, 0, 0, 0), {}), "needs an action");
  CHECK_THROWS(track(facing(0, 0, 0, 0, 0), {6}), "actions[0] is 6");
  CHECK_THROWS(track(facing(std::nan(""), 0, 0, 0, 0), {1}), "a state is (nan, 0, 0)");
  CHECK_THROWS(track(facing(0, 0, 0, 0, 1e300), {1}), "t is 1e+300");
  const State early = facing(0, 0, 0, 0, -5);
  CHECK_THROWS(Track(good, facing(0, 0, 0, 0, 0), {1}, {&early, 1}, {}, nullptr),
               "no later than it begins");
}

TEST(errands_that_cannot_be_are_refused) {
  const auto table = make_table();
  Disc disc;
  const std::vector<WayPoint> way{{1, 0, 0}}, nowhere{{kInfinity, 0, 0}};
  const auto search = [&](const Errand& errand, const SearchSettings& settings = {}) {
    return Searcher(*table, nullptr, settings).search(errand, disc);
  };
  Errand e = errand_to(way);
  e.action = 17;
  CHECK_THROWS(search(e), "action is 17");
  e = errand_to(nowhere);
  CHECK_THROWS(search(e), "way-point is (inf, 0, 0)");
  e = errand_to({});
  CHECK_THROWS(search(e), "needs a point to go to");
  e = errand_to(way);
  e.start.t = std::nan("");
  CHECK_THROWS(search(e), "t is nan");
  e = errand_to(way);
  e.tolerance = -1;
  CHECK_THROWS(search(e), "tolerance is -1");
  e = errand_to(way);
  e.earliest = kInfinity;
  CHECK_THROWS(search(e), "earliest is infinite");
  SearchSettings s;
  s.weight = 0;
  CHECK_THROWS(search(errand_to(way), s), "weight is 0");
  s = {};
  s.first_weight = 3, s.weight_step = 0;
  CHECK_THROWS(search(errand_to(way), s), "weight_step is 0");
  s = {};
  s.merge = 0.1;
  CHECK_THROWS(search(errand_to(way), s), "must be above 0 where states are merged");
  CHECK_THROWS(Guide(*table, -1, 0, 1), "tolerance is -1");
  const Guide guide(*table, 0.2, 1, 1);
  CHECK_THROWS(guide.cost(6, 0, 0, 0), "action is 6");
  CHECK_THROWS(guide.cost(0, std::nan(""), 0, 0), "the goal is nan m away");
}

}  // namespace
}  // namespace surefoot::footsteps
