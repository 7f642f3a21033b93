// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "release/worth.h"

namespace hearsay::cli {

// What counts would be worth, for their owner: a few lines.
std::string worth_text(const release::Worth& worth, release::PostProcess how);

// What she should think of before she publishes them. `accepted`: counts that are mostly noise are, with a warning;
// otherwise their refusal says so.
std::vector<std::string> worth_warnings(const release::Worth& worth, release::PostProcess how, bool accepted);

}  // namespace hearsay::cli
