// SPDX-License-Identifier: Apache-2.0
#include "prior/seasonal.h"

namespace hearsay::prior {

extern const PriorEntry time_day_prior;
const PriorEntry time_day_prior = {
    .info =
        {.position = 4,
         .name = "TIME_DAY",
         .summary = "She knows at which times of day each person travels, not where.",
         .explanation =
             "Where a user ever reported an ROI at that time of day: uniform over all ROIs but null. Elsewhere: null.",
         .parameters = {},
         .citation = kPaper},
    .binary = false,
    .check = any_calendar,
    .make = [](const Knowledge& knowledge,
               const Parameters&) { return make_time_season(knowledge, one_day(knowledge.observation.calendar())); },
};

}  // namespace hearsay::prior
