// SPDX-License-Identifier: Apache-2.0
#include "decision/decision.h"

namespace hearsay::decision {
namespace {

class AllDecision final : public EpochDecision {
 public:
  Prediction predict(const belief::Beliefs& beliefs) const override { return {beliefs}; }
};

}  // namespace

extern const DecisionEntry all_decision;
const DecisionEntry all_decision = {
    .info = {.position = 1,
             .name = "ALL",
             .summary = "She predicts every place that she holds possible.",
             .explanation = "Every ROI with a probability above 0. No ROI predicted: null.",
             .parameters = {},
             .citation = kPaper},
    .of_assignments = false,
    .make = [](const Parameters&) -> std::unique_ptr<Decision> { return std::make_unique<AllDecision>(); },
};

}  // namespace hearsay::decision
