// SPDX-License-Identifier: Apache-2.0
#include "attack/attack.h"

namespace hearsay::attack {
namespace {

class AggregatesAttack final : public Attack {
 public:
  prior::Beliefs infer(const prior::Beliefs&, const Preparation*, const release::EpochCounts& counts,
                       const dataset::Crowd&, Workspace& workspace) const override {
    prior::Beliefs everybody;
    if (counts.total > 0) {
      workspace.background = {counts.dense, counts.total};
      everybody.background = &workspace.background;
      everybody.everyone = true;
    }
    return everybody;
  }
};

}  // namespace

extern const AttackEntry aggregates_attack;
const AttackEntry aggregates_attack = {
    .info = {.position = 2,
             .name = "AGGREGATES",
             .summary = "She takes the crowd's profile for everybody's: the release alone, with no prior.",
             .explanation = "The aggregate profile Ap (each epoch's counts divided by their total) as the profile of "
                            "every user. An epoch whose counts are all 0 says null.",
             .parameters = {},
             .citation = kPaper},
    .uses_prior = false,
    .make = []() -> std::unique_ptr<Attack> { return std::make_unique<AggregatesAttack>(); },
};

}  // namespace hearsay::attack
