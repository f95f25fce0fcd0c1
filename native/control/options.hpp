// What can be done in each state, laid out to be looked through some actions ahead.
#pragma once

#include <span>
#include <vector>

#include "control/moves.hpp"
#include "learning/value_iteration.hpp"

namespace surefoot::control {

// An action that can be done in a state.
struct Option {
  int32_t action, own, next;  // as the table numbers it, as the moves do, the state it leads to
  float reward, discount;
  double ahead, left, turn, c, s;  // what it does, and cosine and sine of the turn
  double lasts;                    // [s], as times count
};

class Options {
 public:
  // `actions`: what the table calls actions, as the moves number them. `rate`: at which time counts
  // less. Every action of the table leads to one state.
  Options(const learning::Transitions& table, const Moves& moves,
          const std::vector<int32_t>& actions, double rate);

  std::span<const Option> of(size_t state) const {
    return {all_.data() + first_[state], first_[state + 1] - first_[state]};
  }
  // The option of a state that is an action of the table.
  const Option& at(size_t state, int32_t action) const {
    return all_[index_[state * actions_ + static_cast<size_t>(action)]];
  }
  // [m]: how far those of a state lead at most.
  double reach(size_t state) const { return reach_[state]; }
  // When one comes to what is at x, y on its way, with a foot on the ground, as times count;
  // negative where never.
  double reaches(const Option& option, double x, double y, double radius) const;
  // [m]: how near an action of the table comes to what is at x, y; no nearer than `near` where it
  // stays farther away than that.
  double nearest(int32_t action, double x, double y, double near) const;
  // What a time [s] from now on counts as when later ones count less.
  double elapsed(double time) const;

 private:
  // Where a body is while a foot stands on the ground, and when, as times count.
  struct Stood {
    double x, y, lasts;
  };
  struct Place {
    double x, y;
  };

  double rate_;
  size_t actions_;
  std::vector<Option> all_;
  std::vector<size_t> first_;   // of each state, and past the last
  std::vector<int32_t> index_;  // of each state and action, or -1
  std::vector<double> reach_;
  std::vector<Stood> stands_;
  std::vector<size_t> first_stand_;  // of each action, and past the last
  std::vector<Place> places_;        // where bodies are, and at the end
  std::vector<size_t> first_place_;  // of each action, and past the last
  std::vector<double> far_;          // [m]: how far each action gets from its beginning
};

}  // namespace surefoot::control
