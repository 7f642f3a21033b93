// SPDX-License-Identifier: Apache-2.0
#include "engine/data_warnings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/civil_time.h"
#include "base/text_table.h"
#include "dataset/crowd.h"

namespace hearsay::engine {
namespace {

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Rounded towards "not all": 99.96% is not 100%.
std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{}%", whole == 0 ? 0 : part * 100 / whole);
}

std::string time_columns(const experiment::Study& study) {
  return study.data.source.format == ingest::Format::kTrips ? "data.columns.start_time and data.columns.end_time"
                                                            : "data.columns.datetime";
}

std::string time_warning(const experiment::Study& study, const ingest::Tally& tally) {
  const bool days = study.data.period.epoch_seconds == dataset::kDaySeconds;  // then the time of day does not matter
  if (!days && share(tally.at_midnight, tally.used) >= kNearlyAll) {
    return fmt::format(
        "{} of the events used are at midnight exactly: the time column seems to hold dates, so every visit falls into "
        "the first epoch of its day; map a column with the time of day ({}), or count by day (period.epoch = \"1 "
        "day\")",
        percent(tally.at_midnight, tally.used), time_columns(study));
  }
  if (share(tally.in_busiest_epoch, tally.used) >= kNearlyAll) {
    return fmt::format(
        "{} of the events used are in one epoch, the one that starts {}: the time column seems to hold the time of an "
        "export or a default, not of the events; map the column that says when somebody was there ({})",
        percent(tally.in_busiest_epoch, tally.used), format_civil(study.start_of(tally.busiest_epoch)),
        time_columns(study));
  }
  return "";
}

std::string left_out_warning(const Provenance& provenance) {
  if (provenance.bad_rows == 0) return "";
  std::vector<std::string> reasons;
  for (const auto& [reason, count] : provenance.tally.bad_rows) {
    reasons.push_back(fmt::format("{}: {}", reason, with_commas(count)));
  }
  return fmt::format(
      "{} of {} rows are bad and left out ({}): the answer is about the others; data.bad_rows = \"stop\" names the "
      "first of them",
      with_commas(provenance.bad_rows), with_commas(provenance.tally.rows), fmt::join(reasons, ", "));
}

std::string outside_period_warning(const Provenance& provenance) {
  const ingest::Tally& tally = provenance.tally;
  if (share(tally.outside_period, tally.events) <= kMostOutside) return "";
  return fmt::format(
      "{} of the events are outside the study period and not used: the data goes from {} to {}; if that is not meant, "
      "change period.start or period.length",
      percent(tally.outside_period, tally.events), provenance.first_event, provenance.last_event);
}

std::string outside_places_warning(const experiment::Study& study, const ingest::Tally& tally) {
  const std::uint64_t in_period = tally.events - tally.outside_period;
  if (share(tally.outside_rois, in_period) <= kMostOutside) return "";
  const bool grid = std::holds_alternative<ingest::Grid>(study.data.rois);
  const bool zones = std::holds_alternative<ingest::Zones>(study.data.rois);
  return fmt::format(
      "{} of the events in the study period are outside the {} and not used: the answer is about the "
      "rest; if that is not meant, {}",
      percent(tally.outside_rois, in_period),
      grid    ? "box of the grid"
      : zones ? "zones"
              : "list of places",
      grid    ? "widen the box (rois.south, rois.north, rois.west, rois.east)"
      : zones ? "check that rois.list has the zones of the data"
              : "check that rois.list has the ids of the data");
}

std::string few_users_warning(std::size_t users) {
  if (users >= kFewUsers) return "";
  return fmt::format(
      "only {} user{}: counts of so few people say nothing about a crowd, and every mean is about {}; check the user "
      "column (data.columns.uid), the period and data.users",
      users, users == 1 ? "" : "s", users == 1 ? "that person" : "those few");
}

std::string seen_once_warning(const experiment::Study& study, const DataSigns& signs) {
  const bool trips = study.data.source.format == ingest::Format::kTrips;
  if (share(signs.seen_once, signs.users) < kNearlyAll) return "";
  return fmt::format(
      "{} of {} users have {} only: the user column seems to number {}, not people, so nobody has habits to know; map "
      "the column that names the person, card or vehicle (data.columns.uid)",
      with_commas(signs.seen_once), with_commas(signs.users), trips ? "one trip" : "one visit",
      trips ? "trips" : "events");
}

std::string unobserved_warning(const experiment::Study& study, const Provenance& provenance, const DataSigns& signs) {
  if (signs.observed) return "";
  return fmt::format(
      "no visit in the observation period, {} to {}: the adversary knows nobody beforehand; the data goes from {} to "
      "{}: change period.start or period.observe",
      study.data.period.start, format_civil(study.start_of(study.data.observe)), provenance.first_event,
      provenance.last_event);
}

std::string nobody_warning(const experiment::Study& study, const DataSigns& signs) {
  if (signs.inferred) return "";
  return fmt::format(
      "nobody was at any of the places in the inference period, which begins {}: all counts are 0, and the answer is "
      "about that; if that is not meant, change period.start, period.length or the places",
      format_civil(study.start_of(study.data.observe)));
}

}  // namespace

// A trip is two events, or one visit to a pair of places.
std::uint32_t visits_at_once(const experiment::Study& study) {
  const auto* ids = std::get_if<ingest::RoiIds>(&study.data.rois);
  const bool flows = ids != nullptr && ids->pairs;
  return study.data.source.format == ingest::Format::kTrips && !flows ? 2 : 1;
}

DataSigns signs_of(const experiment::Study& study, const dataset::Dataset& dataset) {
  DataSigns signs{dataset.crowd().users, 0, false, false};
  std::vector<std::uint32_t> visits(dataset.crowd().users);
  for (std::size_t e = 0; e < dataset.visits().epochs(); ++e) {
    const dataset::EpochVisits epoch = dataset.visits().at(static_cast<EpochId>(e));
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      visits[index_of(epoch.users[row])] += static_cast<std::uint32_t>(epoch.rois_of(row).size());
    }
    if (!epoch.users.empty()) (e < study.data.observe ? signs.observed : signs.inferred) = true;
  }
  const std::uint32_t once = visits_at_once(study);
  signs.seen_once = static_cast<std::uint64_t>(
      std::count_if(visits.begin(), visits.end(), [&](std::uint32_t count) { return count <= once; }));
  return signs;
}

std::vector<std::string> data_warnings(const experiment::Study& study, const Provenance& provenance,
                                       const DataSigns& signs) {
  std::vector<std::string> warnings = {left_out_warning(provenance),
                                       time_warning(study, provenance.tally),
                                       outside_period_warning(provenance),
                                       outside_places_warning(study, provenance.tally),
                                       few_users_warning(signs.users),
                                       seen_once_warning(study, signs),
                                       unobserved_warning(study, provenance, signs),
                                       nobody_warning(study, signs)};
  std::erase(warnings, "");
  return warnings;
}

}  // namespace hearsay::engine
