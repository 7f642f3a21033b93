// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace hearsay::metric {

// The Jensen-Shannon distance, natural logarithms, between "in null" and a distribution that has the mass r outside
// null: sqrt(D), D = (r ln 2 - (2 - r) ln(1 - r/2) + (1 - r) ln(1 - r)) / 2. Takes r in [0, 1] for every element and
// leaves the distance there. Many at a time, in vector registers; the same bits on every machine. The logarithms are
// within 2 units in the last place, and the distance is within 4e-16 of the exact one.
void null_distances(std::span<double> values);

}  // namespace hearsay::metric
