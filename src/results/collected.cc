// SPDX-License-Identifier: Apache-2.0
#include "results/collected.h"

namespace hearsay::results {

void Collected::take(const goal::GoalEntry& goal, const goal::Measurement& measurement) {
  if (!goal.of_errors) {
    take_measured(measured_, goal, measurement);
  } else if (measurement.unit == goal::Unit::kFeature) {
    learned_.push_back({goal::field_of(measurement.key, "prior"), goal::field_of(measurement.key, "feature"),
                        measurement.of("importance").values[0]});
  }
}

}  // namespace hearsay::results
