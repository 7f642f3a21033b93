// SPDX-License-Identifier: Apache-2.0
#include "decision/decision.h"

namespace hearsay::decision {
namespace {

class EpochReading final : public Reading {
 public:
  explicit EpochReading(const EpochDecision& decision) : decision_(decision) {}
  Prediction predict(const belief::Beliefs& beliefs) override { return decision_.predict(beliefs); }

 private:
  const EpochDecision& decision_;
};

}  // namespace

std::unique_ptr<Reading> EpochDecision::read(belief::UserRange, const dataset::Crowd&) const {
  return std::make_unique<EpochReading>(*this);
}

}  // namespace hearsay::decision
