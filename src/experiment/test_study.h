// SPDX-License-Identifier: Apache-2.0
//
// For tests: the text of a study in which every setting is spelt right.
#pragma once

namespace hearsay::experiment {

inline constexpr const char* kTownStudy = R"([data]
name = "town"
format = "trips"
path = "trips.csv"
timezone = "Europe/London"
[period]
start = 2010-03-01
length = "4 weeks"
observe = "3 weeks"
[study]
priors = ["ROI_DAY", "FREQ_ROI"]
)";

}  // namespace hearsay::experiment
