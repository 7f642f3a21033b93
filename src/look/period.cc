// SPDX-License-Identifier: Apache-2.0
#include "look/period.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/civil_time.h"
#include "look/city.h"

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

// A share that is not zero never reads so.
std::string outside_text(const City& city, std::uint64_t events) {
  const std::uint64_t outside = events - city.inside;
  const auto length = [](double kilometres) { return fmt::format("{:.{}f}", kilometres, kilometres < 10 ? 1 : 0); };
  const std::string box = fmt::format("the box is {} x {} km", length(height_of(city.box)), length(width_of(city.box)));
  if (outside == 0) return box + " and holds all events";
  const double share = 100.0 * static_cast<double>(outside) / static_cast<double>(events);
  return fmt::format("{}{}; {} of 100 events lie outside", box, city.is_part ? " about the densest city" : "",
                     share < 0.1 ? "fewer than 0.1" : fmt::format("{:.{}f}", share, share < 10 ? 1 : 0));
}

void set(Sight& sight, std::int64_t start, std::int64_t length, std::int64_t observe, std::uint32_t epoch_seconds) {
  const std::int64_t epoch = epoch_seconds * kSecond;
  sight.period = ingest::Period{format_civil(start), epoch_seconds, static_cast<std::uint32_t>(length / epoch)};
  sight.observe = static_cast<std::uint32_t>(observe / epoch);
}

// Covers less than two days: from the epoch of the first event to that of the last, three quarters of them observed.
// Epochs are hours where there are four of them, else the longest of which there are four.
void set_short(Sight& sight) {
  const Survey& survey = *sight.survey;
  constexpr std::int64_t kLeastEpochs = 4;
  std::int64_t epoch = 0;
  std::int64_t start = 0;
  std::int64_t epochs = 0;
  for (const std::int64_t seconds : {3600, 1800, 900, 300, 60}) {
    epoch = seconds * kSecond;
    start = survey.early - (survey.early % epoch + epoch) % epoch;
    epochs = (survey.late - start) / epoch + 1;
    if (epochs >= kLeastEpochs) break;
  }
  if (epochs < 2) {
    start -= epoch;  // the only epoch with events is inferred
    epochs = 2;
  }
  set(sight, start, epochs * epoch, std::max<std::int64_t>(1, epochs * 3 / 4) * epoch,
      static_cast<std::uint32_t>(epoch / kSecond));
  sight.reasons.push_back({"period.start", "the data cover less than two days, so it starts with the first event"});
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
    set_short(sight);
  }
}

void guess_places(Sight& sight) {
  if (sight.given.rois) {
    sight.rois = *sight.given.rois;
    return;
  }
  if (!sight.coordinates || !sight.survey->city) {
    sight.rois = ingest::RoiIds{};
    return;
  }
  const City& city = *sight.survey->city;
  ingest::Grid grid = city.box;
  // The root of the events, so that more data has smaller cells and more in each.
  const double cells = std::clamp(std::sqrt(static_cast<double>(city.inside)), 25.0, 400.0);
  const double across = std::sqrt(cells * width_of(grid) / height_of(grid));
  grid.cols = static_cast<std::uint32_t>(std::clamp(std::round(across), 1.0, 100.0));
  grid.rows = static_cast<std::uint32_t>(std::clamp(std::round(cells / grid.cols), 1.0, 100.0));
  sight.rois = grid;
  sight.reasons.push_back({"rois.rows", fmt::format("{} x {} cells about as high as wide; {}", grid.rows, grid.cols,
                                                    outside_text(city, sight.survey->events))});
}

}  // namespace hearsay::look
