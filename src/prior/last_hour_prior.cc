// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/errors.h"
#include "prior/seasonal.h"

namespace hearsay::prior {
namespace {

constexpr std::uint32_t kHourSeconds = 3600;

std::uint32_t one_hour(const dataset::Calendar& calendar) {
  return std::max(1U, kHourSeconds / calendar.epoch_seconds);
}

void check(const dataset::Calendar& calendar) {
  if (calendar.epoch_seconds < kHourSeconds && kHourSeconds % calendar.epoch_seconds != 0) {
    throw ConfigError("period.epoch", fmt::format("{} s", calendar.epoch_seconds),
                      "LAST_HOUR needs epochs that divide an hour, or longer ones");
  }
  check_last_season(calendar, "LAST_HOUR", one_hour(calendar));
}

}  // namespace

extern const PriorEntry last_hour_prior;
const PriorEntry last_hour_prior = {
    .info = {.position = 8,
             .name = "LAST_HOUR",
             .summary = "She knows where each person was an hour ago.",
             .explanation =
                 "The user's ROIs one hour earlier (one epoch where epochs are longer), as an assignment. The "
                 "window slides with the epoch and so enters the inference period.",
             .parameters = {},
             .citation = kPaper},
    .binary = true,
    .check = check,
    .make = [](const Knowledge& knowledge,
               const Parameters&) { return make_last_season(knowledge, one_hour(knowledge.observation.calendar())); },
};

}  // namespace hearsay::prior
