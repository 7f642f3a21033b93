// SPDX-License-Identifier: Apache-2.0
#include "look/period.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/civil_time.h"
#include "base/text_table.h"

namespace hearsay::look {
namespace {

constexpr std::int64_t kWeek = 7 * kDay;
constexpr std::int64_t kMostWeeks = 8;
constexpr std::int64_t kBusyWeeks = 4;

std::int64_t midnight_at_or_before(std::int64_t civil) {
  std::int64_t day = civil / kDay;
  if (civil % kDay < 0) --day;
  return day * kDay;
}

// 1970-01-01 was a Thursday, the fourth day of its week.
std::int64_t monday_at_or_after(std::int64_t midnight) {
  const std::int64_t day = midnight / kDay;
  const std::int64_t weekday = ((day + 3) % 7 + 7) % 7;
  return midnight + (weekday == 0 ? 0 : 7 - weekday) * kDay;
}

std::uint64_t events_between(const Survey& survey, std::int64_t begin, std::int64_t end) {
  std::uint64_t events = 0;
  for (const auto& [day, count] : survey.days) {
    if (day >= begin && day < end) events += count;
  }
  return events;
}

void set(Sight& sight, std::int64_t start, std::int64_t length, std::int64_t observe, std::uint32_t epoch_seconds) {
  const std::int64_t epoch = epoch_seconds * kSecond;
  sight.period = ingest::Period{format_civil(start), epoch_seconds, static_cast<std::uint32_t>(length / epoch)};
  sight.observe = static_cast<std::uint32_t>(observe / epoch);
}

}  // namespace

void guess_period(Sight& sight) {
  const Survey& survey = *sight.survey;
  if (survey.events == 0) return;
  // Days at the edges that hardly have anything are left out with the half percent at either end.
  const std::int64_t first = midnight_at_or_before(survey.early);
  const std::int64_t end = midnight_at_or_before(survey.late) + kDay;
  const std::int64_t monday = monday_at_or_after(first);
  const std::int64_t weeks = (end - monday) / kWeek;
  if (weeks > kMostWeeks) {
    std::int64_t best = monday;
    std::uint64_t most = 0;
    for (std::int64_t start = monday; start + kBusyWeeks * kWeek <= end; start += kWeek) {
      const std::uint64_t events = events_between(survey, start, start + kBusyWeeks * kWeek);
      if (events > most) {
        most = events;
        best = start;
      }
    }
    set(sight, best, kBusyWeeks * kWeek, (kBusyWeeks - 1) * kWeek, 3600);
    sight.reasons.push_back({"period.start", fmt::format("of {} weeks the four in a row with most events", weeks)});
  } else if (weeks >= 2) {
    set(sight, monday, weeks * kWeek, (weeks - 1) * kWeek, 3600);
    sight.reasons.push_back({"period.start", "the first Monday; whole weeks, the last of which is inferred"});
  } else if (const std::int64_t days = (end - first) / kDay; days >= 2) {
    set(sight, first, days * kDay, (days - std::max<std::int64_t>(1, days / 4)) * kDay, 3600);
    sight.reasons.push_back({"period.start", "there are less than two whole weeks: whole days"});
  } else {
    const std::int64_t hours = (survey.late - first) / (3600 * kSecond) + 1;
    if (hours < 2) return;
    set(sight, first, hours * 3600 * kSecond, hours * 3 / 4 * 3600 * kSecond, 3600);
    if (sight.observe == 0) sight.observe = 1;
    sight.reasons.push_back({"period.start", "there is less than two days: hours"});
  }
}

void guess_places(Sight& sight) {
  if (!sight.coordinates) {
    sight.rois = ingest::RoiIds{};
    return;
  }
  const Survey& survey = *sight.survey;
  const auto step = [](double degrees, bool up) {
    return (up ? std::ceil(degrees * 1000) : std::floor(degrees * 1000)) / 1000;
  };
  ingest::Grid grid;
  grid.south = std::max(-90.0, step(survey.lat.p01, false));
  grid.north = std::min(90.0, std::max(step(survey.lat.p99, true), grid.south + 0.001));
  grid.west = std::max(-180.0, step(survey.lng.p01, false));
  grid.east = std::min(180.0, std::max(step(survey.lng.p99, true), grid.west + 0.001));
  const double high = grid.north - grid.south;
  const double wide = (grid.east - grid.west) * std::cos(survey.lat.median * std::numbers::pi / 180);
  // The root of the events, so that more data has smaller cells and more in each.
  const double cells = std::clamp(std::sqrt(static_cast<double>(survey.events)), 25.0, 400.0);
  const double across = std::sqrt(cells * std::max(wide, 1e-9) / high);
  grid.cols = static_cast<std::uint32_t>(std::clamp(std::round(across), 1.0, 100.0));
  grid.rows = static_cast<std::uint32_t>(std::clamp(std::round(cells / grid.cols), 1.0, 100.0));
  sight.rois = grid;
  sight.reasons.push_back(
      {"rois.rows",
       fmt::format("cells about as high as wide over the middle 98% of the events, {} x {}", grid.rows, grid.cols)});
}

}  // namespace hearsay::look
