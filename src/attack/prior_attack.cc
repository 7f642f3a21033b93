// SPDX-License-Identifier: Apache-2.0
#include "attack/attack.h"

namespace hearsay::attack {
namespace {

class PriorAttack final : public EpochAttack {
 public:
  bool reads_rates() const override { return true; }
  belief::Beliefs infer_epoch(const belief::Beliefs& prior, belief::UserRange, const release::EpochCounts&, const Plan*,
                              const dataset::Crowd&, Workspace&) const override {
    return prior;
  }
};

}  // namespace

extern const AttackEntry prior_attack;
const AttackEntry prior_attack = {
    .info = {.position = 1,
             .name = "PRIOR",
             .summary = "She uses what she knew before and ignores the release: the baseline of privacy loss.",
             .explanation = "The prior itself, as a profile or, for localization, through ALL and POP (an assignment "
                            "prior is replicated).",
             .parameters = {},
             .citation = kPaper},
    .output = Output::kAsPrior,
    .uses_release = false,
    .make = [](const Parameters&) -> std::unique_ptr<Attack> { return std::make_unique<PriorAttack>(); },
};

}  // namespace hearsay::attack
