#include "spacetime/outlook.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace surefoot::spacetime {
namespace {

constexpr float kNever = std::numeric_limits<float>::infinity();
constexpr int kFailed = 2, kFailedNear = 1;  // in the block of the departure, and in those beside
constexpr int kMost = 100, kForgiven = 16;
constexpr int kInAll = 4;         // failures at any time count as one at all times
constexpr int kBetween = 8;       // likewise of ways from one body to another
constexpr float kSlight = 0.02f;  // changes of estimates that are not told on

uint64_t key(int from, int to) {
  return static_cast<uint64_t>(from) << 32 | static_cast<uint32_t>(to);
}

}  // namespace

Outlook::Outlook(const Likely& likely, double doubt)
    : likely_(likely),
      doubt_(doubt),
      left_(likely.left_),
      landmarks_(likely.goals_.size()),
      touched_(likely.blocks_),
      is_touched_(left_.size(), 0) {}

const Outlook::Record* Outlook::find(int from, int to) const {
  const auto found = records_.find(key(from, to));
  return found == records_.end() ? nullptr : &found->second;
}

double Outlook::doubt_in(int from, int to, size_t block) const {
  const Record* record = find(from, to);
  if (record == nullptr && between_.empty()) return 0;
  const int own = record == nullptr ? 0 : std::max(rows_[record->row + block] + record->always, 0);
  return doubt_ * (own + between(from, to));
}

// Of ways from one body to another that moves against it.
uint64_t Outlook::bodies(int from, int to) const {
  const std::vector<Landmark>& marks = likely_.meetings_->landmarks();
  return key(marks[from].body, marks[to].body);
}

int Outlook::between(int from, int to) const {
  if (between_.empty() || !crosses(from, to)) return 0;
  const auto found = between_.find(bodies(from, to));
  return found == between_.end() ? 0 : std::max(found->second / kBetween, 0);
}

bool Outlook::crosses(int from, int to) const {
  const std::vector<Landmark>& marks = likely_.meetings_->landmarks();
  return marks[from].frame != marks[to].frame;
}

// Where many ways from one body to another have failed, so will most.
void Outlook::tell_between(int from, int to, bool succeeded) {
  const int before = between(from, to);
  int& failed = between_.try_emplace(bodies(from, to), 0).first->second;
  failed = std::max(failed + (succeeded ? -2 * kBetween : 1), -2 * kBetween);
  if (between(from, to) == before) return;
  touch_who_crosses(from, to);
}

// All from one body to another for whom that may be the best way, or become it.
void Outlook::touch_who_crosses(int from, int to) {
  const std::vector<Landmark>& marks = likely_.meetings_->landmarks();
  std::vector<int> leaving;
  for (size_t i = 0; i < landmarks_; ++i)
    if (marks[i].body == marks[from].body && marks[i].frame == marks[from].frame)
      leaving.push_back(static_cast<int>(i));
  for (size_t k = 0; k + likely_.crossing_ < likely_.blocks_; ++k) {
    const float* there = left_.data() + (k + likely_.crossing_) * landmarks_;
    for (const int i : leaving)
      likely_.each_crossing(k, i, [&](int aim, float cost) {
        if (marks[aim].body == marks[to].body && cost + there[aim] <= left_[k * landmarks_ + i])
          touch(i, k);
      });
  }
}

double Outlook::doubt(int from, int to, double departs) const {
  return doubt_in(from, to, likely_.block_at(departs));
}

void Outlook::tell(int from, int to, double departs, bool succeeded, bool rests) {
  const size_t block = likely_.block_at(departs);
  const auto [found, added] = records_.try_emplace(key(from, to), Record{rows_.size()});
  if (added) rows_.resize(rows_.size() + likely_.blocks_, 0);
  Record& record = found->second;
  int8_t* row = rows_.data() + record.row;
  const auto count = [&](size_t at, int by) {
    row[at] = static_cast<int8_t>(std::clamp(row[at] + by, -kMost, kMost));
    touch(from, at);
  };
  // A success makes up for two failures.
  const int sign = succeeded ? -2 : 1;
  count(block, sign * kFailed);
  if (block > 0) count(block - 1, sign * kFailedNear);
  if (block + 1 < likely_.blocks_) count(block + 1, sign * kFailedNear);
  record.in_all = std::max(record.in_all + (succeeded ? -kInAll : rests ? kInAll : 1), -kForgiven);
  const int always = std::max(record.in_all / kInAll, 0);
  if (always != record.always) {
    record.always = always;
    touch_who_goes(from, to);
  }
  if (crosses(from, to)) tell_between(from, to, succeeded);
}

// All blocks in which a way may be the best one, or become it.
void Outlook::touch_who_goes(int from, int to) {
  const size_t n = landmarks_;
  size_t lasts = likely_.crossing_;
  float cost = likely_.cost(from, to, likely_.pace_.crossing);
  for (size_t w = likely_.first_[from]; w < likely_.first_[from + 1]; ++w)
    if (likely_.ways_[w].to == to) lasts = likely_.ways_[w].lasts, cost = likely_.ways_[w].cost;
  for (size_t k = 0; k + lasts < likely_.blocks_; ++k)
    if (cost + left_[(k + lasts) * n + to] <= left_[k * n + from]) touch(from, k);
}

void Outlook::touch(int landmark, size_t block) {
  uint8_t& is = is_touched_[block * landmarks_ + landmark];
  if (is) return;
  is = 1;
  touched_[block].push_back(landmark);
  unsolved_ = std::max(unsolved_, block + 1);
}

float Outlook::best(int i, size_t k) const {
  const auto doubted = [&](int from, int to, size_t block) {
    return static_cast<float>(likely_.pace_.second * doubt_in(from, to, block));
  };
  const size_t n = landmarks_;
  const float* now = left_.data() + k * n;
  float best = likely_.at_goal(i, k);
  if (k + 1 < likely_.blocks_ && !likely_.blocked(likely_.occupied_[i], k + 1))
    best = std::min(best, likely_.wait_ + now[n + i]);
  for (size_t w = likely_.first_[i]; w < likely_.first_[i + 1]; ++w) {
    const Likely::Way& way = likely_.ways_[w];
    if (k + way.lasts >= likely_.blocks_) continue;
    const float left = way.cost + now[way.lasts * n + way.to];
    if (left >= best || likely_.blocked(way.blocked, k)) continue;
    best = std::min(best, left + doubted(i, way.to, k));
  }
  if (k + likely_.crossing_ >= likely_.blocks_) return best;
  likely_.each_crossing(k, i, [&](int to, float cost) {
    const float left = cost + now[likely_.crossing_ * n + to];
    if (left < best) best = std::min(best, left + doubted(i, to, k));
  });
  return best;
}

void Outlook::solve(size_t earliest) {
  const size_t n = landmarks_;
  while (unsolved_ > earliest) {
    const size_t k = unsolved_ - 1;
    for (size_t at = 0; at < touched_[k].size(); ++at) {
      const int i = touched_[k][at];
      is_touched_[k * n + i] = 0;
      if (likely_.beyond(i, k)) continue;
      float& known = left_[k * n + i];
      const float now = best(i, k);
      if (std::abs(now - known) < kSlight || now == known) continue;
      const float before = known;
      known = now;
      // Only who went that way, or is better off with it now, has anything to think over.
      const auto tell = [&](int from, size_t block, float cost) {
        const float own = left_[block * n + from];
        if (cost + before <= own || cost + now < own) touch(from, block);
      };
      if (k > 0) tell(i, k - 1, likely_.wait_);
      for (size_t w = likely_.first_leading_[i]; w < likely_.first_leading_[i + 1]; ++w) {
        const Likely::Leading& way = likely_.leading_[w];
        if (way.lasts <= k) tell(way.from, k - way.lasts, way.cost);
      }
      if (likely_.crossing_ > k) continue;
      const size_t departs = k - likely_.crossing_;
      const auto& crossings = likely_.crossings_to_[departs];
      for (auto it = std::lower_bound(crossings.begin(), crossings.end(), std::pair{i, -1});
           it != crossings.end() && it->first == i; ++it)
        tell(it->second, departs, likely_.cost(it->second, i, likely_.pace_.crossing));
    }
    touched_[k].clear();
    unsolved_ = k;
  }
}

}  // namespace surefoot::spacetime
