// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "advice/advice.h"

namespace hearsay::advice {

// "1.47 (1.4 to 1.55)", or one number where the ends are the same. `format`: of a number.
std::string interval_words(const Value& value, const std::string& format);

// The limits as they are given: "own loss", "membership", "MAE".
std::string limit_words(const std::string& limit);

// A sentence a step: what it does, from its entry, and its parameters.
std::vector<std::string> steps_in_words(const Candidate& candidate, const experiment::Study& study);

// The answer, from everything else in `advice`.
std::vector<std::string> answer_of(const Advice& advice);

}  // namespace hearsay::advice
