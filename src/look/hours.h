// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hearsay::look {

// The hour at which the three hours of the day with most events begin.
std::size_t busiest_hours(const std::vector<std::uint64_t>& by_hour);

// Such hours in words: "22:00 to 01:00".
std::string hours_text(std::size_t begin);

// Returns true if those three hours have so many more events than others that they tell something.
bool tells_something(const std::vector<std::uint64_t>& by_hour);

// Returns true if most people sleep in at least two of these hours.
bool at_night(std::size_t begin);

}  // namespace hearsay::look
