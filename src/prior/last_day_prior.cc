// SPDX-License-Identifier: Apache-2.0
#include "prior/seasonal.h"

namespace hearsay::prior {

extern const PriorEntry last_day_prior;
const PriorEntry last_day_prior = {
    .info = {.position = 7,
             .name = "LAST_DAY",
             .summary = "She knows where each person was exactly a day ago.",
             .explanation = "The user's ROIs one day earlier, as an assignment. The window slides with the epoch and "
                            "so enters the inference period.",
             .parameters = {},
             .citation = kPaper},
    .binary = true,
    .check = [](const dataset::Calendar& calendar) { check_last_season(calendar, "LAST_DAY", one_day(calendar)); },
    .make = [](const Knowledge& knowledge,
               const Parameters&) { return make_last_season(knowledge, one_day(knowledge.observation.calendar())); },
};

}  // namespace hearsay::prior
