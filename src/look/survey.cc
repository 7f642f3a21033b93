// SPDX-License-Identifier: Apache-2.0
#include "look/survey.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/civil_time.h"
#include "ingest/time_zone.h"
#include "look/city.h"

namespace hearsay::look {
namespace {

// The events of one table's rows: who, when in which form, where, and what is wrong with the row.
std::string events_sql(const ingest::ReadTable& read, std::size_t parameter) {
  const ingest::Fields& fields = read.fields;
  const auto event = [&](const std::string& time, const std::string& roi) {
    return fmt::format("SELECT uid_text AS uid, {0}_us AS us, {0}_form AS form, {1}, bad FROM rows_{2}", time,
                       fields.by_grid ? "lat_value AS lat, lng_value AS lng, NULL::VARCHAR AS place"
                                      : fmt::format("NULL::DOUBLE AS lat, NULL::DOUBLE AS lng, {}_text AS place", roi),
                       parameter);
  };
  const bool trips = fields.format == ingest::Format::kTrips;
  std::string sql =
      fmt::format("(WITH rows_{} AS ({}) ", parameter, ingest::checked_rows_sql(read.table.layout, fields, parameter));
  sql += trips ? event("start_time", "start_roi") : event("datetime", "roi");
  if (fields.ends()) sql += fmt::format(" UNION ALL {} WHERE bad = 0", event("end_time", "end_roi"));
  return sql + ")";
}

void keep_events(storage::Database& database, const std::vector<ingest::ReadTable>& tables) {
  std::vector<std::string> events;
  storage::Values values;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    events.push_back(events_sql(tables[i], i + 1));
    values.emplace_back(storage::literal_paths(tables[i].table.files));
  }
  database.execute(
      fmt::format("CREATE OR REPLACE TEMP TABLE seen AS SELECT * FROM ({})", fmt::join(events, " UNION ALL ")), values);
}

// One row of numbers, where null is 0.
std::vector<double> numbers(storage::Database& database, const std::string& columns, const std::string& from) {
  storage::QueryRows rows = database.execute(fmt::format("SELECT {} FROM {}", columns, from));
  std::vector<double> values(rows.columns());
  if (!rows.next()) return values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = rows.is_null(i, 0) ? 0 : rows.number(i, 0);
  return values;
}

std::vector<std::pair<std::int64_t, std::uint64_t>> counted_by(storage::Database& database, const std::string& key) {
  std::vector<std::pair<std::int64_t, std::uint64_t>> counts;
  storage::QueryRows rows =
      database.execute(fmt::format("SELECT CAST({} AS BIGINT) AS k, count(*) FROM good GROUP BY k ORDER BY k", key));
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      counts.emplace_back(rows.integer(0, row), static_cast<std::uint64_t>(rows.integer(1, row)));
    }
  }
  return counts;
}

void count_bad_rows(storage::Database& database, const std::vector<ingest::ReadTable>& tables, Survey& survey) {
  const std::vector<ingest::Check> checks = ingest::row_checks(tables.front().fields);
  storage::QueryRows rows =
      database.execute("SELECT CAST(bad AS BIGINT), count(*) FROM seen WHERE bad > 0 GROUP BY bad");
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      survey.bad_rows[checks[static_cast<std::size_t>(rows.integer(0, row)) - 1].reason] +=
          static_cast<std::uint64_t>(rows.integer(1, row));
    }
  }
}

void measure_people(storage::Database& database, Survey& survey) {
  const std::vector<double> people =
      numbers(database,
              "CAST(count(*) AS DOUBLE), CAST(max(n) AS DOUBLE), CAST(quantile_disc(n, 0.01) AS DOUBLE), "
              "CAST(quantile_disc(n, 0.5) AS DOUBLE), CAST(quantile_disc(n, 0.99) AS DOUBLE), "
              "CAST(count(*) FILTER (n = 1) AS DOUBLE)",
              "(SELECT count(*) AS n FROM good GROUP BY uid)");
  survey.users = static_cast<std::uint64_t>(people[0]);
  survey.most_of_a_user = static_cast<std::uint64_t>(people[1]);
  survey.of_a_user = {people[2], people[3], people[4]};
  survey.once = static_cast<std::uint64_t>(people[5]);
  const std::vector<double> repeated = numbers(database, "CAST(sum(n - 1) AS DOUBLE)",
                                               "(SELECT count(*) AS n FROM good GROUP BY uid, civil, place, lat, lng)");
  survey.repeats = static_cast<std::uint64_t>(repeated[0]);
  const std::vector<double> days =
      numbers(database, "CAST(count(*) AS DOUBLE)", "(SELECT DISTINCT uid, floor(civil / 86400000000) FROM good)");
  survey.user_days = static_cast<std::uint64_t>(days[0]);
}

std::vector<std::uint64_t> by_hour(storage::Database& database, const std::string& time) {
  std::vector<std::uint64_t> hours(24);
  const std::string hour = fmt::format("floor(({0} - floor({0} / 86400000000) * 86400000000) / 3600000000)", time);
  for (const auto& [number, count] : counted_by(database, hour)) {
    if (number >= 0 && number < 24) hours[static_cast<std::size_t>(number)] = count;
  }
  return hours;
}

void measure_times(storage::Database& database, Survey& survey) {
  storage::QueryRows rows = database.execute(
      "SELECT min(civil), max(civil), quantile_disc(civil, 0.005), quantile_disc(civil, 0.995), count(*) FILTER "
      "(civil % 86400000000 = 0) FROM good");
  if (!rows.next() || rows.is_null(0, 0)) return;
  survey.first = rows.integer(0, 0);
  survey.last = rows.integer(1, 0);
  survey.early = rows.integer(2, 0);
  survey.late = rows.integer(3, 0);
  survey.at_midnight = static_cast<std::uint64_t>(rows.integer(4, 0));
  survey.hours = by_hour(database, "civil");
  if (survey.civil > 0) survey.hours_if_utc = by_hour(database, "if_utc");
  for (const auto& [day, count] : counted_by(database, "floor(civil / 86400000000)")) {
    survey.days.emplace_back(day * kDay, count);
  }
}

}  // namespace

Survey survey(storage::Database& database, const std::vector<ingest::ReadTable>& tables,
              const std::function<std::string(const std::optional<City>& city)>& timezone) {
  Survey survey;
  keep_events(database, tables);
  const std::vector<double> all =
      numbers(database,
              fmt::format("CAST(count(*) AS DOUBLE), CAST(count(DISTINCT place) AS DOUBLE), quantile_cont(lat, 0.01), "
                          "quantile_cont(lat, 0.5), quantile_cont(lat, 0.99), quantile_cont(lng, 0.01), "
                          "quantile_cont(lng, 0.5), quantile_cont(lng, 0.99), CAST(count(*) FILTER (form = {}) AS "
                          "DOUBLE), CAST(min(us) AS DOUBLE), CAST(max(us) AS DOUBLE)",
                          ingest::kCivilForm),
              "seen WHERE bad = 0");
  count_bad_rows(database, tables, survey);
  survey.events = static_cast<std::uint64_t>(all[0]);
  survey.rows = tables.front().fields.ends() ? survey.events / 2 : survey.events;
  for (const auto& [reason, count] : survey.bad_rows) survey.rows += count;
  survey.places = static_cast<std::uint64_t>(all[1]);
  survey.lat = {all[2], all[3], all[4]};
  survey.lng = {all[5], all[6], all[7]};
  if (!tables.front().fields.utc_offset) survey.civil = static_cast<std::uint64_t>(all[8]);
  survey.city = find_city(database);
  const std::string zone = timezone(survey.city);
  if (survey.events == 0) return survey;
  const std::vector<ingest::ClockShift> shifts = ingest::clock_shifts(
      database, zone, static_cast<std::int64_t>(all[9]) - kDay, static_cast<std::int64_t>(all[10]) + kDay);
  database.execute(fmt::format(
      "CREATE OR REPLACE TEMP TABLE good AS SELECT uid, CASE WHEN form = {0} THEN us ELSE {1} END AS civil, {1} AS "
      "if_utc, place, lat, lng FROM seen WHERE bad = 0",
      ingest::kCivilForm, ingest::civil_sql(shifts, "us")));
  measure_times(database, survey);
  measure_people(database, survey);
  return survey;
}

void count_left_out(storage::Database& database, const std::vector<ingest::ReadTable>& tables,
                    const ingest::LineCheck& lines, Sight& sight) {
  std::vector<std::string> others;
  for (const ingest::ReadTable& read : tables) {
    if (read.table.layout.kind != storage::FileKind::kParquet) continue;
    others.insert(others.end(), read.table.files.begin(), read.table.files.end());
  }
  Survey& seen = *sight.survey;
  for (const auto& [reason, count] : lines.left_out(seen.rows - storage::rows_by_size(database, others))) {
    seen.bad_rows[reason] += count;
    seen.rows += count;
  }
  if (lines.rows_with_line_breaks() == 0) return;
  const InputPlace& first = lines.first_line_break();
  sight.odd.push_back(
      fmt::format("{} rows go on over several lines between double quotes, the first from line {} of {}",
                  lines.rows_with_line_breaks(), first.line, first.file));
}

}  // namespace hearsay::look
