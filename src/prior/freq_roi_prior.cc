// SPDX-License-Identifier: Apache-2.0
#include "prior/seasonal.h"

namespace hearsay::prior {

extern const PriorEntry freq_roi_prior;
const PriorEntry freq_roi_prior = {
    .info = {.position = 1,
             .name = "FREQ_ROI",
             .summary = "She knows how often each person visited each place, not when.",
             .explanation =
                 "A user's visits to each ROI over the whole observation period (epochs without a report count as "
                 "visits to null), divided by their total; the same row for every epoch of the inference period.",
             .parameters = {},
             .citation = kPaper},
    .rates = true,
    .for_everybody = true,
    .check = any_calendar,
    .make = [](const Knowledge& knowledge, const Parameters&) { return make_roi_season(knowledge, 1); },
};

}  // namespace hearsay::prior
