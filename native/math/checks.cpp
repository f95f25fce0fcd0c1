#include "math/checks.hpp"

#include <cstdio>

namespace surefoot {

Message& Message::operator<<(const char* words) {
  text_ += words;
  return *this;
}

Message& Message::operator<<(const std::string& words) {
  text_ += words;
  return *this;
}

Message& Message::operator<<(double number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", number);
  return *this << digits;
}

std::string entry(const char* name, size_t index) {
  Message message;
  message << name << "[" << index << "]";
  return message.text();
}

}  // namespace surefoot
