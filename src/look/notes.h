// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "look/sight.h"

namespace hearsay::look {

// Says what may be wrong with what was surveyed: people, times and places. Fills odd, and the reasons for the clock.
void note_what_is_odd(Sight& sight);

}  // namespace hearsay::look
