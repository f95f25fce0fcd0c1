// TEST(name) { ... } registers a test; main.cpp runs those whose names contain one of its
// arguments. A failed check ends its test and prints the `context`, for example the seed of a
// random case.
#pragma once

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace surefoot::testing {

struct Test {
  std::string name;
  void (*run)();
};
inline std::vector<Test> tests;
inline std::string context;

struct Registration {
  Registration(const char* name, void (*run)()) { tests.push_back({name, run}); }
};

template <class... Parts>
[[noreturn]] void fail(const char* file, int line, const Parts&... parts) {
  std::ostringstream text;
  text.precision(17);
  ((text << file << ':' << line << ": ") << ... << parts) << " [" << context << ']';
  throw std::logic_error(text.str());
}

template <class Run>
std::string message_of(Run run) {
  try {
    run();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no exception";
}

}  // namespace surefoot::testing

// clang-format off
#define TEST(name) static void name(); \
  static const surefoot::testing::Registration name##_registration(#name, name); static void name()
#define FAIL_UNLESS(good, ...) \
  do { if (!(good)) surefoot::testing::fail(__FILE__, __LINE__, __VA_ARGS__); } while (false)
#define CHECK(condition) FAIL_UNLESS(condition, "CHECK(" #condition ")")
#define CHECK_NEAR(a, b, tolerance) do { \
  const double a_ = (a), b_ = (b); \
  FAIL_UNLESS(std::abs(a_ - b_) <= (tolerance), #a " = ", a_, ", not near " #b " = ", b_); \
} while (false)
// `text` must be a part of the message.
#define CHECK_THROWS(expression, text) do { \
  const std::string said_ = surefoot::testing::message_of([&] { (void)(expression); }); \
  FAIL_UNLESS(said_.find(text) != std::string::npos, #expression ": ", said_, ", not ", text); \
} while (false)
