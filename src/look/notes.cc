// SPDX-License-Identifier: Apache-2.0
#include "look/notes.h"

#include <fmt/format.h>

#include "base/civil_time.h"
#include "look/hours.h"

namespace hearsay::look {
namespace {

constexpr std::int64_t kDay = 86400 * kSecond;

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f}%", whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

void note_odd_people(const Survey& survey, Sight& sight) {
  if (survey.users == 1) sight.odd.emplace_back("everything is of one user");
  if (2 * survey.once > survey.users && survey.users > 1) {
    sight.odd.push_back(fmt::format("{} of the users have one event: is the column of users one of trips?",
                                    share_of(survey.once, survey.users)));
  }
  if (20 * survey.repeats > survey.events) {
    sight.odd.push_back(fmt::format("{} of the events are there more than once (same user, time and place)",
                                    share_of(survey.repeats, survey.events)));
  }
  if (!sight.coordinates && survey.places > 20'000) {
    sight.odd.push_back(fmt::format("{} places: most counts will be 0 or 1; larger ones tell more", survey.places));
  }
}

void note_odd_times(const Survey& survey, Sight& sight) {
  if (4 * survey.at_midnight > survey.events) {
    sight.odd.push_back(fmt::format("{} of the events are at midnight exactly: times may be dates only",
                                    share_of(survey.at_midnight, survey.events)));
  }
  const std::int64_t span = survey.late - survey.early + kDay;
  if (survey.early - survey.first > span || survey.last - survey.late > span) {
    sight.odd.push_back(fmt::format("a few events are far from all others in time: the first is of {}, the last of {}",
                                    format_civil(survey.first), format_civil(survey.last)));
  }
  std::int64_t longest = 0;
  std::int64_t since = 0;
  for (std::size_t i = 1; i < survey.days.size(); ++i) {
    const std::int64_t gap = survey.days[i].first - survey.days[i - 1].first - kDay;
    if (gap <= longest || survey.days[i - 1].first < survey.early - kDay || survey.days[i].first > survey.late)
      continue;
    longest = gap;
    since = survey.days[i - 1].first + kDay;
  }
  if (longest > 0) {
    sight.odd.push_back(
        fmt::format("{} days in a row have no event, from {}", longest / kDay, format_civil(since).substr(0, 10)));
  }
  const bool absolute = survey.civil < survey.events;
  if (sight.source.timezone.empty() && !sight.source.columns.contains("utc_offset") && absolute) {
    sight.odd.emplace_back("times have an offset and nothing says where they are: UTC is used. Set data.timezone");
  }
}

void note_odd_places(const Survey& survey, Sight& sight) {
  if (!sight.coordinates || survey.events == 0) return;
  const double high = survey.lat.p99 - survey.lat.p01;
  const double wide = survey.lng.p99 - survey.lng.p01;
  if (survey.city && survey.city->is_part && !sight.given.rois) {
    sight.odd.push_back(fmt::format(
        "the events are spread over {:.1f} x {:.1f} degrees, and {} of them lie outside the box of the densest city: "
        "set south, north, west and east of [rois] for another",
        high, wide, share_of(survey.events - survey.city->inside, survey.events)));
  }
  if (high == 0 && wide == 0) sight.odd.emplace_back("all events are at one point");
}

// Times without an offset may be local or UTC, and only the hours can tell.
void note_clock(const Survey& survey, Sight& sight) {
  const bool told = sight.given.has("data.utc") || sight.given.has("data.columns.utc_offset");
  if (told || 2 * survey.civil < survey.events || survey.hours == survey.hours_if_utc) return;
  if (!tells_something(survey.hours)) {
    sight.reasons.push_back(
        {"data.utc", "times have no offset and are read as local time. If they are UTC, set data.utc = true"});
    return;
  }
  const std::size_t local = busiest_hours(survey.hours);
  const std::size_t utc = busiest_hours(survey.hours_if_utc);
  const std::string sentence = fmt::format(
      "times have no offset and are read as local time: most events are at {}. If the times are UTC, most "
      "are at {} local time: set data.utc = true",
      hours_text(local), hours_text(utc));
  sight.reasons.push_back({"data.utc", sentence});
  if (at_night(local) && !at_night(utc)) {
    sight.odd.push_back(fmt::format(
        "most events are at night, at {}: the times may be UTC, and then most are at {}. data.utc = true says so",
        hours_text(local), hours_text(utc)));
  }
}

}  // namespace

void note_what_is_odd(Sight& sight) {
  const bool user_known = !sight.stand_ins.contains("uid");
  if (user_known) note_odd_people(*sight.survey, sight);
  note_odd_times(*sight.survey, sight);
  note_clock(*sight.survey, sight);
  note_odd_places(*sight.survey, sight);
  std::uint64_t bad = 0;
  for (const auto& [reason, count] : sight.survey->bad_rows) bad += count;
  if (bad == 0 || sight.given.has("data.bad_rows")) return;
  sight.source.bad_rows = ingest::BadRows::kSkip;
  sight.reasons.push_back(
      {"data.bad_rows", fmt::format("{} of the rows cannot be read", share_of(bad, sight.survey->rows))});
}

}  // namespace hearsay::look
