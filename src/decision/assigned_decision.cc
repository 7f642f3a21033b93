// SPDX-License-Identifier: Apache-2.0
#include "decision/decision.h"

namespace hearsay::decision {
namespace {

class AssignedDecision final : public EpochDecision {
 public:
  bool as_is() const override { return true; }
  Prediction predict(const belief::Beliefs& beliefs) const override { return {beliefs}; }
};

}  // namespace

extern const DecisionEntry assigned_decision;
const DecisionEntry assigned_decision = {
    .info = {.position = 3,
             .name = "ASSIGNED",
             .summary = "She predicts the places that she assigned a person to.",
             .explanation = "The ROIs of an assignment, which is a prediction already. No ROI assigned: null.",
             .parameters = {},
             .citation = kPaper},
    .of_assignments = true,
    .make = [](const Parameters&) -> std::unique_ptr<Decision> { return std::make_unique<AssignedDecision>(); },
};

}  // namespace hearsay::decision
