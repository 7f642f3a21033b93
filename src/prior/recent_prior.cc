// SPDX-License-Identifier: Apache-2.0
#include "prior/learned.h"

namespace hearsay::prior {

extern const PriorEntry recent_prior;
const PriorEntry recent_prior = {
    .info = {.position = 10,
             .name = "RECENT",
             .summary = "She knows how likely each person is where next, learned from habits and the hours before.",
             .explanation =
                 "As HISTORY, and the model also knows where the person was one and two epochs and a day before, at "
                 "how many places, and how many of all people go from there to this place. The window slides with the "
                 "epoch and so enters the inference period.",
             .parameters = {},
             .citation = "Logistic regression with products of features; library: liblinear (Fan and others, JMLR 9, "
                         "2008)"},
    .rates = true,
    .only_rates = true,
    .for_everybody = true,
    .check = [](const dataset::Calendar& calendar) { check_learned(calendar, "RECENT"); },
    .learning = [](const dataset::ObservedCounts& counts, const Parameters&) { return make_learning(counts, true); },
};

}  // namespace hearsay::prior
