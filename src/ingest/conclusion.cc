// SPDX-License-Identifier: Apache-2.0
#include "ingest/conclusion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/errors.h"
#include "ingest/placement.h"
#include "ingest/settings.h"
#include "ingest/time_zone.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

// Most of the world's cities are further east or west than any place is north or south.
void check_swapped(const Facts& facts, const std::string& name) {
  const auto found = facts.bad_rows.find("lat out of range");
  if (found == facts.bad_rows.end() || found->second * 10 < facts.rows * 9) return;
  throw InputError(
      {one_line(name), 0, ""},
      fmt::format("{} of {} rows have a latitude beyond 90: latitude and longitude seem to be swapped; map "
                  "them the other way round with data.columns.lat and data.columns.lng",
                  found->second, facts.rows));
}

void check_rows(const Facts& facts, const std::string& name) {
  if (facts.rows == 0) throw InputError({one_line(name), 0, ""}, "no rows");
  if (facts.events > 0) return;
  std::string reasons;
  for (const auto& [reason, count] : facts.bad_rows) reasons += fmt::format("; {}: {}", reason, count);
  throw InputError({one_line(name), 0, ""}, fmt::format("all {} rows are bad{}", facts.rows, reasons));
}

void check_not_empty(const Facts& facts, const Asked& asked, const Conclusion& said) {
  if (facts.used > 0) return;
  if (facts.outside_rois == 0) {
    throw ConfigError(
        "period.start", quoted_value(asked.period.start),
        fmt::format("no event in the study period, which ends {}; the data goes from {} to {} ({})",
                    format_civil(check_period(asked.period).end), said.first_event, said.last_event, said.timezone));
  }
  if (const auto* ids = std::get_if<RoiIds>(&asked.rois)) {
    throw ConfigError("rois", quoted_value(ids->list),
                      fmt::format("none of the {} ids in the list is in the study period's {} events", asked.places,
                                  facts.outside_rois));
  }
  const Extent& extent = facts.elsewhere;  // of all events in the period, since none is in a place
  const std::string where = fmt::format("in the study period the data goes from {} to {} N, {} to {} E", extent.south,
                                        extent.north, extent.west, extent.east);
  if (const auto* zones = std::get_if<Zones>(&asked.rois)) {
    throw ConfigError("rois", quoted_value(zones->list), "no event in any zone; " + where);
  }
  const Grid& grid = std::get<Grid>(asked.rois);
  const bool swapped =
      extent.south < grid.east && extent.north >= grid.west && extent.west < grid.north && extent.east >= grid.south;
  throw ConfigError("rois", fmt::format("{}..{} N, {}..{} E", grid.south, grid.north, grid.west, grid.east),
                    fmt::format("no event in the box; {}{}", where,
                                swapped ? ": latitude and longitude seem to be swapped (data.columns.lat, "
                                          "data.columns.lng)"
                                        : ""));
}

Tally tally_of(const Facts& facts) {
  Tally tally;
  tally.rows = facts.rows;
  tally.events = facts.events;
  tally.used = facts.used;
  tally.outside_period = facts.outside_period;
  tally.outside_rois = facts.outside_rois;
  tally.at_midnight = facts.at_midnight;
  tally.bad_rows = facts.bad_rows;
  const auto busiest = std::max_element(facts.by_epoch.begin(), facts.by_epoch.end());
  if (busiest != facts.by_epoch.end()) {
    tally.in_busiest_epoch = *busiest;
    tally.busiest_epoch = static_cast<std::uint32_t>(busiest - facts.by_epoch.begin());
  }
  return tally;
}

}  // namespace

Conclusion conclude(storage::Database& database, const Facts& facts, const Asked& asked,
                    const std::vector<std::string>& patterns_found, const std::function<void()>& throw_first_bad_row) {
  Conclusion said;
  said.tally = tally_of(facts);
  said.timezone = timezone_of(asked.source);
  if (asked.source.timezone.empty() && !asked.source.columns.contains("utc_offset")) {
    said.warnings.emplace_back(
        "data.timezone is not set: UTC is used; set it to the IANA name of the data's time zone, such as "
        "\"Europe/London\"");
  }
  said.time_format =
      fmt::format("{}", fmt::join(patterns_found.empty() ? asked.source.time_patterns : patterns_found, ", "));
  if (!patterns_found.empty()) {
    said.warnings.push_back(
        fmt::format("times are read as {}, which fits the data; set data.time_format to say so", said.time_format));
    std::vector<std::string> patterns;
    for (const std::string& pattern : patterns_found) patterns.push_back('"' + pattern + '"');
    said.found.push_back(
        {"data.time_format", patterns.size() == 1 ? patterns.front() : fmt::format("[{}]", fmt::join(patterns, ", "))});
  }
  check_swapped(facts, asked.name);
  if (!facts.bad_rows.empty() && asked.source.bad_rows == BadRows::kStop) throw_first_bad_row();
  check_rows(facts, asked.name);
  TimeSpan span = facts.civil;
  if (!facts.absolute.empty()) {
    span.add(to_civil(database, said.timezone, facts.absolute.first));
    span.add(to_civil(database, said.timezone, facts.absolute.last));
  }
  said.first_event = format_civil(span.first);
  said.last_event = format_civil(span.last);
  check_not_empty(facts, asked, said);
  const std::int64_t end = check_period(asked.period).end;
  if (end - span.last > 86400 * kSecond) {  // nights are quiet
    said.warnings.push_back(
        fmt::format("the study period ends {}, but the last event is at {}: the epochs after it are empty",
                    format_civil(end), said.last_event));
  }
  return said;
}

}  // namespace hearsay::ingest
