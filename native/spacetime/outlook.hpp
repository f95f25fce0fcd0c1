// What is likely, as a search learns it: a way that failed is not counted on any more.
//
// Whoever hoped to go that way at that time looks worse at once, wherever they are: estimates are
// solved again backward from there, as far as anything changes.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "spacetime/likely.hpp"

namespace surefoot::spacetime {

class Outlook {
 public:
  // Doubt: [s] for each count of failures.
  Outlook(const Likely& likely, double doubt);

  // What is left costs for somebody who is at a landmark at a time; infinity where nothing leads
  // on.
  double left(int landmark, double t) {
    solve(likely_.block_at(t));
    return likely_.left_of(left_, landmark, t);
  }
  // What became of a way.
  void tell(int from, int to, double departs, bool succeeded, bool rests = false);
  // [s]: by how much worse a way is that has failed about then.
  double doubt(int from, int to, double departs) const;

 private:
  struct Record {
    size_t row;      // of failures by block
    int in_all = 0;  // failures, less successes, whatever the time
    int always = 0;  // of them, what counts at all times
  };
  const Record* find(int from, int to) const;
  bool crosses(int from, int to) const;
  uint64_t bodies(int from, int to) const;
  int between(int from, int to) const;
  void tell_between(int from, int to, bool succeeded);
  double doubt_in(int from, int to, size_t block) const;
  float best(int landmark, size_t block) const;
  void touch(int landmark, size_t block);
  void touch_who_goes(int from, int to);
  void touch_who_crosses(int from, int to);
  // Down to a block: what is asked later is not needed yet.
  void solve(size_t earliest);

  const Likely& likely_;
  double doubt_;
  std::vector<float> left_;
  size_t landmarks_;
  std::unordered_map<uint64_t, Record> records_;  // by way
  std::vector<int8_t> rows_;                      // failures by block
  std::unordered_map<uint64_t, int> between_;     // failures, less successes, by pair of bodies
  std::vector<std::vector<int>> touched_;         // landmarks by block, to be solved again
  std::vector<uint8_t> is_touched_;
  size_t unsolved_ = 0;  // no block from here on has any
};

}  // namespace surefoot::spacetime
