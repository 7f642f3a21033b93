// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/entry.h"
#include "base/parameters.h"

namespace hearsay::release {

// What steps with normal noise may spend: epsilon and delta, or rho.
struct GaussianBudget {
  double rho;
  double delta;  // at which epsilons are stated

  explicit GaussianBudget(const Parameters& parameters);
  // Of an entry: epsilon, rho, delta and unit.
  static std::vector<ParameterInfo> parameters();
};

}  // namespace hearsay::release
