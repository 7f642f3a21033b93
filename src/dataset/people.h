// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/block_sizes.h"
#include "dataset/dataset.h"

namespace hearsay::dataset {

// What kind of traveller each user is, by user.
struct People {
  std::vector<double> reports;  // in the whole study period
  std::vector<double> rois;     // distinct ones
  // Share of the reports of the inference period that repeat one of the observation period at the same time of the
  // week; 0 for a user who reports nothing in it.
  std::vector<double> regularity;
};

// One pass over the visits, sorted by user.
People describe_people(const Dataset& dataset, std::size_t threads = 1, const BlockSizes& blocks = {});

// Visits in the inference period, by ROI.
std::vector<std::uint64_t> inference_visits(const Dataset& dataset);
// Different people in the inference period, by ROI.
std::vector<std::uint64_t> inference_visitors(const Dataset& dataset);

}  // namespace hearsay::dataset
