// SPDX-License-Identifier: Apache-2.0
#include "attack/greedy.h"

namespace hearsay::attack {
extern const AttackEntry max_roi_attack;
const AttackEntry max_roi_attack = {
    .info = {.position = 4,
             .name = "MAX_ROI",
             .summary = "She fills each place's count with the people most likely to be there.",
             .explanation = "For every ROI (null included) and epoch, the A[s,t'] users with the highest prior; ties "
                            "go to the first in order of ids (or of reports); users with prior 0 follow in that order "
                            "when A[s,t'] exceeds "
                            "the others (Algorithm 2). A user assigned nowhere is in null.",
             .parameters = {{"ties", "id",
                             "who comes first where probabilities are the same: \"id\", the first in order of ids, or "
                             "\"reports\", who reported most: the stronger adversary"},
                            counts_parameter()},
             .citation = kPaper},
    .output = Output::kAssignment,
    .by_cell = true,
    .make = [](const Parameters& parameters) -> std::unique_ptr<Attack> {
      return std::make_unique<GreedyAttack>(
          GreedyRule{.by_reports = parameters.choice("ties", {"id", "reports"}) == 1, .reads = reads_of(parameters)});
    },
};

}  // namespace hearsay::attack
