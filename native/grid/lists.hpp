// A list for some of many rows, all in one array.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace surefoot::grid {

template <class T>
class Lists {
 public:
  void resize(size_t rows) { slot_.resize(rows, -1); }
  void clear() {
    std::fill(slot_.begin(), slot_.end(), -1);
    lists_.clear();
    free_.clear();
    items_.clear();
    live_ = 0;
  }
  size_t size() const { return live_; }
  size_t bytes() const {
    return slot_.capacity() * sizeof(int32_t) + lists_.capacity() * sizeof(List) +
           items_.capacity() * sizeof(T);
  }

  std::span<const T> operator[](int32_t row) const {
    if (slot_[row] < 0) return {};
    const List& list = lists_[slot_[row]];
    return {items_.data() + list.first, static_cast<size_t>(list.count)};
  }

  void add(int32_t row, const T& item) {
    if (slot_[row] < 0) {
      slot_[row] = static_cast<int32_t>(free_.empty() ? lists_.size() : free_.back());
      if (free_.empty()) {
        lists_.push_back({static_cast<int32_t>(items_.size()), 0, 0});
      } else {
        free_.pop_back();
      }
    }
    List& list = lists_[slot_[row]];
    if (list.count == list.capacity) grow(list);
    items_[list.first + list.count++] = item;
    ++live_;
  }

  template <class Which>
  void remove(int32_t row, Which which) {
    if (slot_[row] < 0) return;
    List& list = lists_[slot_[row]];
    int32_t kept = 0;
    for (int32_t k = 0; k < list.count; ++k)
      if (!which(items_[list.first + k])) items_[list.first + kept++] = items_[list.first + k];
    live_ -= list.count - kept;
    list.count = kept;
    if (kept > 0) return;
    free_.push_back(slot_[row]);
    slot_[row] = -1;
  }
  void remove_all(int32_t row) {
    remove(row, [](const T&) { return true; });
  }

 private:
  struct List {
    int32_t first, count, capacity;
  };

  // The last list grows in place; others move to the end, and when most of the array is what
  // they left behind, everything moves together.
  void grow(List& list) {
    if (list.first + list.capacity == static_cast<int32_t>(items_.size())) {
      ++list.capacity;
      items_.emplace_back();
      return;
    }
    if (items_.size() > 1024 && items_.size() > 4 * live_) compact();
    const int32_t capacity = list.capacity < 2 ? 2 : 2 * list.capacity;
    const auto first = static_cast<int32_t>(items_.size());
    items_.resize(items_.size() + capacity);
    for (int32_t k = 0; k < list.count; ++k) items_[first + k] = items_[list.first + k];
    list.first = first;
    list.capacity = capacity;
  }
  void compact() {
    std::vector<T> items;
    items.reserve(2 * live_);
    for (List& list : lists_) {
      const auto first = static_cast<int32_t>(items.size());
      for (int32_t k = 0; k < list.count; ++k) items.push_back(items_[list.first + k]);
      list.first = first;
      list.capacity = list.count;
    }
    items_ = std::move(items);
  }

  std::vector<int32_t> slot_, free_;
  std::vector<List> lists_;
  std::vector<T> items_;
  size_t live_ = 0;
};

}  // namespace surefoot::grid
