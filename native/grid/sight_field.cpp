#include "grid/sight_field.hpp"

#include <algorithm>

namespace surefoot::grid {
namespace {

constexpr double kRounding = 1e-9;
constexpr int32_t kUnknown = -2;

}  // namespace

SightField::SightField(std::shared_ptr<const Front> front, std::span<const float> prices,
                       const Interrupt& interrupt)
    : front_(std::move(front)) {
  require<GridError>(front_ != nullptr, "a sight field needs a front");
  next_.assign(front_->rows(), kUnknown);
  if (!front_->current()) throw GridError("the world has changed since the front spread");
  if (!prices.empty() && prices.size() < next_.size())
    throw GridError("there must be a price for each of " + std::to_string(next_.size()) +
                    " rows of cells, got " + std::to_string(prices.size()));
  const Smoother smoother(front_->moves(), prices);
  std::vector<int32_t> waiting;
  for (int32_t row = 0; row < static_cast<int32_t>(next_.size()); ++row) {
    if (interrupt && (row & 8191) == 0) interrupt();
    // Parents first: a cell looks along what its parent has seen.
    for (int32_t at = row; at >= 0 && next_[at] == kUnknown; at = front_->parent(at))
      waiting.push_back(at);
    for (; !waiting.empty(); waiting.pop_back()) look(waiting.back(), smoother);
  }
}

void SightField::look(int32_t cell, const Smoother& smoother) {
  const int32_t parent = front_->parent(cell);
  next_[cell] = parent;
  if (parent < 0) return;
  const int32_t far = next_[parent];
  const int action = front_->action(cell);
  if (far < 0 || front_->action(parent) != action) return;
  const Direction step = smoother.between(cell, parent);
  if (std::max(std::abs(step.i), std::abs(step.j)) != 1) return;
  const double walked = front_->cost(cell) - front_->cost(far);
  const double seen =
      front_->backward() ? smoother.sight(cell, far, action) : smoother.sight(far, cell, action);
  if (seen * front_->moves().actions()[action].price <= walked + kRounding) next_[cell] = far;
}

void SightField::corners(int32_t cell, std::vector<int32_t>& out) const {
  if (front_->cost(cell) == kInfinity) return;
  const size_t first = out.size();
  for (; cell >= 0; cell = next_[cell]) out.push_back(cell);
  if (!front_->backward()) std::reverse(out.begin() + static_cast<ptrdiff_t>(first), out.end());
}

}  // namespace surefoot::grid
