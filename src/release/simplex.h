// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace hearsay::release {

// Replaces numbers by the nearest, in squared distance, of those not below 0 that add up to `total`: every one is
// lowered (or raised) by the same amount and cut off at 0. All are 0 where the total is not above 0. Sorts: n log n.
// Held, Wolfe, Crowder: Validation of Subgradient Optimization. Mathematical Programming 1974.
void project_to_simplex(std::span<double> numbers, double total);

}  // namespace hearsay::release
