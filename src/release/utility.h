// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "release/count_matrix.h"

namespace hearsay::release {

// What a perturbed release is still good for, beside the raw one. Null is left out everywhere.
struct Utility {
  // Mean over all (ROI, epoch) of |perturbed - raw| / max(beta, raw), beta = 0.1% of the mean epoch total, null
  // included: what the paper's tables were made with.
  double mre = 0;
  // The same an ROI at a time with beta = 0.1% of the ROI's own sum (the paper's formula to the letter), averaged over
  // the ROIs with a visit.
  double mre_per_roi = 0;
  double mae = 0;            // mean absolute error
  double top10_overlap = 0;  // share of an epoch's ten busiest ROIs that stay among its ten busiest; mean over epochs
  double suppressed = 0;     // share of counts above 0 that became 0 or less
};

Utility measure_utility(const CountMatrix& raw, const CountMatrix& perturbed);

}  // namespace hearsay::release
