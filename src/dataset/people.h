// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

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

// One pass and one sort over the visits.
People describe_people(const Dataset& dataset);

}  // namespace hearsay::dataset
