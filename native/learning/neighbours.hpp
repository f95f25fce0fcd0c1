// Nearest samples under a metric that is a sum: weighted lengths of differences, and weighted
// angles between rotations (coros2009 4.1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/parallel.hpp"

namespace surefoot::learning {

// A few numbers of a row that count together.
struct Term {
  int32_t first, size;
  bool rotation;  // a unit quaternion, wxyz, or a plain vector
  double weight;
};

// A growing set of rows. Answers are exact: some samples are landmarks, and how far others are from
// those bounds how near they can be, by the triangle inequality.
class Neighbours {
 public:
  Neighbours(std::vector<Term> terms, size_t width);

  size_t size() const { return count_; }
  size_t width() const { return width_; }
  std::span<const double> rows() const { return rows_; }

  void add(const double* row);
  double distance(const double* a, const double* b) const;
  // The `k` nearest of one row, nearest first, ties to the earlier one; k at most size().
  // Returns how many distances were worked out.
  size_t nearest(const double* row, size_t k, int32_t* who, double* away) const;
  // Of many rows, `k` each.
  void nearest(std::span<const double> rows, size_t k, int threads, int32_t* who, double* away,
               const Interrupt& interrupt) const;

 private:
  // At least `enough`, or the distance.
  double within(const double* a, const double* b, double enough) const;

  std::vector<Term> terms_;
  size_t width_, count_ = 0;
  std::vector<double> rows_;
  std::vector<int32_t> landmarks_;
  std::vector<std::vector<float>> to_landmark_;  // for each landmark, of every sample
};

}  // namespace surefoot::learning
