#include "learning/value_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/checks.hpp"

namespace surefoot::learning {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();
constexpr size_t kActions = 32;  // that are worked out at a time
constexpr size_t kChunk = 1024;  // tasks that stay near while states and actions pass by

// The product, where it is no more than a vector can hold.
size_t times(size_t a, size_t b, const char* name) {
  constexpr size_t kMost = size_t{1} << 48;
  require(b == 0 || a <= kMost / b, name, " would be more than ", kMost);
  return a * b;
}

void check_table(const TaskSpace& space, const Transitions& table) {
  const size_t pairs = times(table.states, table.actions, "states times actions");
  const size_t near = times(pairs, table.nearest, "successors");
  require(table.actions > 0, "there must be an action");
  check_count(table.successors.size(), "successors", near, "states x actions x nearest");
  check_count(table.weights.size(), "weights", near, "states x actions x nearest");
  check_count(table.rewards.size(), "rewards", pairs, "states x actions");
  check_count(table.discounts.size(), "discounts", pairs, "states x actions");
  check_count(table.motions.size(), "motions", 3 * pairs, "states x actions x 3");
  check_count(table.shifts.size(), "shifts", times(space.shifts(), pairs, "shifts"),
              "the axes that shift, for states x actions,");
  check_count(table.viable.size(), "viable", pairs, "states x actions");
  check_indices(std::span<const int32_t>(table.successors), table.states, "successors");
  times(table.states, space.size(), "states times tasks");
}

void check_rewards(const TaskSpace& space, const Transitions& table, const TaskRewards& tasks) {
  const size_t size = space.size();
  if (tasks.here.size() != size)
    check_count(tasks.here.size(), "here", size * table.states, "the tasks, or states x tasks,");
  check_count(tasks.there.size(), "there", size, "the tasks");
  if (!tasks.known.empty()) check_count(tasks.known.size(), "known", size, "the tasks");
  check_count(tasks.going.size(), "going", tasks.acting.size(), "acting");
  require(tasks.acting.size() % table.actions == 0, "acting has ", tasks.acting.size(),
          " entries; it must have as many for each of ", table.actions, " actions");
  const size_t columns = tasks.acting.size() / table.actions;
  if (!tasks.columns.empty()) {
    check_count(tasks.columns.size(), "columns", size, "the tasks");
    if (!tasks.acting.empty())
      check_indices(std::span<const int32_t>(tasks.columns), columns, "columns");
  } else if (!tasks.acting.empty()) {
    check_count(tasks.acting.size(), "acting", table.actions * size, "actions x tasks");
  }
  check_count(tasks.saved.size(), "saved", tasks.early.size(), "early");
  check_indices(std::span<const int32_t>(tasks.early), size, "early");
  if (tasks.early_first.empty()) return;
  check_count(tasks.early_first.size(), "early_first", table.actions + 1, "actions (one more)");
  size_t last = 0;
  for (const size_t first : tasks.early_first) {
    require(first >= last && first <= tasks.early.size(), "early_first has ", first,
            "; it must be from ", last, " to ", tasks.early.size());
    last = first;
  }
}

}  // namespace

ValueIteration::ValueIteration(TaskSpace space, Transitions transitions, TaskRewards rewards)
    : space_(std::move(space)), table_(std::move(transitions)), tasks_(std::move(rewards)) {
  check_table(space_, table_);
  check_rewards(space_, table_, tasks_);
  const size_t pairs = table_.states * table_.actions, shifts = space_.shifts();
  examples_.assign(table_.actions, pairs);
  const auto same = [](const auto& array, size_t a, size_t b, size_t width) {
    return std::equal(array.begin() + a * width, array.begin() + (a + 1) * width,
                      array.begin() + b * width);
  };
  for (size_t pair = 0; pair < pairs; ++pair) {
    if (!table_.viable[pair]) continue;
    size_t& first = examples_[pair % table_.actions];
    if (first == pairs) first = pair;
    shared_ = shared_ && table_.discounts[pair] == table_.discounts[first] &&
              same(table_.successors, pair, first, table_.nearest) &&
              same(table_.weights, pair, first, table_.nearest) &&
              same(table_.motions, pair, first, 3) && same(table_.shifts, pair, first, shifts);
  }
}

ValueIteration::Scratch ValueIteration::scratch() const {
  const size_t n = space_.size();
  return {std::vector<float>(n), std::vector<float>(n), std::vector<float>(n),
          std::vector<float>(n)};
}

Displacement ValueIteration::displacement(size_t pair) const {
  const double* motion = table_.motions.data() + 3 * pair;
  return {motion[0],
          motion[1],
          motion[2],
          {table_.shifts.data() + space_.shifts() * pair, space_.shifts()}};
}

void ValueIteration::act(const float* values, size_t pair, Scratch& scratch) const {
  const size_t tasks = space_.size();
  float* const expected = scratch.expected.data();
  const float discount = table_.discounts[pair];
  // Rewards for what a task becomes are spread by the same displacement as values: once for both.
  std::copy(tasks_.there.begin(), tasks_.there.end(), expected);
  // Two states at a time: half the passes over what is summed.
  const int32_t* const near = table_.successors.data() + pair * table_.nearest;
  const float* const weights = table_.weights.data() + pair * table_.nearest;
  size_t k = 0;
  for (; k + 1 < table_.nearest; k += 2) {
    const float first = discount * weights[k], second = discount * weights[k + 1];
    const float* const a = values + tasks * near[k];
    const float* const b = values + tasks * near[k + 1];
    for (size_t w = 0; w < tasks; ++w) expected[w] += first * a[w] + second * b[w];
  }
  if (k < table_.nearest) {
    const float last = discount * weights[k];
    const float* const a = values + tasks * near[k];
    for (size_t w = 0; w < tasks; ++w) expected[w] += last * a[w];
  }
  space_.displaced(displacement(pair), expected, scratch.swap.data(), scratch.moved.data());
  if (!tasks_.acting.empty()) add_acting(pair % table_.actions, scratch);
}

void ValueIteration::add_acting(size_t action, Scratch& scratch) const {
  const size_t tasks = space_.size();
  const float* const worth = tasks_.acting.data() + columns() * action;
  const float* const going = tasks_.going.data() + columns() * action;
  float* const moved = scratch.moved.data();
  if (tasks_.columns.empty()) {
    for (size_t w = 0; w < tasks; ++w) moved[w] = worth[w] + going[w] * moved[w];
  } else {
    const int32_t* const column = tasks_.columns.data();
    for (size_t w = 0; w < tasks; ++w) moved[w] = worth[column[w]] + going[column[w]] * moved[w];
  }
  if (tasks_.early_first.empty()) return;
  for (size_t i = tasks_.early_first[action]; i < tasks_.early_first[action + 1]; ++i) {
    const auto task = static_cast<size_t>(tasks_.early[i]);
    moved[task] = worth[tasks_.columns.empty() ? task : tasks_.columns[task]] + tasks_.saved[i];
  }
}

std::pair<float, float> ValueIteration::acting(size_t action, size_t task, bool early) const {
  if (tasks_.acting.empty()) return {0.0f, 1.0f};
  const size_t at = columns() * action + (tasks_.columns.empty() ? task : tasks_.columns[task]);
  if (early && !tasks_.early_first.empty()) {
    const auto first = tasks_.early.begin() + tasks_.early_first[action];
    const auto last = tasks_.early.begin() + tasks_.early_first[action + 1];
    const auto found = std::lower_bound(first, last, static_cast<int32_t>(task));
    if (found != last && static_cast<size_t>(*found) == task)
      return {tasks_.acting[at] + tasks_.saved[found - tasks_.early.begin()], 0.0f};
  }
  return {tasks_.acting[at], tasks_.going[at]};
}

bool ValueIteration::stuck(size_t state) const {
  const uint8_t* const first = table_.viable.data() + state * table_.actions;
  return std::none_of(first, first + table_.actions, [](uint8_t can) { return can != 0; });
}

float ValueIteration::settle(size_t state, const float* best, const float* before, float rate,
                             float* after) const {
  const size_t tasks = space_.size();
  const bool none = stuck(state);
  const float* const here = this->here(state);
  float change = 0.0f;
  for (size_t w = 0; w < tasks; ++w) {
    if (!tasks_.known.empty() && tasks_.known[w]) {
      after[w] = before[w];
      continue;
    }
    const float wanted = none ? tasks_.stuck : here[w] + best[w];
    const float step = rate * (wanted - before[w]);
    change = std::max(change, std::abs(step));
    after[w] = before[w] + step;
  }
  return change;
}

template <class Seen>
void ValueIteration::each_action(const float* values, int threads, const Interrupt& interrupt,
                                 Seen seen) const {
  const size_t tasks = space_.size(), pairs = table_.states * table_.actions;
  std::vector<float> moved(std::min(kActions, table_.actions) * tasks);
  for (size_t first = 0; first < table_.actions; first += kActions) {
    const size_t last = std::min(first + kActions, table_.actions);
    parallel_for(last - first, threads, 1, interrupt, [&](size_t from, size_t to) {
      thread_local Scratch own;
      if (own.best.size() != tasks) own = scratch();
      for (size_t i = from; i < to; ++i) {
        if (examples_[first + i] == pairs) continue;
        act(values, examples_[first + i], own);
        std::copy(own.moved.begin(), own.moved.end(), moved.begin() + i * tasks);
      }
    });
    seen(first, last, moved.data());
  }
}

void ValueIteration::best_shared(const float* values, float* best, int32_t* chosen, int threads,
                                 const Interrupt& interrupt) const {
  const size_t tasks = space_.size(), actions = table_.actions;
  std::fill(best, best + table_.states * tasks, kNothing);
  if (chosen) std::fill(chosen, chosen + table_.states * tasks, -1);
  each_action(values, threads, interrupt, [&](size_t first, size_t last, const float* moved) {
    const size_t chunks = (tasks + kChunk - 1) / kChunk;
    parallel_for(chunks, threads, 1, interrupt, [&](size_t from, size_t to) {
      const size_t begin = from * kChunk, end = std::min(to * kChunk, tasks);
      for (size_t state = 0; state < table_.states; ++state) {
        float* const own = best + tasks * state;
        for (size_t action = first; action < last; ++action) {
          const size_t pair = state * actions + action;
          if (!table_.viable[pair]) continue;
          const float reward = table_.rewards[pair];
          const float* const leads = moved + (action - first) * tasks;
          if (chosen == nullptr) {
            for (size_t w = begin; w < end; ++w) own[w] = std::max(own[w], reward + leads[w]);
            continue;
          }
          int32_t* const picked = chosen + tasks * state;
          for (size_t w = begin; w < end; ++w) {
            const float worth = reward + leads[w];
            picked[w] = worth > own[w] ? static_cast<int32_t>(action) : picked[w];
            own[w] = std::max(own[w], worth);
          }
        }
      }
    });
  });
}

float ValueIteration::sweep(const float* old, float* next, float rate, int threads,
                            const Interrupt& interrupt) const {
  const size_t tasks = space_.size(), actions = table_.actions;
  std::vector<float> changes(table_.states, 0.0f);
  if (shared_ && old != next) {
    best_shared(old, next, nullptr, threads, interrupt);
    parallel_for(table_.states, threads, 1, interrupt, [&](size_t first, size_t last) {
      for (size_t state = first; state < last; ++state)
        changes[state] =
            settle(state, next + tasks * state, old + tasks * state, rate, next + tasks * state);
    });
    return changes.empty() ? 0.0f : *std::max_element(changes.begin(), changes.end());
  }
  parallel_for(table_.states, threads, 1, interrupt, [&](size_t first, size_t last) {
    thread_local Scratch own;
    if (own.best.size() != tasks) own = scratch();
    for (size_t state = first; state < last; ++state) {
      std::fill(own.best.begin(), own.best.end(), kNothing);
      for (size_t action = 0; action < actions; ++action) {
        const size_t pair = state * actions + action;
        if (!table_.viable[pair]) continue;
        act(old, pair, own);
        const float reward = table_.rewards[pair];
        for (size_t w = 0; w < tasks; ++w)
          own.best[w] = std::max(own.best[w], reward + own.moved[w]);
      }
      changes[state] =
          settle(state, own.best.data(), old + tasks * state, rate, next + tasks * state);
    }
  });
  return changes.empty() ? 0.0f : *std::max_element(changes.begin(), changes.end());
}

void ValueIteration::greedy(const float* values, int32_t* best, int threads,
                            const Interrupt& interrupt) const {
  const size_t tasks = space_.size(), actions = table_.actions;
  if (shared_) {
    std::vector<float> worths(table_.states * tasks);
    best_shared(values, worths.data(), best, threads, interrupt);
    return;
  }
  parallel_for(table_.states, threads, 1, interrupt, [&](size_t first, size_t last) {
    thread_local Scratch own;
    if (own.best.size() != tasks) own = scratch();
    for (size_t state = first; state < last; ++state) {
      int32_t* const chosen = best + tasks * state;
      std::fill(own.best.begin(), own.best.end(), kNothing);
      std::fill(chosen, chosen + tasks, -1);
      for (size_t action = 0; action < actions; ++action) {
        const size_t pair = state * actions + action;
        if (!table_.viable[pair]) continue;
        act(values, pair, own);
        for (size_t w = 0; w < tasks; ++w) {
          const float worth = table_.rewards[pair] + own.moved[w];
          if (worth > own.best[w]) own.best[w] = worth, chosen[w] = static_cast<int32_t>(action);
        }
      }
    }
  });
}

void ValueIteration::look_ahead(const float* values, size_t state, const double* task,
                                double* worth) const {
  const size_t tasks = space_.size();
  std::vector<double> becomes(space_.dimensions());
  std::vector<Corner> around;
  const double here = space_.at(this->here(state), task);
  for (size_t action = 0; action < table_.actions; ++action) {
    const size_t pair = state * table_.actions + action;
    if (!table_.viable[pair]) {
      worth[action] = -std::numeric_limits<double>::infinity();
      continue;
    }
    std::copy(task, task + becomes.size(), becomes.begin());
    space_.displace(displacement(pair), becomes.data());
    around.clear();
    space_.around(becomes.data(),
                  [&](size_t place, double weight) { around.push_back({place, weight}); });
    double expected = 0.0, there = 0.0;
    for (size_t k = 0; k < table_.nearest; ++k) {
      const size_t at = pair * table_.nearest + k;
      if (table_.weights[at] == 0.0f) continue;
      const float* const own = values + tasks * table_.successors[at];
      double value = 0.0;
      for (const Corner& corner : around) value += corner.weight * own[corner.place];
      expected += table_.weights[at] * value;
    }
    for (const Corner& corner : around) there += corner.weight * tasks_.there[corner.place];
    double after = there + table_.discounts[pair] * expected;
    if (!tasks_.acting.empty()) {
      double worth_now = 0.0, goes = 0.0;
      space_.around(task, [&](size_t place, double weight) {
        const auto [own, on] = acting(action, place);
        worth_now += weight * own;
        goes += weight * on;
      });
      after = worth_now + goes * after;
    }
    worth[action] = here + table_.rewards[pair] + after;
  }
}

void ValueIteration::look_ahead_among(const float* values, std::span<const int32_t> states,
                                      std::span<const double> shares, const double* task,
                                      double* worth) const {
  std::vector<double> own(table_.actions);
  std::fill(worth, worth + table_.actions, 0.0);
  for (size_t i = 0; i < states.size(); ++i) {
    look_ahead(values, states[i], task, own.data());
    for (size_t action = 0; action < own.size(); ++action)
      worth[action] += shares[i] * (std::isinf(own[action]) ? tasks_.stuck : own[action]);
  }
}

}  // namespace surefoot::learning
