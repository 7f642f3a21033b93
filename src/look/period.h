// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "look/sight.h"

namespace hearsay::look {

// Chooses what a study of such data covers: whole weeks from a Monday on, of which the last is inferred, and the four
// weeks with most events of more than eight. Less than two weeks become whole days, and less than two days hours or
// minutes from the first event on. Fills period, observe and the reasons.
void guess_period(Sight& sight);

// Lays a grid with cells about as high as wide over the city that was found, or takes the ids. Fills rois and the
// reasons.
void guess_places(Sight& sight);

}  // namespace hearsay::look
