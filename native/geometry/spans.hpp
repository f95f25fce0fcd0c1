// Spans of time, in order.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace surefoot {

using Spans = std::vector<std::pair<double, double>>;

// The spans between neighbouring times, the first at the back: a stack to take them from.
inline Spans between(std::vector<double> times) {
  std::sort(times.begin(), times.end(), std::greater<>());
  Spans out;
  for (size_t i = 0; i + 1 < times.size(); ++i) out.emplace_back(times[i + 1], times[i]);
  return out;
}

// Adds a span, joining it to the last one when they touch.
inline void append(Spans& spans, double from, double to) {
  if (!spans.empty() && from <= spans.back().second)
    spans.back().second = std::max(spans.back().second, to);
  else
    spans.emplace_back(from, to);
}

inline Spans merged(Spans spans) {
  std::sort(spans.begin(), spans.end());
  Spans out;
  for (const auto& [from, to] : spans) append(out, from, to);
  return out;
}

// What is left of some spans without others; both in order.
inline Spans without(const Spans& spans, const Spans& taken) {
  Spans out;
  for (const auto& [start, end] : spans) {
    double from = start;
    for (const auto& [a, b] : taken) {
      if (b <= from || a >= end) continue;
      if (a > from) out.emplace_back(from, a);
      from = std::max(from, b);
    }
    if (from < end) out.emplace_back(from, end);
  }
  return out;
}

}  // namespace surefoot
