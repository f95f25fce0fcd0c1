// Checks of what a caller gives: each throws an error that names the argument, its value and what
// is allowed. For entries, not for inner loops.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include "math/limits.hpp"

namespace surefoot {

// A value that a caller gave is wrong; becomes surefoot.errors.InputError in Python. Errors of a
// kind derive from it, as they do there.
struct InputError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Text put together of words and numbers.
class Message {
 public:
  Message& operator<<(const char* words);
  Message& operator<<(const std::string& words);
  Message& operator<<(double number);
  Message& operator<<(std::integral auto number) { return *this << std::to_string(number); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// "name[index]".
std::string entry(const char* name, size_t index);

template <class Error = InputError, class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  Message message;
  (message << ... << parts);
  throw Error(message.text());
}

template <class Error = InputError, class... Parts>
void require(bool good, const Parts&... parts) {
  if (!good) refuse<Error>(parts...);
}

// Numbers from `least` to `most`, both included; never NaN.
template <class Error = InputError>
void check_number(double value, const char* name, double least, double most) {
  if (value >= least && value <= most) return;
  refuse<Error>(name, " is ", value, "; it must be from ", least, " to ", most);
}

template <class Error = InputError>
void check_numbers(std::span<const double> values, const char* name, double least, double most) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!(values[i] >= least && values[i] <= most))
      check_number<Error>(values[i], entry(name, i).c_str(), least, most);
}

template <class Error = InputError>
void check_finite(double value, const char* name) {
  if (!std::isfinite(value)) refuse<Error>(name, " is ", value, "; it must be finite");
}

template <class Error = InputError, class Number>
void check_finite(std::span<const Number> values, const char* name) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) check_finite<Error>(values[i], entry(name, i).c_str());
}

// [m], at least 0.
template <class Error = InputError>
void check_size(double value, const char* name) {
  check_number<Error>(value, name, 0, kMaxSize);
}

// [m], at least 0; infinite where there is no limit.
template <class Error = InputError>
void check_reach(double value, const char* name) {
  if (value >= 0) return;
  refuse<Error>(name, " is ", value, "; it must be at least 0");
}

template <class Error = InputError>
void check_coordinate(double value, const char* name) {
  check_number<Error>(value, name, -kMaxCoordinate, kMaxCoordinate);
}

template <class Error = InputError>
void check_time(double value, const char* name) {
  check_number<Error>(value, name, -kMaxTime, kMaxTime);
}

template <class Error = InputError>
void check_times(std::span<const double> values, const char* name) {
  check_numbers<Error>(values, name, -kMaxTime, kMaxTime);
}

template <class Error = InputError>
void check_increasing(std::span<const double> values, const char* name) {
  for (size_t i = 0; i + 1 < values.size(); ++i)
    if (!(values[i] < values[i + 1]))
      refuse<Error>(entry(name, i + 1), " is ", values[i + 1], ", after ", values[i],
                    "; they must increase");
}

// As many as there are of something else.
template <class Error = InputError>
void check_count(size_t given, const char* name, size_t expected, const char* other) {
  if (given == expected) return;
  refuse<Error>(name, " has ", given, " entries; ", other, " needs ", expected);
}

// An index into `count` things.
template <class Error = InputError>
void check_index(int64_t index, size_t count, const char* name) {
  if (index >= 0 && static_cast<uint64_t>(index) < count) return;
  if (count == 0) refuse<Error>(name, " is ", index, ", but there are none");
  refuse<Error>(name, " is ", index, "; it must be from 0 to ", count - 1);
}

template <class Error = InputError, class Index>
void check_indices(std::span<const Index> indices, size_t count, const char* name) {
  for (size_t i = 0; i < indices.size(); ++i)
    if (indices[i] < 0 || static_cast<uint64_t>(indices[i]) >= count)
      check_index<Error>(indices[i], count, entry(name, i).c_str());
}

// Where the parts of a list begin, and where the last one ends: from 0 to `count`, not decreasing.
template <class Error = InputError>
void check_offsets(std::span<const int32_t> offsets, size_t count, const char* name) {
  int32_t last = 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] < last || static_cast<uint64_t>(offsets[i]) > count)
      refuse<Error>(entry(name, i), " is ", offsets[i], "; it must be from ", last, " to ", count);
    last = offsets[i];
  }
}

inline void check_threads(int threads) {
  if (threads >= 1 && threads <= kMaxThreads) return;
  refuse("threads is ", threads, "; it must be from 1 to ", kMaxThreads);
}

}  // namespace surefoot
