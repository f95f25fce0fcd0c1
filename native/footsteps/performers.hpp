// Bodies that take the steps of their plans, many at once (beacco2013, section 6).
#pragma once

#include <map>

#include "footsteps/track.hpp"
#include "motion/stepper.hpp"

namespace surefoot::footsteps {

class Performers {
 public:
  // `reel.pieces` are the actions of the table that plans are made of.
  Performers(std::shared_ptr<const Reel> reel, int32_t stand, double blend)
      : reel_(std::move(reel)), stand_(stand), blend_(blend) {}

  const Reel& reel() const { return *reel_; }
  void forget(int32_t id) { bodies_.erase(id); }
  // Poses at `t` [s] of those who follow some plans. Steps are taken up when they begin, so time
  // must not go back.
  void perform(std::span<const int32_t> ids, std::span<const std::shared_ptr<Track>> tracks,
               double t, const Played& out, int threads, const Interrupt& interrupt);

 private:
  struct Body {
    Stepper steps;
    double shown;        // [s] when it was last asked for
    bool fills = false;  // it stands because its plan is over, for as long as no other one begins
  };
  void follow(Body& body, const Track& track, double t) const;

  std::shared_ptr<const Reel> reel_;
  int32_t stand_;
  double blend_;
  std::map<int32_t, Body> bodies_;
};

}  // namespace surefoot::footsteps
