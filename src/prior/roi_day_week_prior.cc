// SPDX-License-Identifier: Apache-2.0
#include "prior/seasonal.h"

namespace hearsay::prior {

extern const PriorEntry roi_day_week_prior;
const PriorEntry roi_day_week_prior = {
    .info = {.position = 3,
             .name = "ROI_DAY_WEEK",
             .summary = "She knows how often each person was where at each time of the week.",
             .explanation =
                 "FREQ_ROI for each position in the week: a user's visits to each ROI at that time of the week, null "
                 "included, divided by their total. A time of the week that the observation period never holds: null.",
             .parameters = {},
             .citation = kPaper},
    .rates = true,
    .check = any_calendar,
    .make = [](const Knowledge& knowledge,
               const Parameters&) { return make_roi_season(knowledge, one_week(knowledge.observation.calendar())); },
};

}  // namespace hearsay::prior
