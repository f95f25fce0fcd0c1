// Splits a batch over threads. Every item writes its own slots, so the result has the same bits
// at any thread count.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "math/checks.hpp"

namespace surefoot {

// Called now and then on the calling thread; throws to stop the batch (Ctrl-C).
using Interrupt = std::function<void()>;

// body(first, last) for ranges that cover [0, count).
template <class Body>
void parallel_for(size_t count, int threads, size_t grain, const Interrupt& interrupt, Body body) {
  check_threads(threads);
  std::atomic<size_t> next{0};
  std::atomic<bool> stop{false};
  std::exception_ptr failure;
  std::mutex failure_mutex;

  const auto work = [&](bool caller) {
    auto last_check = std::chrono::steady_clock::now();
    try {
      while (!stop) {
        const size_t first = next.fetch_add(grain);
        if (first >= count) break;
        body(first, std::min(count, first + grain));
        if (!caller || !interrupt) continue;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_check > std::chrono::milliseconds(50)) {
          last_check = now;
          interrupt();
        }
      }
    } catch (...) {
      stop = true;
      std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };

  const size_t useful = std::max<size_t>(1, (count + grain - 1) / grain);
  const int extra = static_cast<int>(std::min<size_t>(threads, useful)) - 1;
  std::vector<std::thread> helpers;
  helpers.reserve(extra);
  for (int i = 0; i < extra; ++i) helpers.emplace_back(work, false);
  work(true);
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace surefoot
