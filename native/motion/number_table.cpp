#include "motion/number_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace surefoot {
namespace {

// Powers of ten that a double holds exactly.
constexpr double kTens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kMostTens = 22;
constexpr double kLargest = 1e15;
constexpr uint64_t kExact = uint64_t{1} << 53;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

// Any number, rounded to the nearest double; false for what is none or beyond the doubles.
bool read_slowly(const char* first, const char* last, double& value) {
#if defined(__cpp_lib_to_chars)
  const auto [end, error] = std::from_chars(first, last, value);
  if (end != last) return false;
  if (error == std::errc()) return std::isfinite(value);
  if (error != std::errc::result_out_of_range) return false;
#endif
  // Also for numbers too small for a double, which from_chars refuses like those too large.
  const std::string word(first, last);
  char* stopped = nullptr;
  value = std::strtod(word.c_str(), &stopped);
  return stopped == word.c_str() + word.size() && std::isfinite(value);
}

// Reads the word at `p`, which has a decimal number's form; the end of it, or nullptr.
// Digits below 2^53 and a power of ten up to 22 are exact as doubles, and one multiplication or
// division of exact numbers is rounded correctly (Clinger 1990): nearly every number in a file.
const char* read_number(const char* p, const char* end, double& value) {
  const char* const word = p;
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  const char* const first = p;
  uint64_t digits = 0;
  int count = 0, power = 0;
  for (; p != end && is_digit(*p); ++p, ++count) digits = digits * 10 + uint64_t(*p - '0');
  if (p != end && *p == '.') {
    const char* const point = ++p;
    for (; p != end && is_digit(*p); ++p, ++count) digits = digits * 10 + uint64_t(*p - '0');
    power = -static_cast<int>(p - point);
  }
  if (count == 0) return nullptr;
  if (p != end && (*p == 'e' || *p == 'E')) {
    ++p;
    const bool down = p != end && *p == '-';
    if (p != end && (*p == '-' || *p == '+')) ++p;
    if (p == end || !is_digit(*p)) return nullptr;
    int exponent = 0;
    for (; p != end && is_digit(*p); ++p)
      if (exponent < 100000) exponent = exponent * 10 + (*p - '0');
    power += down ? -exponent : exponent;
  }
  if (p != end && !is_blank(*p)) return nullptr;
  if (count <= 19 && digits <= kExact && power >= -kMostTens && power <= kMostTens) {
    const double whole = static_cast<double>(digits);
    value = power < 0 ? whole / kTens[-power] : whole * kTens[power];
    if (negative) value = -value;
    return p;
  }
  // from_chars takes no plus sign.
  return read_slowly(*word == '+' ? first : word, p, value) ? p : nullptr;
}

}  // namespace

NumberTable read_numbers(std::string_view text, size_t columns, size_t expected) {
  NumberTable table;
  // A number and the blank after it take two characters at least, whatever is expected.
  table.values.reserve(std::min(expected, text.size() / 2 + 1));
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* line = begin;
  size_t before = 0;
  const auto end_line = [&](const char* next) {
    const size_t held = table.values.size() - before;
    if (held != 0 && held != columns && table.uneven == kNowhere) {
      table.uneven = static_cast<size_t>(line - begin);
      table.uneven_count = held;
      table.uneven_first = before;
    }
    before = table.values.size();
    line = next;
  };
  for (const char* p = begin; p != end;) {
    if (*p == '\n' || *p == '\r') {
      end_line(++p);
    } else if (is_blank(*p)) {
      ++p;
    } else {
      double value = 0;
      const char* const after = read_number(p, end, value);
      // Beyond this nothing is a length or an angle, and squares of it would soon overflow.
      if (after == nullptr || std::abs(value) > kLargest) {
        table.bad = static_cast<size_t>(p - begin);
        return table;
      }
      table.values.push_back(value);
      p = after;
    }
  }
  end_line(end);
  return table;
}

}  // namespace surefoot
