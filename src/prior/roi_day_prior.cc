// SPDX-License-Identifier: Apache-2.0
#include "prior/seasonal.h"

namespace hearsay::prior {

extern const PriorEntry roi_day_prior;
const PriorEntry roi_day_prior = {
    .info = {.position = 2,
             .name = "ROI_DAY",
             .summary = "She knows how often each person was where at each time of day.",
             .explanation =
                 "FREQ_ROI for each position in the day: a user's visits to each ROI at that time of day, null "
                 "included, divided by their total. A time of day that the observation period never holds: null.",
             .parameters = {},
             .citation = kPaper},
    .rates = true,
    .check = any_calendar,
    .make = [](const Knowledge& knowledge,
               const Parameters&) { return make_roi_season(knowledge, one_day(knowledge.observation.calendar())); },
};

}  // namespace hearsay::prior
