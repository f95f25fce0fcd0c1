// Bodies that take the steps of their plans, many at once (beacco2013, section 6).
#pragma once

#include <map>

#include "footsteps/track.hpp"
#include "motion/stepper.hpp"

namespace surefoot::footsteps {

class Performers {
 public:
  explicit Performers(Staging staging);

  const Reel& reel() const { return *staging_.reel; }
  void forget(int32_t id) { bodies_.erase(id); }
  // Poses at `t` [s] of those who follow some plans, which have been rehearsed.
  void perform(std::span<const int32_t> ids, std::span<const std::shared_ptr<Track>> tracks,
               double t, const Played& out, int threads, const Interrupt& interrupt);

 private:
  struct Body {
    Stepper steps;
    Lowering sinking;
    int32_t piece;  // that it plays
    double began;   // [s] likewise

    bool plays(int32_t other, double t) const {
      return piece == other && std::abs(began - t) <= kSame;
    }
  };
  void follow(Body& body, const Track& track, double t) const;

  Staging staging_;
  std::map<int32_t, Body> bodies_;
};

}  // namespace surefoot::footsteps
