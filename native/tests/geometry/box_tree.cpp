// The tree of boxes that changes, against a list of them.
#include "geometry/box_tree.hpp"

#include <map>

#include "tests/scenes.hpp"

namespace surefoot {
namespace {

using namespace testing;

Box random_box(Random& random) {
  Box b;
  const Vec3 centre = random.in_box(10);
  b.include(centre);
  b.include(centre + random.in_box(2));
  return b;
}

struct Listed {
  BoxTree tree;
  std::map<int, std::pair<int, Box>> items;  // by item: handle, box

  // So many insertions and removals.
  void change(Random& random, int steps) {
    for (int i = 0; i < steps; ++i) {
      if (!items.empty() && random.chance(0.4)) {
        auto gone = std::next(items.begin(), random.below(static_cast<int>(items.size())));
        tree.remove(gone->second.first);
        items.erase(gone);
      } else {
        const Box b = random_box(random);
        const int item = static_cast<int>(random.bits() % 1000000);
        if (!items.count(item)) items[item] = {tree.insert(item, b), b};
      }
    }
  }
};

TEST(a_box_tree_finds_all_that_overlap_after_any_changes) {
  each_seed(40, [](Random& random) {
    Listed all;
    for (int round = 0; round < 5; ++round) {
      all.change(random, 100);
      CHECK(all.tree.size() == static_cast<int>(all.items.size()));
      const Box asked = random_box(random);
      std::vector<int> found, expected;
      all.tree.visit(asked, [&](int item) {
        found.push_back(item);
        return false;
      });
      for (const auto& [item, entry] : all.items)
        if (entry.second.overlaps(asked)) expected.push_back(item);
      std::sort(found.begin(), found.end());
      CHECK(found == expected);
    }
  });
}

TEST(a_box_tree_finds_the_nearest_box) {
  each_seed(40, [](Random& random) {
    Listed all;
    all.change(random, 200);
    const Vec3 point = random.in_box(15);
    double nearest = kInfinity, expected = kInfinity;
    all.tree.visit_near(point, kInfinity, [&](int item, double reach) {
      const double away = std::sqrt(all.items[item].second.squared_distance(point));
      nearest = std::min(nearest, away);
      return std::min(reach, away);
    });
    for (const auto& [item, entry] : all.items)
      expected = std::min(expected, std::sqrt(entry.second.squared_distance(point)));
    CHECK(nearest == expected);
  });
}

TEST(a_box_tree_shows_a_ray_every_box_on_its_way) {
  each_seed(40, [](Random& random) {
    Listed all;
    all.change(random, 200);
    const Vec3 from = random.in_box(15), along = random.direction();
    std::vector<int> found;
    all.tree.visit_ray(from, along, 30, [&](int item, double reach) {
      found.push_back(item);
      return reach;
    });
    for (const auto& [item, entry] : all.items) {
      // A point of the ray well inside the box.
      bool through = false;
      for (int i = 0; i <= 3000; ++i) through |= entry.second.contains(from + along * (i * 0.01));
      if (through) CHECK(std::find(found.begin(), found.end(), item) != found.end());
    }
  });
}

}  // namespace
}  // namespace surefoot
