// SPDX-License-Identifier: Apache-2.0
#include "prior/seasonal.h"

namespace hearsay::prior {

extern const PriorEntry last_week_prior;
const PriorEntry last_week_prior = {
    .info = {.position = 6,
             .name = "LAST_WEEK",
             .summary = "She knows where each person was exactly a week ago.",
             .explanation = "The user's ROIs one week earlier, as an assignment. The window slides with the epoch and "
                            "so enters the inference period.",
             .parameters = {},
             .citation = kPaper},
    .binary = true,
    .check = [](const dataset::Calendar& calendar) { check_last_season(calendar, "LAST_WEEK", one_week(calendar)); },
    .make = [](const Knowledge& knowledge,
               const Parameters&) { return make_last_season(knowledge, one_week(knowledge.observation.calendar())); },
};

}  // namespace hearsay::prior
