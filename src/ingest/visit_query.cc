// SPDX-License-Identifier: Apache-2.0
#include "ingest/visit_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

namespace hearsay::ingest {
namespace {

// The columns of an event after the number of the check and the user.
std::vector<std::string> event_columns(const std::string& time, const std::string& roi, bool by_grid) {
  std::vector<std::string> columns = {fmt::format("{}_us", time), fmt::format("CAST({}_form AS UTINYINT)", time)};
  if (!by_grid) {
    columns.push_back(roi + "_text");
  } else {
    columns.insert(columns.end(), {"lat_value", "lng_value"});
  }
  return columns;
}

// The columns of one event of each row.
class EventColumns {
 public:
  EventColumns(const storage::Chunk& chunk, std::size_t column, bool by_grid)
      : us_(chunk.values<std::int64_t>(column)), forms_(chunk.values<std::uint8_t>(column + 1)) {
    if (by_grid) {
      lats_ = chunk.values<double>(column + 2);
      lngs_ = chunk.values<double>(column + 3);
    } else {
      places_ = chunk.values<duckdb_string_t>(column + 2);
    }
  }
  Event at(std::size_t row, std::string_view uid) const {
    Event event{uid, us_[row], forms_[row] == kCivilForm, 0, 0, {}};
    if (places_ != nullptr) {
      event.place = storage::view_of(places_[row]);
    } else {
      event.lat = lats_[row];
      event.lng = lngs_[row];
    }
    return event;
  }

 private:
  const std::int64_t* us_;
  const std::uint8_t* forms_;
  const double* lats_ = nullptr;
  const double* lngs_ = nullptr;
  const duckdb_string_t* places_ = nullptr;
};

}  // namespace

std::string take_rows_sql(const ReadTable& read, const std::string& consumer) {
  const Fields& fields = read.fields;
  const bool trips = fields.format == Format::kTrips;
  const std::string end = fields.pairs ? ", end_roi_text" : "";
  std::vector<std::string> columns = {"bad", "uid_text"};
  const auto add = [&](const std::string& time, const std::string& roi) {
    for (std::string& column : event_columns(time, roi, fields.by_grid)) columns.push_back(std::move(column));
  };
  add(trips ? "start_time" : "datetime", trips ? "start_roi" : "roi");
  if (fields.ends()) add("end_time", "end_roi");
  return fmt::format("SELECT max({}({}{})) FROM ({})", consumer, fmt::join(columns, ", "), end,
                     checked_rows_sql(read.table.layout, fields, 1));
}

std::vector<duckdb_type> consumer_columns(const Fields& fields) {
  std::vector<duckdb_type> types = {DUCKDB_TYPE_UTINYINT, DUCKDB_TYPE_VARCHAR};
  for (int event = 0; event < (fields.ends() ? 2 : 1); ++event) {
    types.insert(types.end(), {DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_UTINYINT});
    if (fields.by_grid) {
      types.insert(types.end(), {DUCKDB_TYPE_DOUBLE, DUCKDB_TYPE_DOUBLE});
    } else {
      types.push_back(DUCKDB_TYPE_VARCHAR);
    }
  }
  if (fields.pairs) types.push_back(DUCKDB_TYPE_VARCHAR);
  return types;
}

void take_rows(const storage::Chunk& chunk, const Fields& fields, Collector& collector) {
  const bool trips = fields.ends();
  const auto* end_places = fields.pairs ? chunk.values<duckdb_string_t>(5) : nullptr;
  const auto* bad = chunk.values<std::uint8_t>(0);
  const auto* uids = chunk.values<duckdb_string_t>(1);
  const EventColumns events(chunk, 2, fields.by_grid);
  const std::optional<EventColumns> ends = trips ? std::optional(EventColumns(chunk, 5, false)) : std::nullopt;
  for (std::size_t row = 0; row < chunk.rows(); ++row) {
    if (bad[row] > 0) {
      collector.add_bad(bad[row] - 1U);
      continue;
    }
    Event event = events.at(row, storage::view_of(uids[row]));
    if (end_places != nullptr) event.end_place = storage::view_of(end_places[row]);
    collector.add(event);
    if (trips) collector.add(ends->at(row, storage::view_of(uids[row])));
  }
  collector.flush();
}

}  // namespace hearsay::ingest
