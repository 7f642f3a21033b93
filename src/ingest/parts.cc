// SPDX-License-Identifier: Apache-2.0
#include "ingest/parts.h"

#include <algorithm>

#include "base/errors.h"
#include "ingest/scanner.h"
#include "ingest/settings.h"
#include "ingest/source_tables.h"
#include "storage/arrow_table.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

void refuse_files(const Source& source) {
  const std::string how = "; write the points as rows first, in Parquet or CSV, or give them as a data frame";
  if (source.format == Format::kCabs) {
    throw ConfigError("data.format", "cabs", "a folder of cab files cannot be read on a cluster" + how);
  }
  if (source.columns.contains("polyline")) {
    throw ConfigError("data.columns.polyline", quoted_value(source.columns.at("polyline")),
                      "paths in one column cannot be read on a cluster" + how);
  }
  if (source.user.from != UserRule::From::kColumn) {
    throw ConfigError("data.user", "", "the path of a file cannot tell the user on a cluster" + how);
  }
}

// By user in the place of by epoch.
void sort_by_user(const VisitList& visits, Part& part) {
  part.begin.assign(part.users.size() + 1, 0);
  for (const auto& epoch : visits.epochs) {
    for (const std::uint64_t key : epoch) ++part.begin[VisitList::user(key) + std::size_t{1}];
  }
  for (std::size_t u = 0; u < part.users.size(); ++u) part.begin[u + 1] += part.begin[u];
  part.keys.resize(part.begin.back());
  std::vector<std::uint64_t> next(part.begin.begin(), part.begin.end() - 1);
  for (std::size_t e = 0; e < visits.epochs.size(); ++e) {
    for (const std::uint64_t key : visits.epochs[e]) {
      part.keys[next[VisitList::user(key)]++] = std::uint64_t{e} << 32 | VisitList::roi(key);
    }
  }
}

}  // namespace

// A part and the database it is read by.
struct PartReader::Open {
  Open(const PartReader& reader, const std::shared_ptr<const storage::ArrowTable>& table)
      : source(reader.source_),
        database({reader.options_.threads, reader.options_.memory_bytes, reader.options_.temp_directory,
                  reader.options_.stop}) {
    source.table = table;
    check_source(source, reader.rois_);
    tables = read_tables(database, source, reader.rois_, {table->name()});
  }

  Source source;
  storage::Database database;
  std::vector<ReadTable> tables;
};

PartReader::PartReader(Source source, RoiRule rois, Period period, Options options)
    : source_(std::move(source)), rois_(std::move(rois)), period_(std::move(period)), options_(std::move(options)) {
  refuse_files(source_);
  check_source(source_, rois_);
  storage::Database database({1, options_.memory_bytes, options_.temp_directory, options_.stop});
  placement_ = std::make_unique<Placement>(database, rois_, period_, timezone_of(source_));
}

ReadTable PartReader::table_of(const std::vector<std::string>& columns, const std::string& name) const {
  storage::Table table{{storage::FileKind::kArrow, ',', false, false, {}}, {name}};
  for (const std::string& column : columns) table.layout.columns.push_back({column});
  return {table, resolve_fields(source_, rois_, table)};
}

std::vector<std::string> PartReader::needed_columns(const std::vector<std::string>& columns,
                                                    const std::string& name) const {
  const ReadTable read = table_of(columns, name);
  std::vector<std::size_t> wanted = columns_read(read.fields);
  if (names_places(columns, name)) {
    for (const std::size_t column : place_columns(read, source_)) wanted.push_back(column);
  }
  std::vector<std::string> needed;
  for (const std::size_t column : wanted) {
    if (std::find(needed.begin(), needed.end(), columns[column]) == needed.end()) needed.push_back(columns[column]);
  }
  return needed;
}

bool PartReader::names_places(const std::vector<std::string>& columns, const std::string& name) const {
  const bool trips = source_.format == Format::kTrips && !placement_->placing().pairs;
  return trips && placement_->places_seen() && !place_columns(table_of(columns, name), source_).empty();
}

Part PartReader::read(const std::shared_ptr<const storage::ArrowTable>& table, bool until_odd_time) const {
  Open open(*this, table);
  Scanner scanner(open.database, open.tables, placement_->placing(), options_, table->name());
  Part part;
  if (scanner.scan_all_rows(until_odd_time && source_.time_format == TimeFormat::kAuto, false) ==
      Scanner::End::kOddTime) {
    part.facts.odd_time = true;
    return part;
  }
  part.facts = scanner.facts();
  Visits visits;
  scanner.finish(visits);
  part.users = std::move(visits.users);
  for (Roi& roi : visits.rois) part.places.push_back(std::move(roi.id));
  sort_by_user(visits.visits, part);
  return part;
}

std::vector<TimeShape> PartReader::survey(const std::shared_ptr<const storage::ArrowTable>& table) const {
  Open open(*this, table);
  return survey_times(open.database, open.tables.front());
}

std::vector<std::string> PartReader::find_patterns(const std::vector<TimeShape>& shapes, const std::string& name,
                                                   const std::vector<std::string>& columns) const {
  const ReadTable read = table_of(columns, name);
  storage::Database database({1, options_.memory_bytes, options_.temp_directory, options_.stop});
  const auto patterns = patterns_of(database, read, shapes);
  return patterns.empty() ? std::vector<std::string>() : patterns.begin()->second;
}

std::optional<BadRow> PartReader::first_bad_row(const std::shared_ptr<const storage::ArrowTable>& table) const {
  Open open(*this, table);
  open.database.execute("SET threads = 1");
  return find_bad_row(open.database, open.tables.front(), table->name());
}

std::vector<SeenPlace> PartReader::survey_places(const std::shared_ptr<const storage::ArrowTable>& table) const {
  Open open(*this, table);
  return survey_trip_places(open.database, open.tables, open.source);
}

Conclusion PartReader::conclude(const Facts& facts, const std::string& name,
                                const std::vector<std::string>& patterns_found,
                                const std::function<void()>& throw_first_bad_row) const {
  storage::Database database({1, options_.memory_bytes, options_.temp_directory, options_.stop});
  const Asked asked{source_, rois_, period_, name, placement_->rois().size()};
  return ingest::conclude(database, facts, asked, patterns_found, throw_first_bad_row);
}

}  // namespace hearsay::ingest
