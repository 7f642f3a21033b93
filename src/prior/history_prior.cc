// SPDX-License-Identifier: Apache-2.0
#include "prior/learned.h"

namespace hearsay::prior {

extern const PriorEntry history_prior;
const PriorEntry history_prior = {
    .info = {.position = 9,
             .name = "HISTORY",
             .summary =
                 "She knows how likely each person is where at each time of the week, learned from what was observed.",
             .explanation =
                 "A model of presence, fitted once for places and once for null: how often the person was there (at "
                 "all, at this time of day, at this time of the week, each smoothed towards the one before), how often "
                 "out, and how many people are there at this time of the week, with all products of two. The first "
                 "part of the observation period is fitted to its last week (less than two weeks: to the last half of "
                 "its days); all of it then says how likely each person is in each place, every place for itself.",
             .parameters = {},
             .citation = "Logistic regression with products of features; library: liblinear (Fan and others, JMLR 9, "
                         "2008)"},
    .rates = true,
    .only_rates = true,
    .for_everybody = true,
    .check = [](const dataset::Calendar& calendar) { check_learned(calendar, "HISTORY"); },
    .learning = [](const dataset::ObservedCounts& counts, const Parameters&) { return make_learning(counts, false); },
};

}  // namespace hearsay::prior
