// SPDX-License-Identifier: Apache-2.0
#include "release/simplex.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace hearsay::release {

void project_to_simplex(std::span<double> numbers, double total) {
  if (total <= 0) {
    std::fill(numbers.begin(), numbers.end(), 0.0);
    return;
  }
  std::vector<double> sorted(numbers.begin(), numbers.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0;
  double lowered = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double by = (sum - total) / static_cast<double>(i + 1);
    if (sorted[i] <= by) break;
    lowered = by;
  }
  for (double& number : numbers) number = std::max(0.0, number - lowered);
}

}  // namespace hearsay::release
