// SPDX-License-Identifier: Apache-2.0
#include "base/civil_time.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

namespace hearsay {

std::optional<std::int64_t> parse_civil(const std::string& text) {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  char separator = ' ';
  int date_end = 0;
  int minute_end = 0;
  int end = 0;
  std::sscanf(text.c_str(), "%4d-%2d-%2d%n%c%2d:%2d%n:%2d%n", &year, &month, &day, &date_end, &separator, &hour,
              &minute, &minute_end, &second, &end);
  const int size = static_cast<int>(text.size());
  if (size == 0 || (size != date_end && size != minute_end && size != end)) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok() || (separator != ' ' && separator != 'T')) return std::nullopt;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * kSecond;
}

std::string format_civil(std::int64_t civil) {
  const std::chrono::sys_time<std::chrono::microseconds> time{std::chrono::microseconds{civil}};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{std::chrono::floor<std::chrono::seconds>(time - day)};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

std::pair<int, int> weekday_and_hour(std::int64_t civil) {
  const std::chrono::sys_time<std::chrono::microseconds> time{std::chrono::microseconds{civil}};
  const auto day = std::chrono::floor<std::chrono::days>(time);  // not towards 1970
  const auto weekday = static_cast<int>(std::chrono::weekday{day}.iso_encoding()) - 1;
  return {weekday, static_cast<int>(std::chrono::floor<std::chrono::hours>(time - day).count())};
}

}  // namespace hearsay
