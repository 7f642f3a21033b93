// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "prior/prior.h"

namespace hearsay::prior {

// Seasons are counted in epochs of civil time, so a day is always calendar.per_day() of them.
inline std::uint32_t one_day(const dataset::Calendar& calendar) {
  return calendar.per_day();
}
inline std::uint32_t one_week(const dataset::Calendar& calendar) {
  return 7 * calendar.per_day();
}
// How many of the first `epochs` epochs are at a position of a season.
constexpr std::uint32_t epochs_at_position(std::uint32_t epochs, std::uint32_t season, std::uint32_t position) {
  return (epochs + season - 1 - position) / season;
}

// ROI_SEAS of the paper: for each position in a season of `season` epochs, a user's visits to each ROI (null included)
// at that position of the observation period. A position it never holds: null. Cost: one pass over the observation.
std::unique_ptr<belief::Series> make_roi_season(const Knowledge& knowledge, std::uint32_t season);

// TIME_SEAS of the paper: uniform over the ROIs but null for the users who ever reported at that position, else null.
std::unique_ptr<belief::Series> make_time_season(const Knowledge& knowledge, std::uint32_t season);

// LAST_SEAS of the paper: the visits `lag` epochs earlier, as an assignment. No copy is made.
std::unique_ptr<belief::Series> make_last_season(const Knowledge& knowledge, std::uint32_t lag);
// Throws ConfigError where the observation period is shorter than `lag` epochs.
void check_last_season(const dataset::Calendar& calendar, const char* name, std::uint32_t lag);

// For priors that any calendar allows.
inline void any_calendar(const dataset::Calendar&) {}

}  // namespace hearsay::prior
