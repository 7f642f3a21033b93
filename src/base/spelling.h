// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearsay {

// Returns the index of the known name that takes the fewest slips to turn into the given one; nothing where every name
// takes more than `most`. A slip adds, drops or replaces a letter, or swaps two neighbours; case does not matter. Names
// are compared by their first 100 bytes.
std::optional<std::size_t> nearest(std::string_view given, const std::vector<std::string>& known, std::size_t most);

}  // namespace hearsay
