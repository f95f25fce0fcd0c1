#include "learning/neighbours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/checks.hpp"

namespace surefoot::learning {
namespace {

constexpr size_t kLandmarks = 12;
// Landmark distances are kept in single precision: what rounding may take off them.
constexpr double kRounding = 1e-5;

double length(const double* a, const double* b, int32_t size) {
  double sum = 0.0;
  for (int32_t i = 0; i < size; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

// The angle from a chord between unit quaternions: exact near zero, where an arc cosine is not.
double angle(const double* a, const double* b) {
  double near = 0.0, far = 0.0;
  for (int32_t i = 0; i < 4; ++i) {
    near += (a[i] - b[i]) * (a[i] - b[i]);
    far += (a[i] + b[i]) * (a[i] + b[i]);
  }
  return 4.0 * std::asin(std::min(1.0, 0.5 * std::sqrt(std::min(near, far))));
}

}  // namespace

Neighbours::Neighbours(std::vector<Term> terms, size_t width)
    : terms_(std::move(terms)), width_(width) {
  check_number(static_cast<double>(width), "width", 1, 1e6);
  for (const Term& term : terms_) {
    check_index(term.first, width, "first");
    check_number(term.size, "size", 1, static_cast<double>(width) - term.first);
    require(!term.rotation || term.size == 4, "a rotation has 4 numbers, not ", term.size);
    check_number(term.weight, "weight", 0, kMaxSize);
  }
}

double Neighbours::within(const double* a, const double* b, double enough) const {
  double sum = 0.0;
  for (const Term& term : terms_) {
    const double* const x = a + term.first;
    const double* const y = b + term.first;
    sum += term.weight * (term.rotation ? angle(x, y) : length(x, y, term.size));
    if (sum >= enough) return sum;
  }
  return sum;
}

double Neighbours::distance(const double* a, const double* b) const {
  return within(a, b, std::numeric_limits<double>::infinity());
}

void Neighbours::add(const double* row) {
  rows_.insert(rows_.end(), row, row + width_);
  const auto own = static_cast<int32_t>(count_++);
  for (size_t i = 0; i < landmarks_.size(); ++i)
    to_landmark_[i].push_back(
        static_cast<float>(distance(row, rows_.data() + width_ * landmarks_[i])));
  // The first, and then those that the set grows by powers of two: spread over what there is.
  if (landmarks_.size() >= kLandmarks || (count_ & (count_ - 1)) != 0) return;
  landmarks_.push_back(own);
  std::vector<float>& away = to_landmark_.emplace_back();
  for (size_t i = 0; i < count_; ++i)
    away.push_back(static_cast<float>(distance(rows_.data() + width_ * i, row)));
}

size_t Neighbours::nearest(const double* row, size_t k, int32_t* who, double* away) const {
  require(k >= 1 && k <= count_, "k is ", k, "; it must be from 1 to ", count_);
  thread_local std::vector<float> least;
  least.assign(count_, 0.0f);
  for (size_t l = 0; l < landmarks_.size(); ++l) {
    const auto own = static_cast<float>(distance(row, rows_.data() + width_ * landmarks_[l]));
    const float* const theirs = to_landmark_[l].data();
    for (size_t i = 0; i < count_; ++i) least[i] = std::max(least[i], std::abs(own - theirs[i]));
  }
  size_t found = 0, looked = 0;
  const auto consider = [&](size_t i) {
    const double limit = found < k ? std::numeric_limits<double>::infinity() : away[k - 1];
    if (least[i] * (1.0 - kRounding) - kRounding > limit) return;
    ++looked;
    const double d = within(row, rows_.data() + width_ * i, std::nextafter(limit, INFINITY));
    // Earlier samples win ties.
    if (found == k && !(d < limit || (d == limit && static_cast<int32_t>(i) < who[k - 1]))) return;
    size_t at = found < k ? found++ : k - 1;
    while (at > 0 &&
           (away[at - 1] > d || (away[at - 1] == d && who[at - 1] > static_cast<int32_t>(i)))) {
      away[at] = away[at - 1], who[at] = who[at - 1];
      --at;
    }
    away[at] = d, who[at] = static_cast<int32_t>(i);
  };
  // The likeliest first, so that most others are ruled out at once.
  const size_t first =
      static_cast<size_t>(std::min_element(least.begin(), least.end()) - least.begin());
  if (count_ > 0) consider(first);
  for (size_t i = 0; i < count_; ++i)
    if (i != first) consider(i);
  return looked;
}

void Neighbours::nearest(std::span<const double> rows, size_t k, int threads, int32_t* who,
                         double* away, const Interrupt& interrupt) const {
  parallel_for(rows.size() / width_, threads, 16, interrupt, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i)
      nearest(rows.data() + width_ * i, k, who + k * i, away + k * i);
  });
}

}  // namespace surefoot::learning
