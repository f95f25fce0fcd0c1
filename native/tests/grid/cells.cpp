// Worlds cut into cells: moves, ways, fronts and straight lines against searches over the list of
// all moves; changes against worlds made anew.
#include <map>
#include <queue>

#include "grid/borders.hpp"
#include "grid/pathfinder.hpp"
#include "grid/rerouting.hpp"
#include "grid/smoothing.hpp"
#include "tests/scenes.hpp"

namespace surefoot::grid {
namespace {

using namespace surefoot::testing;

constexpr double kCell = 0.5;

VoxelSettings settings() {
  VoxelSettings s;
  s.lattice = {kCell, 0.1, {}};
  return s;
}

Action walk(double up = 0.35, double price = 1) {
  Action a;
  a.up = up, a.down = up, a.height = 1.8, a.price = price;
  return a;
}

Action jump() {
  Action a = walk(0.2, 3);
  a.span = 1.6;
  a.euclidean = true;
  return a;
}

// Uneven ground with holes, and a few slabs above it.
std::shared_ptr<Voxels> random_ground(Random& random, int size) {
  auto voxels = std::make_shared<Voxels>(settings());
  std::vector<std::array<int32_t, 3>> cells;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      if (random.chance(0.15)) continue;
      cells.push_back({i, j, random.chance(0.8) ? 0 : random.below(5)});
      if (random.chance(0.06)) cells.push_back({i, j, 14 + random.below(8)});
    }
  voxels->put(CellBody{0, cells, false}, {});
  return voxels;
}

std::shared_ptr<Moves> moves_over(std::shared_ptr<Voxels> voxels, std::vector<Action> actions) {
  return std::make_shared<Moves>(voxels, MoveSettings{std::move(actions)}, Workers{});
}

struct Edge {
  int32_t from, to;
  int action, i, j;
};

std::vector<Edge> edges_of(const Moves& moves) {
  std::vector<Edge> edges;
  for (int32_t cell = 0; cell < static_cast<int32_t>(moves.rows()); ++cell)
    moves.each_move(cell, [&](int32_t to, int action, int i, int j) {
      edges.push_back({cell, to, action, i, j});
    });
  return edges;
}

// What a move costs, by the words of the documentation: its length with the rise, or one step;
// times the action's price and the mean of both cells' prices.
double cost_of(const Moves& moves, const Edge& e, Metric metric, std::span<const float> prices) {
  const int wide = std::max(std::abs(e.i), std::abs(e.j)),
            less = std::min(std::abs(e.i), std::abs(e.j));
  const double flat = kCell * ((wide - less) + std::sqrt(2.0) * less);
  const double rise = moves.ground(e.to) - moves.ground(e.from);
  double cost = metric == Metric::kSteps ? wide : std::hypot(flat, rise);
  cost *= moves.actions()[static_cast<size_t>(e.action)].price;
  if (!prices.empty()) cost *= (prices[e.from] + prices[e.to]) / 2;
  return cost;
}

// The least costs from a cell to all others, by relaxing every move until nothing changes.
std::vector<double> relaxed(const Moves& moves, int32_t source, Metric metric, bool backward,
                            std::span<const float> prices) {
  const std::vector<Edge> edges = edges_of(moves);
  std::vector<double> costs(moves.rows(), kInfinity);
  costs[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Edge& e : edges) {
      const int32_t from = backward ? e.to : e.from, to = backward ? e.from : e.to;
      const double cost = costs[from] + cost_of(moves, e, metric, prices);
      if (cost < costs[to] - 1e-12) costs[to] = cost, changed = true;
    }
  }
  return costs;
}

int32_t any_cell(Random& random, const Moves& moves) {
  for (;;) {
    const int32_t cell = random.below(static_cast<int>(moves.rows()));
    if (moves.links(cell).fits) return cell;
  }
}

TEST(a_way_over_cells_costs_no_more_than_the_best) {
  int reached = 0;
  each_seed(25, [&](Random& random) {
    const auto moves = moves_over(random_ground(random, 14), {walk(), jump()});
    std::vector<float> prices;
    if (random.chance(0.5))
      for (size_t k = 0; k < moves->rows(); ++k)
        prices.push_back(static_cast<float>(random.uniform(1, 4)));
    Pathfinder finder(moves);
    for (const Metric metric : {Metric::kEuclidean, Metric::kSteps}) {
      const int32_t start = any_cell(random, *moves);
      const std::vector<double> best = relaxed(*moves, start, metric, false, prices);
      for (int i = 0; i < 8; ++i) {
        const int32_t goal = any_cell(random, *moves);
        PathTask task;
        task.starts = {&start, 1}, task.goals = {&goal, 1};
        task.costs.metric = metric, task.costs.prices = prices;
        task.guided = random.chance(0.7);
        const CellPath path = finder.path(task);
        CHECK(path.reached == (best[goal] < kInfinity));
        if (!path.reached) continue;
        ++reached;
        CHECK_NEAR(path.cost, best[goal], 1e-5 * (1 + best[goal]));
        CHECK(path.cells.front() == start && path.cells.back() == goal);
        for (size_t k = 0; k + 1 < path.cells.size(); ++k)
          CHECK(moves->action_between(path.cells[k], path.cells[k + 1]) >= 0);
      }
    }
  });
  CHECK(reached > 150);
}

TEST(a_way_pays_at_its_start_and_at_its_goal) {
  each_seed(20, [](Random& random) {
    const auto moves = moves_over(random_ground(random, 12), {walk()});
    std::vector<int32_t> starts, goals;
    std::vector<double> at_start, at_goal;
    for (int i = 0; i < 4; ++i) {
      starts.push_back(any_cell(random, *moves)), goals.push_back(any_cell(random, *moves));
      at_start.push_back(random.uniform(0, 6)), at_goal.push_back(random.uniform(0, 6));
    }
    double best = kInfinity;
    for (size_t i = 0; i < 4; ++i) {
      const auto costs = relaxed(*moves, starts[i], Metric::kEuclidean, false, {});
      for (size_t k = 0; k < 4; ++k)
        best = std::min(best, at_start[i] + costs[goals[k]] + at_goal[k]);
    }
    PathTask task;
    task.starts = starts, task.goals = goals;
    task.start_costs = at_start, task.goal_costs = at_goal;
    const CellPath path = Pathfinder(moves).path(task);
    CHECK(path.reached == (best < kInfinity));
    if (path.reached) CHECK_NEAR(path.cost, best, 1e-5);
  });
}

TEST(a_front_knows_the_least_cost_of_every_cell) {
  each_seed(20, [](Random& random) {
    const auto moves = moves_over(random_ground(random, 12), {walk(), jump()});
    const int32_t source = any_cell(random, *moves);
    for (const bool backward : {false, true}) {
      PathTask task;
      task.starts = {&source, 1};
      task.costs.backward = backward;
      const Front front(moves, task);
      const std::vector<double> best = relaxed(*moves, source, Metric::kEuclidean, backward, {});
      for (int32_t cell = 0; cell < static_cast<int32_t>(moves->rows()); ++cell) {
        CHECK((front.cost(cell) == kInfinity) == (best[cell] == kInfinity));
        if (best[cell] == kInfinity) continue;
        CHECK_NEAR(front.cost(cell), best[cell], 1e-5);
        const CellPath path = front.trace(cell);
        CHECK((backward ? path.cells.back() : path.cells.front()) == source);
        CHECK((backward ? path.cells.front() : path.cells.back()) == cell);
      }
    }
  });
}

TEST(moves_that_arrive_are_the_moves_that_depart) {
  each_seed(20, [](Random& random) {
    const auto moves = moves_over(random_ground(random, 12), {walk(), jump()});
    using Row = std::array<int32_t, 3>;
    std::vector<Row> departing, arriving;
    for (const Edge& e : edges_of(*moves)) departing.push_back({e.from, e.to, e.action});
    for (int32_t cell = 0; cell < static_cast<int32_t>(moves->rows()); ++cell) {
      const Links& links = moves->links(cell);
      for (int d = 0; d < 8; ++d)
        if (links.mutual >> d & 1) arriving.push_back({links.to[d], cell, links.action(d)});
      for (const Leap& leap : moves->arrivals(cell))
        arriving.push_back({leap.cell, cell, leap.action});
    }
    std::sort(departing.begin(), departing.end());
    std::sort(arriving.begin(), arriving.end());
    CHECK(!departing.empty() && departing == arriving);
  });
}

TEST(moves_rise_no_higher_than_their_action) {
  each_seed(20, [](Random& random) {
    const auto moves = moves_over(random_ground(random, 12), {walk(0.25)});
    const auto& cells = moves->voxels().cells();
    for (const Edge& e : edges_of(*moves)) {
      CHECK(std::abs(cells[e.to].top - cells[e.from].top) <= 0.25 + 1e-3);
      CHECK(std::abs(e.i) <= 1 && std::abs(e.j) <= 1);
      CHECK(std::min(cells[e.to].headroom, cells[e.from].headroom) >= 1.8 - 1e-3);
    }
  });
}

// Cells and moves with the places that they are at, whatever their rows are.
auto described(const Moves& moves) {
  using Place = std::array<int32_t, 3>;
  const Voxels& voxels = moves.voxels();
  const auto place = [&](int32_t row) {
    const ColumnPlace at = voxels.tiles().place(voxels.cells()[row].column);
    return Place{at.i, at.j, voxels.cells()[row].hi};
  };
  std::vector<std::tuple<Place, Place, int>> all;
  for (const Edge& e : edges_of(moves)) all.emplace_back(place(e.from), place(e.to), e.action);
  std::sort(all.begin(), all.end());
  return all;
}

TEST(cells_that_followed_changes_are_those_of_a_world_made_anew) {
  each_seed(12, [](Random& random) {
    const auto changed = std::make_shared<Voxels>(settings());
    std::map<int32_t, MeshBody> bodies;
    const auto put = [&](int32_t id, MeshPtr mesh, const Pose& pose) {
      bodies[id] = {id, mesh, Frame(pose), true, false};
      changed->put({&bodies[id], 1}, {});
    };
    put(0, sheet(-6, -6, 6, 6, 0).mesh(), {});
    for (int32_t id = 1; id < 6; ++id)
      put(id, box({-0.8, -0.8, 0}, {0.8, 0.8, 0.3}).mesh(),
          {{random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(0, 0.4)}, {}});
    Moves moves(changed, MoveSettings{{walk(), jump()}}, {});
    for (int round = 0; round < 4; ++round) {
      const int32_t id = 1 + random.below(5);
      if (random.chance(0.3)) {
        changed->remove({&id, 1}, {});
        bodies.erase(id);
      } else {
        put(id, box({-0.8, -0.8, 0}, {0.8, 0.8, 0.3}).mesh(),
            {{random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(0, 0.4)},
             from_rotation_vector({0, 0, random.uniform(-3, 3)})});
      }
      moves.update({});
      const auto fresh = std::make_shared<Voxels>(settings());
      std::vector<MeshBody> all;
      for (const auto& [_, body] : bodies) all.push_back(body);
      fresh->put(all, {});
      CHECK(fresh->live() == changed->live());
      const Moves other(fresh, MoveSettings{{walk(), jump()}}, {});
      CHECK(described(moves) == described(other));
    }
  });
}

TEST(cells_are_the_same_for_any_number_of_threads) {
  Random random(5);
  std::vector<MeshBody> bodies;
  for (int32_t id = 0; id < 20; ++id)
    bodies.push_back(
        {id, box({-0.7, -0.7, 0}, {0.7, 0.7, 0.4}).mesh(), Frame(random.pose(4)), true, false});
  bodies.push_back({20, sheet(-6, -6, 6, 6, 0).mesh(), Frame(), false, false});
  const auto cut = [&](int threads) {
    const auto voxels = std::make_shared<Voxels>(settings());
    voxels->put(bodies, {threads, {}});
    return described(Moves(voxels, MoveSettings{{walk(), jump()}}, {threads, {}}));
  };
  const auto one = cut(1);
  CHECK(one.size() > 100);
  CHECK(cut(2) == one);
  CHECK(cut(7) == one);
}

TEST(straight_lines_cost_no_more_and_stay_on_moves) {
  int shorter = 0;
  each_seed(25, [&](Random& random) {
    const auto moves = moves_over(random_ground(random, 16), {walk()});
    Pathfinder finder(moves);
    const Smoother smoother(*moves, {});
    for (int i = 0; i < 10; ++i) {
      const int32_t start = any_cell(random, *moves), goal = any_cell(random, *moves);
      PathTask task;
      task.starts = {&start, 1}, task.goals = {&goal, 1};
      const CellPath path = finder.path(task);
      if (!path.reached || path.cells.size() < 3) continue;
      const auto length_of = [&](const CellPath& p) {
        double sum = 0;
        for (size_t k = 0; k + 1 < p.cells.size(); ++k) {
          const Direction way = smoother.between(p.cells[k], p.cells[k + 1]);
          sum += cost_of(*moves, {p.cells[k], p.cells[k + 1], 0, way.i, way.j}, Metric::kEuclidean,
                         {});
        }
        return sum;
      };
      const CellPath straight = smoother.straightened(path);
      CHECK(straight.cells.front() == start && straight.cells.back() == goal);
      CHECK(straight.actions.size() + 1 == straight.cells.size());
      CHECK(length_of(straight) <= length_of(path) + 1e-6);
      for (size_t k = 0; k + 1 < straight.cells.size(); ++k)
        CHECK(moves->action_between(straight.cells[k], straight.cells[k + 1]) >= 0);
      const std::vector<int32_t> corners = smoother.corners(path);
      CHECK(corners.front() == 0 && corners.back() == static_cast<int32_t>(path.cells.size()) - 1);
      double sight = 0;
      for (size_t k = 0; k + 1 < corners.size(); ++k)
        sight += smoother.sight(path.cells[corners[k]], path.cells[corners[k + 1]], 0);
      CHECK(sight <= length_of(path) + 1e-6);
      shorter += sight < length_of(path) - 1e-3;
    }
  });
  CHECK(shorter > 10);
}

TEST(a_straight_line_passes_a_corner_between_two_open_cells_alone) {
  // Moves may cut the corner that a line may not.
  const auto voxels = std::make_shared<Voxels>(settings());
  const std::vector<std::array<int32_t, 3>> cells{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}};
  voxels->put(CellBody{0, cells, false}, {});
  const auto moves =
      std::make_shared<Moves>(voxels, MoveSettings{{walk()}, Corners::kCut}, Workers{});
  const auto cell = [&](double x, double y) { return voxels->locate({x, y, 0.1}, 0.5, 0.5); };
  const int32_t from = cell(0.2, 0.2), to = cell(0.7, 0.7), beside = cell(0.7, 0.2);
  CHECK(moves->action_between(from, to) == 0);
  CHECK(!Smoother(*moves, {}).sees(from, to, 0));
  CHECK(Smoother(*moves, {}).sees(from, beside, 0));
}

TEST(regions_are_what_can_be_reached) {
  each_seed(15, [](Random& random) {
    const auto moves = moves_over(random_ground(random, 12), {walk(0.15)});
    const std::vector<int32_t> mutual = regions(*moves, true);
    const int32_t cell = any_cell(random, *moves);
    const auto there = relaxed(*moves, cell, Metric::kSteps, false, {});
    const auto back = relaxed(*moves, cell, Metric::kSteps, true, {});
    for (int32_t other = 0; other < static_cast<int32_t>(moves->rows()); ++other)
      if (moves->links(other).fits)
        CHECK((mutual[other] == mutual[cell]) ==
              (there[other] < kInfinity && back[other] < kInfinity));
  });
}

TEST(a_border_cell_lacks_a_side) {
  each_seed(10, [](Random& random) {
    const auto moves = moves_over(random_ground(random, 14), {walk()});
    const Borders borders(moves, {1, 0xffff, false}, {});
    for (int32_t cell = 0; cell < static_cast<int32_t>(moves->rows()); ++cell) {
      const Links& links = moves->links(cell);
      if (!links.fits) continue;
      int sides = 0;
      for (int d = 0; d < 4; ++d) sides += links.to[d] >= 0;
      CHECK((borders.layers()[cell] == 1) == (sides < 4));
    }
  });
}

TEST(a_broken_path_is_mended_at_the_least_cost) {
  const auto voxels = std::make_shared<Voxels>(settings());
  MeshBody ground{0, sheet(0, 0, 10, 10, 0).mesh(), Frame(), false, false};
  voxels->put({&ground, 1}, {});
  auto moves = std::make_shared<Moves>(voxels, MoveSettings{{walk()}}, Workers{});
  Pathfinder finder(moves);
  const auto cell = [&](double x, double y) { return voxels->locate({x, y, 0}, 0.5, 0.5); };
  const int32_t start = cell(0.3, 5.1), goal = cell(9.7, 5.1);
  PathTask task;
  task.starts = {&start, 1}, task.goals = {&goal, 1};
  const CellPath before = finder.path(task);
  std::vector<Vec3> places;
  for (const int32_t c : before.cells) places.push_back(voxels->position(c));
  MeshBody wall{1, box({4.6, 3.1, 0}, {5.4, 6.9, 2}).mesh(), Frame(), true, false};
  voxels->put({&wall, 1}, {});
  moves->update({});
  std::vector<int32_t> old;
  for (const Vec3& p : places) old.push_back(voxels->locate(p, 0.2, 0.2));
  const std::vector<uint8_t> gone = broken(*moves, old, {});
  CHECK(std::count(gone.begin(), gone.end(), 1) > 0);
  const Mended mended = reroute(finder, old, 0, false, {});
  CHECK(mended.path.reached && mended.path.cells.front() == old.front() &&
        mended.path.cells.back() == old.back());
  CHECK(mended.head > 1 && mended.tail >= 1);
  const CellPath anew = finder.path(task);
  CHECK(mended.path.cost >= anew.cost - 1e-9);
  CHECK(mended.path.cost <= anew.cost * 1.3);
}

TEST(cells_that_cannot_be_are_refused) {
  VoxelSettings bad = settings();
  bad.lattice.cell = 0;
  CHECK_THROWS(Voxels(bad), "cell is 0");
  bad.lattice.cell = std::nan("");
  CHECK_THROWS(Voxels(bad), "cell is nan");
  bad = settings();
  bad.lattice.origin.x = 1e300;
  CHECK_THROWS(Voxels(bad), "origin is (1e+300, 0, 0)");
  const auto voxels = std::make_shared<Voxels>(settings());
  const MeshPtr mesh = box({0, 0, 0}, {1, 1, 1}).mesh();
  const auto put = [&](int32_t id, MeshPtr what, const Pose& pose) {
    const MeshBody body{id, what, Frame(pose), true, false};
    voxels->put({&body, 1}, {});
    return 0;
  };
  CHECK(put(0, mesh, {}) == 0);
  CHECK_THROWS(put(-1, mesh, {}), "id is -1");
  CHECK_THROWS(put(0, nullptr, {}), "needs a mesh");
  CHECK_THROWS(put(0, mesh, {{kInfinity, 0, 0}, {}}), "farther than");
  CHECK_THROWS(put(0, mesh, {{1e12, 0, 0}, {}}), "farther than");
  CHECK_THROWS(put(0, mesh, {{}, {2, 0, 1, 0}}), "no unit quaternion");
  const std::array<int32_t, 3> cell{0, INT32_MAX, 0};
  CHECK_THROWS((voxels->put(CellBody{1, {&cell, 1}, false}, {}), 0),
               "cells[0] has the number 2147483647");
  const auto moves = [&](Action action) { return Moves(voxels, MoveSettings{{action}}, {}); };
  Action a = walk();
  a.price = 0;
  CHECK_THROWS(moves(a), "price is 0");
  a = walk();
  a.span = 1e6;
  CHECK_THROWS(moves(a), "cells of");
  a.span = kInfinity;
  CHECK_THROWS(moves(a), "span is inf");
  CHECK_THROWS(Moves(voxels, MoveSettings{}, {}), "there are 0 actions");
}

TEST(questions_about_cells_that_are_not_there_are_refused) {
  Random random(1);
  const auto moves = moves_over(random_ground(random, 8), {walk()});
  Pathfinder finder(moves);
  const int32_t start = any_cell(random, *moves), wrong = 1 << 20;
  PathTask task;
  task.starts = {&start, 1}, task.goals = {&wrong, 1};
  CHECK_THROWS(finder.path(task), "goal 1048576 is no cell");
  task.goals = {&start, 1};
  task.costs.connectivity = 9;
  CHECK_THROWS(finder.path(task), "connectivity is 9");
  task.costs.connectivity = 8;
  const double huge = 1e300;
  task.goal_costs = {&huge, 1};
  CHECK_THROWS(finder.path(task), "costs[0] is 1e+300");
  task.goal_costs = {};
  std::vector<float> prices(moves->rows() - 1, 1);
  task.costs.prices = prices;
  CHECK_THROWS(finder.path(task), "there must be a price for each");
  CHECK_THROWS(Smoother(*moves, prices), "prices for");
  prices.assign(moves->rows(), std::nanf(""));
  task.costs.prices = prices;
  const int32_t other = any_cell(random, *moves);
  task.goals = {&other, 1};
  if (other != start) CHECK_THROWS(finder.path(task), "its price is");
  task.costs.prices = {};
  const Front front(moves, task);
  CHECK_THROWS(front.trace(-1), "cell is -1");
  const int32_t direction = 8;
  CHECK_THROWS(front.trace(start, 8, {&direction, 1}), "order[0] is 8");
  CellPath path;
  path.cells = {wrong};
  CHECK_THROWS(Smoother(*moves, {}).straightened(path), "is no cell");
  path.cells = {start, start};
  CHECK_THROWS(Smoother(*moves, {}).corners(path), "actions has 0 entries");
  CHECK_THROWS(broken(*moves, {&wrong, 1}, {}), "is no cell");
  CHECK_THROWS(Borders(moves, {-1, 0xffff, false}, {}), "layers is -1");
}

}  // namespace
}  // namespace surefoot::grid
