// SPDX-License-Identifier: Apache-2.0
#include "attack/attack.h"

namespace hearsay::attack {
namespace {

class AggregatesAttack final : public EpochAttack {
 public:
  belief::Beliefs infer_epoch(const belief::Beliefs&, belief::UserRange, const release::EpochCounts& counts,
                              const Plan*, const dataset::Crowd&, Workspace&) const override {
    if (counts.total <= 0) return belief::Rows();
    return belief::Shared{.users = {}, .background = {counts.dense, counts.total}, .everyone = true};
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
    .by_cell = true,
    .make = [](const Parameters&) -> std::unique_ptr<Attack> { return std::make_unique<AggregatesAttack>(); },
};

}  // namespace hearsay::attack
