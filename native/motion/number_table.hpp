// Numbers written as text, many to a line: the frames of a motion capture file.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

namespace surefoot {

inline constexpr size_t kNowhere = std::numeric_limits<size_t>::max();

struct NumberTable {
  std::vector<double> values;  // in the order of the text
  size_t bad = kNowhere;       // where the first word begins that is no number, or beyond 1e15
  size_t uneven = kNowhere;    // where the first line of another count of numbers begins
  size_t uneven_count = 0;     // how many numbers that line has
  size_t uneven_first = 0;     // how many numbers come before that line
};

// Reads numbers from `text` until its end or the first word that is no number of use. Lines that
// hold none do not count; every other line should hold `columns`. `expected` is how many numbers
// there should be.
NumberTable read_numbers(std::string_view text, size_t columns, size_t expected);

}  // namespace surefoot
