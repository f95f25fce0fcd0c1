// What is left to a goal at least, from every landmark (levine2011, 5.5).
#pragma once

#include <vector>

#include "spacetime/meetings.hpp"

namespace surefoot::spacetime {

// What a way costs at least.
struct Prices {
  double metre = 0;           // [1/m], in whatever way one goes
  std::vector<double> radii;  // [m] of landmarks: how near counts as there
};

// By landmark; infinite where no way leads to a goal, whatever the time. On one body a way is never
// shorter than the straight line from where it is entered to where it is left, however many
// landmarks lie between, so only changes of bodies add up what arriving near a landmark saves.
std::vector<double> ahead(const Meetings& meetings, const std::vector<bool>& goals,
                          const Prices& prices);

}  // namespace surefoot::spacetime
