// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "metric/metric.h"

namespace hearsay::metric {
namespace {

Change privacy_loss(double error, double baseline) {
  if (baseline == 0) return {};
  const double change = (baseline - error) / baseline;
  return {std::max(0.0, change), change};
}

}  // namespace

extern const MetricEntry loss_metric;
const MetricEntry loss_metric = {
    .info = {.position = 3,
             .name = "LOSS",
             .summary = "What the release took from a person: the share of the adversary's error that it removed.",
             .explanation =
                 "Privacy loss PL = (error of the prior - error with the release) / error of the prior where the error "
                 "went down, else 0; per user, then averaged. The signed form keeps the users for whom the error went "
                 "up: clipping at 0 biases means upward.",
             .parameters = {},
             .citation = kPaper},
    .goal = {},
    .baseline = Baseline::kPrior,
    .compare = privacy_loss,
};

}  // namespace hearsay::metric
