// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/defence_effects.h"

namespace hearsay::report {

// What a defence would change, as the findings say it; nothing where none was tried. `leaks`: the counts take something
// from the adversary of the answer.
std::string defence_sentence(const std::vector<TriedDefence>& all, bool leaks);

}  // namespace hearsay::report
