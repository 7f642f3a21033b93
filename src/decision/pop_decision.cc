// SPDX-License-Identifier: Apache-2.0
#include "decision/decision.h"

namespace hearsay::decision {
namespace {

class PopDecision final : public EpochDecision {
 public:
  explicit PopDecision(double share) : share_(share) {}
  Prediction predict(const belief::Beliefs& beliefs) const override { return {beliefs, share_}; }

 private:
  double share_;
};

double least_share(const Parameters& parameters) {
  const double delta = parameters.number("delta");
  if (delta <= 0 || delta > 1) parameters.fail("delta", "must be above 0 and at most 1");
  return delta;
}

}  // namespace

extern const DecisionEntry pop_decision;
const DecisionEntry pop_decision = {
    .info = {.position = 2,
             .name = "POP",
             .summary = "She predicts the places that she holds likely.",
             .explanation = "Every ROI with a probability of at least delta. No ROI predicted: null.",
             .parameters = {{"delta", "0.5", "above 0 and at most 1: the least probability"}},
             .citation = kPaper},
    .of_assignments = false,
    .make = [](const Parameters& parameters) -> std::unique_ptr<Decision> {
      return std::make_unique<PopDecision>(least_share(parameters));
    },
};

}  // namespace hearsay::decision
