// Open lists: the entry with the least key first.
#pragma once

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
};

// Keys that are small whole numbers and never fall below the last one taken (bandi2000, 4.1:
// layers of a front). Of equal keys the latest goes first: it is the deepest.
class BucketQueue {
 public:
  void clear() {
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

// Any keys: a heap with four children, which fit one line of memory.
class HeapQueue {
 public:
  void clear() { heap_.clear(); }
  bool empty() const { return heap_.empty(); }
  void push(Cost key, int32_t cell) {
    size_t at = heap_.size();
    heap_.push_back({key, cell});
    while (at > 0) {
      const size_t parent = (at - 1) / 4;
      // Of equal keys the latest goes first: it is the deepest.
      if (heap_[parent].key < key) break;
      heap_[at] = heap_[parent];
      at = parent;
    }
    heap_[at] = {key, cell};
  }
  Open pop() {
    const Open top = heap_.front(), last = heap_.back();
    heap_.pop_back();
    const size_t count = heap_.size();
    if (count == 0) return top;
    size_t at = 0;
    for (;;) {
      const size_t first = 4 * at + 1;
      if (first >= count) break;
      size_t least = first;
      const size_t end = first + 4 < count ? first + 4 : count;
      for (size_t k = first + 1; k < end; ++k)
        if (heap_[k].key < heap_[least].key) least = k;
      if (last.key <= heap_[least].key) break;
      heap_[at] = heap_[least];
      at = least;
    }
    heap_[at] = last;
    return top;
  }

 private:
  std::vector<Open> heap_;
};

}  // namespace surefoot::grid
