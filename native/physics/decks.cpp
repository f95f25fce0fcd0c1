#include "physics/decks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace surefoot::physics {
namespace {

constexpr double kGravity = 9.81;  // [m/s^2]
constexpr double kLean = 0.3;      // most that is leaned against an acceleration, of gravity
constexpr double kAbove = 0.6;     // [m] of an ankle above a deck that it can still come down on

Vec3 vec(const mjtNum* v) { return {v[0], v[1], v[2]}; }

// Whether a point is above the box, in the box's own frame.
bool above(const Deck& deck, Vec3 p) {
  return deck.low.x <= p.x && p.x <= deck.high.x && deck.low.y <= p.y && p.y <= deck.high.y &&
         deck.low.z <= p.z && p.z <= deck.high.z + kAbove;
}

}  // namespace

void place(const Deck& deck, long tick, mjData& data) {
  const long rows = static_cast<long>(deck.track->size()) / kDeckRow;
  const double* row = deck.track->data() + kDeckRow * std::clamp(tick, 0L, rows - 1);
  std::memcpy(data.qpos + deck.position, row, sizeof(mjtNum) * 7);
  std::memcpy(data.qvel + deck.dof, row + 7, sizeof(mjtNum) * 6);
  for (int i = 0; i < 3; ++i) data.qfrc_applied[deck.dof + i] = deck.mass * row[13 + i];
}

Ground ground_under(const std::vector<Deck>& decks, const mjData& data, int foot, Vec3 at,
                    Vec3 velocity) {
  const Vec3 ankle = vec(data.xpos + 3 * foot);
  const Deck* under = nullptr;
  double highest = 0;
  for (const Deck& deck : decks) {
    const mjtNum* m = data.xmat + 9 * deck.body;
    const Mat3 turn{{vec(m), vec(m + 3), vec(m + 6)}};
    const Vec3 local = turn.back(ankle - vec(data.xpos + 3 * deck.body));
    // The nearer the ankle is to the top, the higher is the deck.
    const double top = ankle.z - (local.z - deck.high.z);
    if (!above(deck, local) || (under != nullptr && top <= highest)) continue;
    under = &deck;
    highest = top;
  }
  if (under == nullptr) return {};
  const mjtNum* moving = data.cvel + 6 * under->body;
  const Vec3 spin = vec(moving);
  const Vec3 carried = vec(moving + 3) + cross(spin, at - vec(data.subtree_com + 3 * under->body));
  // What pulls on a body on it: its own acceleration, going round with it, and walking across.
  const Vec3 pull = vec(data.qfrc_applied + under->dof) * (1 / under->mass) +
                    cross(spin, cross(spin, at - vec(data.xpos + 3 * under->body))) +
                    cross(spin, velocity - carried) * 2;
  const double aside = std::hypot(pull.x, pull.y);
  const double share = aside > kLean * kGravity ? kLean / aside : 1 / kGravity;
  const Vec3 up = {pull.x * share, pull.y * share, 1};
  return {carried, spin.z, up * (1 / length(up))};
}

}  // namespace surefoot::physics
