// What one character must keep clear of while it plans: published plans in its view, and the world
// (beacco2013, 5.5).
#pragma once

#include "footsteps/search.hpp"
#include "footsteps/terrain.hpp"
#include "footsteps/traffic.hpp"

namespace surefoot::footsteps {

class Around : public Surroundings {
 public:
  // Plans in `others` are looked at from `start` [s] on; `own` is the plan of this character that
  // is published, if there is one. Without ground there is level ground everywhere;
  // `rough` ground is told apart in `Ground::free`.
  Around(const StepTable& table, std::span<const Track* const> others, const Track* own,
         Ground* ground, double start, float room, bool rough);

  bool free(const State& from, int32_t action, State& to, Treads& treads) override;
  bool stays(const State& at, int32_t action) override;

 private:
  // Rows of what others do at a moment, all others side by side.
  struct Row {
    const float *x, *y, *girth;
  };
  Row row(int64_t moment) const;
  bool meets(const State& from, const State& to, int32_t action);
  bool struck_while_standing(const State& at, int32_t action) const;
  // Whether the body only stays where its own plan leaves it: others keep clear of that already.
  bool at_rest(const State& at, int32_t action) const;
  // [m] to keep from another body at `t`: less at first from one that is close already.
  float room_from(size_t other, double t) const;
  bool touches(size_t other, double t0, const Figure a0, double t1, const Figure a1) const;

  const StepTable& table_;
  std::span<const Track* const> others_;
  Ground* ground_;
  const Track* own_;
  double start_;
  float room_, stride_ = 0;
  bool rough_;
  std::vector<float> gaps_;  // [m] to each other body at the start
  int64_t first_ = 0;
  size_t moments_ = 0, width_ = 0;
  std::vector<float> seen_;     // moments x (x, y, girth) x width
  std::vector<uint8_t> close_;  // samples x width
};

// When one of some bodies strikes a plan, from `now` to `now + ahead` [s]; infinity for never.
double first_strike(Ground& ground, const Track& track, std::span<const int32_t> bodies, double now,
                    double ahead, float room);

}  // namespace surefoot::footsteps
