// SPDX-License-Identifier: Apache-2.0
#include "attack/greedy.h"

namespace hearsay::attack {
namespace {

class MaxRoiAttack final : public Attack {
 public:
  std::unique_ptr<Preparation> prepare(const prior::Beliefs& prior, const dataset::Crowd& crowd) const override {
    return prepare_greedy(prior, crowd, Order::kByPrior);
  }
  prior::Beliefs infer(const prior::Beliefs& prior, const Preparation* preparation, const release::EpochCounts& counts,
                       const dataset::Crowd& crowd, Workspace& workspace) const override {
    return assign_greedy(prior, *preparation, counts, crowd, workspace);
  }
};

}  // namespace

extern const AttackEntry max_roi_attack;
const AttackEntry max_roi_attack = {
    .info = {.position = 4,
             .name = "MAX_ROI",
             .summary = "She fills each place's count with the people most likely to be there.",
             .explanation = "For every ROI (null included) and epoch, the A[s,t'] users with the highest prior; ties "
                            "go to the first in order of ids; users with prior 0 follow in that order when A[s,t'] exceeds "
                            "the others (Algorithm 2). A user assigned nowhere is in null.",
             .parameters = {},
             .citation = kPaper},
    .output = Output::kAssignment,
    .make = []() -> std::unique_ptr<Attack> { return std::make_unique<MaxRoiAttack>(); },
};

}  // namespace hearsay::attack
