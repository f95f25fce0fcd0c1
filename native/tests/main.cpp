// Runs all tests, or those whose names contain one of the arguments.
#include <algorithm>
#include <iostream>

#include "tests/testing.hpp"

int main(int count, char** arguments) {
  using surefoot::testing::Test;
  int passed = 0, failed = 0;
  for (const Test& test : surefoot::testing::tests) {
    const auto named = [&](const char* part) { return test.name.find(part) != std::string::npos; };
    if (count > 1 && std::none_of(arguments + 1, arguments + count, named)) continue;
    surefoot::testing::context.clear();
    try {
      test.run();
      ++passed;
    } catch (const std::exception& error) {
      ++failed;
      std::cout << "FAILED " << test.name << "\n  " << error.what() << std::endl;
    }
  }
  std::cout << passed << " passed, " << failed << " failed" << std::endl;
  // A name that no test has is a mistake.
  return failed > 0 || passed == 0;
}
