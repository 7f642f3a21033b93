// SPDX-License-Identifier: Apache-2.0
//
// What a promise is worth where it is made again and again about the same people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "release/guarantee.h"

namespace hearsay::release {

// Counts of one period after another for a year, all published in the same way.
struct AYear {
  std::size_t times = 1;  // whole periods in 365 days, at least one
  std::size_t meets = 1;  // of these, how many can be about one unit
  double epsilon = 0;     // of the unit, in all of them together
  double delta = 0;       // but for this chance
  std::string sentence;   // all of that, and what it means for a whole user where that is not the unit and is known
};

// None where nothing is promised. A user, or a user in one ROI, is in every publication, and what it is promised adds
// up (accounting.h, repeated()). An event, or a user in one epoch, is in one of them alone, and so is a user in one day
// or week where periods are whole days or weeks; the others' data does not depend on it. A unit not known adds up.
std::optional<AYear> a_year(const Guarantee& guarantee, std::uint64_t period_seconds);

// "7 days", "1 day", "1.5 days".
std::string days_text(std::uint64_t seconds);

}  // namespace hearsay::release
