// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "results/manifest.h"

namespace hearsay::results {

// What a text says; none where it is not JSON, or nested deeper than anything of ours: thousands of levels would
// overflow the stack later on.
std::optional<Json> parse_json(const std::string& text);

}  // namespace hearsay::results
