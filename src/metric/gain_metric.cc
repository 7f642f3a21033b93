// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "metric/metric.h"

namespace hearsay::metric {
namespace {

Change privacy_gain(double error, double baseline) {
  if (baseline == 1) return {};
  const double change = (error - baseline) / (1 - baseline);
  return {std::max(0.0, change), change};
}

}  // namespace

extern const MetricEntry gain_metric;
const MetricEntry gain_metric = {
    .info = {.position = 4,
             .name = "GAIN",
             .summary = "What a defence gives back to a person: how much of the error still missing to 1 it restores.",
             .explanation =
                 "Privacy gain PG = (error with the perturbed release - error with the raw one) / (1 - error with the "
                 "raw one) where the error went up, else 0; per user, then averaged. The signed form keeps the users "
                 "whom the noise happens to expose: clipping at 0 biases means upward.",
             .parameters = {},
             .citation = kPaper},
    .goal = {},
    .baseline = Baseline::kRaw,
    .compare = privacy_gain,
};

}  // namespace hearsay::metric
