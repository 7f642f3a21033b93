// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/block_sizes.h"
#include "dataset/dataset.h"

namespace hearsay::dataset {

// A mean and the standard deviation around it, of the population (divided by n).
struct Spread {
  double mean = 0;
  double deviation = 0;
};

// The statistics of the paper's data section. A report is a distinct (user, ROI, epoch), null not counted.
struct Statistics {
  std::size_t users = 0;
  std::size_t rois = 0;  // null not counted
  std::uint64_t reports = 0;
  Spread reports_per_user;
  Spread rois_per_user;                         // distinct ones
  Spread active_epochs_per_user;                // of the study period
  Spread reports_per_roi;                       // in the inference period, over all ROIs
  Spread active_epochs_per_roi;                 // in the inference period, over ROIs with a report in it
  std::uint64_t largest_inference_reports = 0;  // most reports by one user in the inference period: the paper's Delta
};

Statistics describe(const Dataset& dataset, std::size_t threads = 1, const BlockSizes& blocks = {});

}  // namespace hearsay::dataset
