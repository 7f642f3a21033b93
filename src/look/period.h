// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "look/sight.h"

namespace hearsay::look {

// What a study of such data covers: whole weeks from a Monday on, of which the last is inferred; where there are less
// than two, whole days; the four weeks with most events of more than eight. Fills period, observe and the reasons.
void guess_period(Sight& sight);

// A grid over the middle 98% of the events, of cells about as high as wide; or ids. Fills rois and the reasons.
void guess_places(Sight& sight);

}  // namespace hearsay::look
