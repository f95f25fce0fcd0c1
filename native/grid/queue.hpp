// Open lists: the entry with the least key first.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace surefoot::grid {

// A cost or a length as a whole number of small units: sums are exact, so that equal ways tie and
// results do not depend on the order of additions.
using Cost = int64_t;

struct Open {
  Cost key;
  int32_t cell;
  uint32_t order = 0;  // of being pushed
};

// Keys that are small whole numbers and never fall below the last one taken (bandi2000, 4.1:
// layers of a front). Of equal keys the latest goes first: it is the deepest.
class BucketQueue {
 public:
  void clear(int) {
    for (size_t k = first_; k < buckets_.size(); ++k) buckets_[k].clear();
    first_ = 0;
    base_ = -1;
    size_ = 0;
  }
  bool empty() const { return size_ == 0; }
  void push(Cost key, int32_t cell) {
    if (base_ < 0 || key < base_) rebase(key);
    const auto at = static_cast<size_t>(key - base_);
    if (at >= buckets_.size()) buckets_.resize(at + 1);
    if (at < first_) first_ = at;
    buckets_[at].push_back(cell);
    ++size_;
  }
  Open pop() {
    while (buckets_[first_].empty()) ++first_;
    const int32_t cell = buckets_[first_].back();
    buckets_[first_].pop_back();
    --size_;
    return {base_ + static_cast<Cost>(first_), cell};
  }

 private:
  // Only starts of different cost come in any order.
  void rebase(Cost key) {
    if (base_ >= 0)
      buckets_.insert(buckets_.begin(), static_cast<size_t>(base_ - key), std::vector<int32_t>());
    base_ = key;
    first_ = 0;
  }

  std::vector<std::vector<int32_t>> buckets_;
  size_t first_ = 0, size_ = 0;
  Cost base_ = -1;
};

// Any keys: buckets of keys that differ little, of which only the one in use is in order. Its few
// entries make a heap that stays in the fastest memory.
class SortedBuckets {
 public:
  // Keys of one bucket differ by less than two to the power of `bits`.
  void clear(int bits) {
    if (waiting_ > 0)
      for (std::vector<Open>& bucket : ring_) bucket.clear();
    filled_.fill(0);
    heap_.clear();
    later_.clear();
    bits_ = bits;
    size_ = waiting_ = 0;
    pushed_ = 0;
    started_ = false;
  }
  bool empty() const { return size_ == 0; }
  void push(Cost key, int32_t cell) {
    ++size_;
    place({key, cell, pushed_++});
  }
  Open pop() {
    if (heap_.empty()) advance();
    std::pop_heap(heap_.begin(), heap_.end(), after);
    const Open top = heap_.back();
    heap_.pop_back();
    --size_;
    return top;
  }

 private:
  static constexpr size_t kBuckets = 4096;

  // Of equal keys the latest goes first: it is the deepest.
  static bool after(const Open& a, const Open& b) {
    return a.key != b.key ? a.key > b.key : a.order < b.order;
  }

  void place(const Open& open) {
    const Cost bucket = open.key >> bits_;
    if (!started_ || bucket >= now_ + static_cast<Cost>(kBuckets)) {
      if (later_.empty() || bucket < first_later_) first_later_ = bucket;
      later_.push_back(open);
    } else if (bucket > now_) {
      const size_t at = static_cast<size_t>(bucket) % kBuckets;
      ring_[at].push_back(open);
      filled_[at / 64] |= uint64_t{1} << at % 64;
      ++waiting_;
    } else {
      heap_.push_back(open);
      std::push_heap(heap_.begin(), heap_.end(), after);
    }
  }

  // The first bucket after the one in use that holds something; there is one.
  Cost next_filled() const {
    const size_t from = static_cast<size_t>(now_ + 1) % kBuckets;
    size_t word = from / 64;
    uint64_t bits = filled_[word] & ~uint64_t{0} << from % 64;
    while (bits == 0) {
      word = (word + 1) % filled_.size();
      bits = filled_[word];
    }
    const size_t at = word * 64 + static_cast<size_t>(std::countr_zero(bits));
    return now_ + 1 + static_cast<Cost>((at + kBuckets - from) % kBuckets);
  }

  // Goes on to the next bucket that holds something.
  void advance() {
    Cost next = waiting_ > 0 ? next_filled() : 0;
    if (!later_.empty() && (waiting_ == 0 || first_later_ <= next)) {
      now_ = next = first_later_;
      started_ = true;
      std::vector<Open> all;
      all.swap(later_);
      for (const Open& open : all) place(open);
    }
    now_ = next;
    const size_t at = static_cast<size_t>(now_) % kBuckets;
    std::vector<Open>& bucket = ring_[at];
    filled_[at / 64] &= ~(uint64_t{1} << at % 64);
    waiting_ -= bucket.size();
    heap_.insert(heap_.end(), bucket.begin(), bucket.end());
    bucket.clear();
    std::make_heap(heap_.begin(), heap_.end(), after);
  }

  std::vector<std::vector<Open>> ring_ = std::vector<std::vector<Open>>(kBuckets);
  std::array<uint64_t, kBuckets / 64> filled_{};  // one bit for each bucket of the ring
  std::vector<Open> heap_, later_;                // the bucket in use; what is too far ahead
  Cost now_ = 0, first_later_ = 0;
  size_t size_ = 0, waiting_ = 0;
  uint32_t pushed_ = 0;
  int bits_ = 0;
  bool started_ = false;
};

}  // namespace surefoot::grid
