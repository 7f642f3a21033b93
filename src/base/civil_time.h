// SPDX-License-Identifier: Apache-2.0
//
// Civil time is microseconds since 1970-01-01 00:00 on the clock of the data's time zone; absolute time is the same in
// UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace hearsay {

inline constexpr std::int64_t kSecond = 1'000'000;
inline constexpr std::int64_t kDay = 86400 * kSecond;

// Times outside these years are not times.
inline constexpr std::int64_t kYearOne = -62135596800 * kSecond;
inline constexpr std::int64_t kYearTenThousand = 253402300800 * kSecond;

// "YYYY-MM-DD HH:MM:SS", seconds and time of day optional, T for the blank allowed. Nothing where it is not that.
std::optional<std::int64_t> parse_civil(const std::string& text);
std::string format_civil(std::int64_t civil);
// 0 for Monday to 6, and 0 to 23.
std::pair<int, int> weekday_and_hour(std::int64_t civil);

}  // namespace hearsay
