// SPDX-License-Identifier: Apache-2.0
#include "attack/attack.h"

namespace hearsay::attack {
namespace {

class NowhereAttack final : public EpochAttack {
 public:
  belief::Beliefs infer_epoch(const belief::Beliefs&, belief::UserRange, const release::EpochCounts&, const Plan*,
                              const dataset::Crowd&, Workspace&) const override {
    return belief::Assignment();
  }
};

}  // namespace

extern const AttackEntry nowhere_attack;
const AttackEntry nowhere_attack = {
    .info = {.position = 6,
             .name = "NOWHERE",
             .summary = "She guesses that nobody is anywhere, ever, and uses nothing at all.",
             .explanation =
                 "Everybody in null in every epoch. Where people are seldom seen, this blind guess errs less than many "
                 "an adversary: what does not beat it tells her nothing. It is part of every study, so that best "
                 "responses can be compared with it.",
             .parameters = {},
             .citation = "Folklore: the majority class as a baseline."},
    .output = Output::kAssignment,
    .uses_release = false,
    .uses_prior = false,
    .make = [](const Parameters&) -> std::unique_ptr<Attack> { return std::make_unique<NowhereAttack>(); },
};

}  // namespace hearsay::attack
