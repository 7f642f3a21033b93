// SPDX-License-Identifier: Apache-2.0
#include "attack/greedy.h"

namespace hearsay::attack {
extern const AttackEntry max_user_attack;
const AttackEntry max_user_attack = {
    .info =
        {.position = 5,
         .name = "MAX_USER",
         .summary = "She goes through people, the most active first, and gives each all the places known of them that "
                    "are not full.",
         .explanation =
             "For every epoch, users by total reports (most first, then user order); each takes every ROI with prior > "
             "0 whose count is not used up, null included (Algorithm 3). A user assigned nowhere is in null.",
         .parameters = {counts_parameter()},
         .citation = kPaper},
    .output = Output::kAssignment,
    .by_cell = true,
    .make = [](const Parameters& parameters) -> std::unique_ptr<Attack> {
      return std::make_unique<GreedyAttack>(
          GreedyRule{.by_probability = false, .by_reports = true, .beyond = false, .reads = reads_of(parameters)});
    },
};

}  // namespace hearsay::attack
