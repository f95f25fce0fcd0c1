// Fitted value iteration over sampled states and tasks on a grid (coros2009 4.3, levine2011 4.1).
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "geometry/parallel.hpp"
#include "learning/task_space.hpp"

namespace surefoot::learning {

// What happens when an action is taken in a state, whatever the task. Rows are states, then
// actions.
struct Transitions {
  size_t states = 0, actions = 0, nearest = 0;
  std::vector<int32_t> successors;  // x nearest: sampled states about the resulting one
  std::vector<float> weights;       // x nearest: theirs; they add up to 1
  std::vector<float> rewards;
  std::vector<float> discounts;
  std::vector<double> motions;  // x 3: ahead, left, turn
  std::vector<double> shifts;   // x TaskSpace::shifts()
  std::vector<uint8_t> viable;
};

// What tasks are worth.
struct TaskRewards {
  std::vector<float> here;   // for acting at a task; once for all states, or for each of them
  std::vector<float> there;  // for what it becomes
  float stuck = 0.0f;        // the value of a state in which nothing can be done
  // For each action at each task, or at each column; none where it makes no difference:
  std::vector<float> acting;     // what it is worth
  std::vector<float> going;      // 0 where it ends the task, 1 where that goes on
  std::vector<int32_t> columns;  // of acting and going: each task's; none where it is its own
  // For each action the tasks, in order, that it ends before its own end, and what that saves.
  std::vector<size_t> early_first;  // of each action, and past the last; none where there are none
  std::vector<int32_t> early;
  std::vector<float> saved;
  // Tasks whose values are known and stay; none, or one flag for each.
  std::vector<uint8_t> known;
};

class ValueIteration {
 public:
  ValueIteration(TaskSpace space, Transitions transitions, TaskRewards rewards);

  const TaskSpace& space() const { return space_; }
  const Transitions& table() const { return table_; }
  const TaskRewards& tasks() const { return tasks_; }
  // Whether every action does the same in all states that allow it, as moves of clips do. What it
  // leads to is then worked out once a sweep and not once for each state.
  bool shared() const { return shared_; }

  Displacement displacement(size_t pair) const;

  // One sweep from `old` to `next`, states x tasks; returns the largest change. With `next` the
  // same as `old`, later states see what earlier ones became (one thread only).
  float sweep(const float* old, float* next, float rate, int threads,
              const Interrupt& interrupt) const;
  // The best action everywhere, -1 where a state is stuck; ties go to the first.
  void greedy(const float* values, int32_t* actions, int threads, const Interrupt& interrupt) const;
  // What an action is worth at a task of the grid by itself, and whether that goes on after it.
  // `early`: where it may end before the action does.
  std::pair<float, float> acting(size_t action, size_t task, bool early = true) const;
  // What each action is worth in a state for a task; -infinity where it is not viable.
  void look_ahead(const float* values, size_t state, const double* task, double* worth) const;
  // The same of a state between some: what is not viable in one of them counts as being stuck.
  void look_ahead_among(const float* values, std::span<const int32_t> states,
                        std::span<const double> shares, const double* task, double* worth) const;

 private:
  struct Scratch {
    std::vector<float> expected, swap, moved, best;
  };
  Scratch scratch() const;
  // Adds what an action is worth at each task to scratch.moved.
  void add_acting(size_t action, Scratch& scratch) const;
  // Fills scratch.moved: what an action leads to from every task.
  void act(const float* values, size_t pair, Scratch& scratch) const;
  // Tells what each action leads to, some actions at a time: seen(first, last, moved), where
  // `moved` is (last - first) x tasks.
  template <class Seen>
  void each_action(const float* values, int threads, const Interrupt& interrupt, Seen seen) const;
  // Writes the best values into `best`, states x tasks, and which action has them where wanted.
  void best_shared(const float* values, float* best, int32_t* actions, int threads,
                   const Interrupt& interrupt) const;
  // What a sweep makes of the best values of a state; returns the largest change.
  float settle(size_t state, const float* best, const float* before, float rate,
               float* after) const;
  size_t columns() const { return tasks_.acting.size() / std::max<size_t>(table_.actions, 1); }
  const float* here(size_t state) const {
    return tasks_.here.data() + (tasks_.here.size() > space_.size() ? state * space_.size() : 0);
  }
  bool stuck(size_t state) const;

  TaskSpace space_;
  Transitions table_;
  TaskRewards tasks_;
  bool shared_ = true;
  std::vector<size_t> examples_;  // for each action a pair that is viable; none: past the end
};

}  // namespace surefoot::learning
