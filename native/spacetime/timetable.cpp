#include "spacetime/timetable.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/checks.hpp"

namespace surefoot::spacetime {

TimetableEdges::TimetableEdges(Timetable table) : table_(std::move(table)) {
  check_number(static_cast<double>(table_.landmarks), "landmarks", 1, 1e5);
  check_number(static_cast<double>(table_.controllers), "controllers", 0, 1e5);
  check_number(static_cast<double>(table_.ticks), "ticks", 1, 1e9);
  check_number(table_.tick, "tick", 1e-6, kMaxTime);
  const double cells = static_cast<double>(table_.landmarks) *
                       static_cast<double>(table_.landmarks) *
                       static_cast<double>(table_.controllers) * static_cast<double>(table_.ticks);
  require(static_cast<double>(table_.durations.size()) == cells, "durations has ",
          table_.durations.size(), " entries; it needs ", cells);
  check_count(table_.until.size(), "until", table_.landmarks * table_.ticks, "landmarks x ticks");
  check_count(table_.rates.size(), "rates", table_.controllers, "controllers");
  check_count(table_.ahead.size(), "ahead", table_.landmarks, "landmarks");
  check_count(table_.goals.size(), "goals", table_.landmarks, "landmarks");
  for (const int32_t lasts : table_.durations)
    require(lasts >= 0, "a duration is ", lasts, " ticks; it must be at least 0");
  check_number(table_.looseness, "looseness", 0, 1);
  check_numbers(table_.rates, "rates", 0, kMaxSize);
  check_numbers(table_.ahead, "ahead", 0, kInfinity);
  const int n = static_cast<int>(table_.landmarks), c = static_cast<int>(table_.controllers);
  near_.resize(n);
  all_.resize(c);
  std::iota(all_.begin(), all_.end(), 0);
  least_.assign(static_cast<size_t>(n) * c * n, 0);
  for (int from = 0; from < n; ++from)
    for (int to = 0; to < n; ++to) {
      bool ever = false;
      for (int k = 0; k < c; ++k) {
        int32_t least = 0, most = 0;
        for (size_t tick = 0; tick < table_.ticks; ++tick) {
          const int32_t lasts = duration(from, k, to, tick);
          if (lasts > 0) least = least == 0 ? lasts : std::min(least, lasts);
          most = std::max(most, lasts);
        }
        least_[table_.index(from, k, to)] = least;
        ever |= least > 0;
        spread_ = std::max(spread_, table_.tick * (most - table_.looseness * least));
      }
      if (ever && from != to) near_[from].push_back(to);
    }
}

size_t TimetableEdges::tick_of(double t) const {
  const auto tick = static_cast<size_t>(std::max(std::llround(t / table_.tick), 0LL));
  return std::min(tick, table_.ticks - 1);
}

double TimetableEdges::in_reach(int from, int to, int controller, double t) {
  const auto first = static_cast<size_t>(std::ceil(t / table_.tick - 1e-6));
  for (size_t tick = first; tick < table_.ticks; ++tick)
    if (duration(from, controller, to, tick) > 0)
      return tick == first ? t : table_.tick * static_cast<double>(tick);
  return kInfinity;
}

Bound TimetableEdges::bound(int from, int, double, double, int controller, int to) {
  const int32_t least = least_[table_.index(from, controller, to)];
  if (least == 0) return {};
  const double time = table_.looseness * table_.tick * least;
  const double cost = table_.rates[controller] * time;
  return {time, cost, time, cost};
}

Least TimetableEdges::least(int from, int to, double waiting) const {
  Least found;
  for (const int k : all_) {
    const int32_t least = least_[table_.index(from, k, to)];
    if (least == 0) continue;
    const double time = table_.looseness * table_.tick * least, rate = table_.rates[k];
    found.time = std::min(found.time, time);
    found.cost = std::min(found.cost, rate * time);
    found.beyond = std::min(found.beyond, std::max(rate - waiting, 0.0) * time);
  }
  return found;
}

std::optional<Arrived> TimetableEdges::go(int from, int, double, double departs, int controller,
                                          int to) {
  const size_t tick = tick_of(departs);
  const int32_t lasts = duration(from, controller, to, tick);
  if (lasts == 0) return std::nullopt;
  const double arrives = table_.tick * static_cast<double>(tick + lasts);
  return Arrived{arrives, table_.rates[controller] * table_.tick * lasts, 0, to};
}

bool TimetableEdges::stays(int landmark, int, double arrived, double until) {
  const int32_t last = table_.until[landmark * table_.ticks + tick_of(arrived)];
  return until <= table_.tick * last + 1e-9;
}

}  // namespace surefoot::spacetime
