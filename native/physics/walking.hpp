// Bodies that walk: MuJoCo's steps with a step controller in its control callback, many at a time.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "geometry/parallel.hpp"
#include "physics/torques.hpp"

namespace surefoot::physics {

// One gait, or the torques of two: (1 - share) of the first and share of the second.
struct Action {
  int first = 0, second = 0;
  double share = 0;
};

enum class Ending : int32_t {
  time = 0,      // its seconds are over
  strike = 1,    // the swing foot has struck the ground
  fell = 2,      // the root is low or leans over
  exploded = 3,  // a number is not finite, or a joint turns faster than any joint can
  stuck = 4,     // no foot has struck for several steps' time
};

// What happened, for people and for the tuner.
struct Outcome {
  Ending ending = Ending::time;
  int joint = -1;       // that exploded: a degree of freedom
  double duration = 0;  // [s]
  double strikes = 0;   // foot strikes
  double flight = 0;    // [s] without a foot on the ground
  double effort = 0;    // [N^2 m^2 s] torques squared over time
  double tilt = 0;      // [rad s] of the root's up against the world's
  double width = 0;     // [m] feet apart sideways, summed over strikes
  double peak = 0;      // [rad/s] fastest joint
  double touching = 0;  // [s] in contact with itself
  double light = 0;     // [s] of flight, and of near flight in part: feet under half the weight
};

struct Order {
  long tick = 0;             // MuJoCo steps on the platforms' clock, at the beginning
  double seconds = 0;        // at most
  bool until_strike = true;  // end at the next foot strike
  int record_every = 0;      // MuJoCo steps between recorded positions; 0: none
};

// A model, the gaits that its character knows, and room to simulate.
class Stage {
 public:
  Stage(Anatomy anatomy, std::vector<Gait> gaits, std::vector<Deck> decks);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  const Anatomy& anatomy() const { return anatomy_; }
  size_t gaits() const { return gaits_.size(); }
  // Where a platform goes; bodies that are being moved meanwhile keep to what was before.
  void set_track(size_t deck, std::vector<double> track);

  // Moves each body on, in place; `frames` takes room[i] rows of nq for each body, or is null.
  void advance(size_t count, double* positions, double* velocities, Beat* beats,
               const Action* actions, const Order* orders, Outcome* outcomes, double* frames,
               size_t room, int threads, const Interrupt& interrupt);

  // The torques of one state at a tick of the platforms' clock, `repeat` times over to be timed.
  void torques_of(const double* position, const double* velocity, const Beat& beat, long tick,
                  const Action& action, double* out, int repeat);

 private:
  struct Seat;
  Seat take();
  std::vector<Deck> decks();
  void give(mjData* data);

  Anatomy anatomy_;
  std::vector<Gait> gaits_;
  std::vector<Deck> decks_;
  std::vector<mjData*> idle_;
  std::mutex idle_mutex_, decks_mutex_;
};

}  // namespace surefoot::physics
