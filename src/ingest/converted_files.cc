// SPDX-License-Identifier: Apache-2.0
#include "ingest/converted_files.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <pugixml.hpp>

#include "base/errors.h"
#include "ingest/columns.h"
#include "ingest/line_check.h"
#include "ingest/line_parser.h"
#include "storage/sql_text.h"
#include "storage/table_file.h"
#include "storage/unpack.h"

namespace hearsay::ingest {
namespace {

bool is_gpx(const std::string& file) {
  return storage::normalized_name(std::filesystem::path(file).extension().string()) == ".gpx";
}

bool is_degrees(const std::string& text, double limit) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() && value >= -limit && value <= limit;
}

// What is wrong with a point; empty where nothing is.
std::string point_problem(const std::string& lat, const std::string& lng, const std::string& time) {
  std::int64_t us = 0;
  bool civil = false;
  if (!is_degrees(lat, 90)) return fmt::format("has the latitude {}", storage::quoted_value(lat));
  if (!is_degrees(lng, 180)) return fmt::format("has the longitude {}", storage::quoted_value(lng));
  if (time.empty()) return "has no time";
  if (!parse_time(time, TimeFormat::kIso, us, civil))
    return fmt::format("has the time {}", storage::quoted_value(time));
  return "";
}

void convert_gpx(const std::string& file, const std::string& made, bool skip, ConvertedFiles& result) {
  const auto fail = [&](const std::string& problem) { throw InputError({one_line(file), 0, ""}, problem); };
  std::error_code error;
  if (const auto bytes = std::filesystem::file_size(file, error); error || bytes > kLargestGpx) {
    fail(error ? "cannot be read" : fmt::format("{} bytes; at most {} of GPX are read", bytes, kLargestGpx));
  }
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_file(file.c_str());
  if (!parsed) fail(fmt::format("not GPX: {}", parsed.description()));
  std::ofstream out(made, std::ios::binary);
  out << "lat,lng,datetime\n";
  std::size_t number = 0;
  for (const pugi::xml_node track : document.child("gpx").children("trk")) {
    for (const pugi::xml_node segment : track.children("trkseg")) {
      for (const pugi::xml_node point : segment.children("trkpt")) {
        ++number;
        const std::string lat = point.attribute("lat").value();
        const std::string lng = point.attribute("lon").value();
        const std::string time = point.child("time").text().get();
        const std::string problem = point_problem(lat, lng, time);
        if (problem.empty()) {
          out << lat << ',' << lng << ',' << time << '\n';
        } else if (skip) {
          ++result.bad_rows["bad point"];
        } else {
          fail(fmt::format("point {} {}; expected lat, lon and a time such as 2010-03-01T08:30:00Z", number, problem));
        }
      }
    }
  }
  if (number == 0) fail("no track with points in it");
  if (!out.flush()) throw storage::ResourceError("no room for temporary files: " + made);
}

// Rows of paths as rows of points: their user and time under the names these have, and lat, lng.
std::string points_sql(const storage::Layout& layout, std::size_t uid, std::size_t time) {
  return fmt::format(
      "SELECT uid AS {}, CAST(start + {} * (place - 1) AS BIGINT) AS {}, points[place][2] AS lat, points[place][1] AS "
      "lng "
      "FROM (SELECT *, unnest(range(1, len(points) + 1)) AS place FROM paths WHERE NOT bad)",
      storage::sql_name(layout.columns[uid].name), kPathStep, storage::sql_name(layout.columns[time].name));
}

storage::QueryRows count_paths(storage::Database& database, const std::string& file) {
  try {
    return database.execute("SELECT count(*) FILTER (bad), count(*) FROM paths");
  } catch (const storage::DatabaseError& error) {
    const std::optional<storage::Reject> reject = storage::reject_of(error);
    if (!reject) throw;
    throw InputError({one_line(file), reject->line, ""}, fmt::format("{}: {}", reject->reason, reject->problem));
  }
}

void convert_paths(storage::Database& database, const Source& source, const std::string& file, const std::string& made,
                   const std::string& folder, ConvertedFiles& result) {
  const storage::Layout layout = storage::read_layout(database, file, source.text);
  const std::size_t path = require_column(layout, file, "polyline", source.columns);
  const std::size_t uid = require_column(layout, file, "uid", source.columns);
  const std::size_t time = require_column(layout, file, "datetime", source.columns);
  std::vector<ReadTable> tables = {{{layout, {file}}, {}}};
  tables.front().fields.columns = {{"uid", uid}, {"datetime", time}, {"polyline", path}};
  const LineCheck lines(tables, result.given, {source.bad_rows, source.line_breaks(), folder, 1, {}});
  storage::Table& table = tables.front().table;
  table.layout.strict = source.bad_rows == BadRows::kStop;
  database.execute("DROP VIEW IF EXISTS paths");
  std::string scan = storage::scan_sql(table.layout, {uid, time, path}, 1);
  scan.replace(scan.find("$1"), 2,
               fmt::format("[{}]", storage::sql_literal(storage::literal_paths(table.files).front())));
  database.execute(fmt::format(
      "CREATE TEMP VIEW paths AS SELECT *, uid IS NULL OR start IS NULL OR points IS NULL OR "
      "len(list_filter(points, p -> NOT COALESCE(len(p) >= 2 AND p[1] BETWEEN -180 AND 180 AND p[2] BETWEEN -90 AND "
      "90, "
      "false))) > 0 AS bad FROM (SELECT NULLIF(CAST(c{} AS VARCHAR), '') AS uid, TRY_CAST(c{} AS BIGINT) AS start, "
      "TRY(from_json(CAST(c{} AS JSON), '[[\"DOUBLE\"]]')) AS points FROM ({}))",
      uid, time, path, scan));
  storage::QueryRows counted = count_paths(database, file);
  counted.next();
  const auto bad = static_cast<std::uint64_t>(counted.integer(0, 0));
  std::uint64_t rejected = 0;
  for (const auto& [reason, count] : lines.left_out(static_cast<std::uint64_t>(counted.integer(1, 0)))) {
    rejected += count;
  }
  if (bad + rejected > 0 && source.bad_rows == BadRows::kStop) {
    throw InputError({one_line(file), 0, one_line(layout.columns[path].name)},
                     fmt::format("{} rows have no user, no start in Unix seconds, or no list of [longitude, latitude]; "
                                 "data.bad_rows = \"skip\" leaves them out",
                                 bad + rejected));
  }
  if (bad + rejected > 0) result.bad_rows["bad path"] += bad + rejected;
  database.copy_to(points_sql(layout, uid, time), made, storage::FileFormat::kParquet);
}

// The files, those that are packed unpacked.
std::vector<std::string> unpack_files(const std::vector<std::string>& files, const std::string& folder,
                                      ConvertedFiles& result) {
  std::vector<std::string> unpacked;
  for (const std::string& file : files) {
    if (!storage::is_packed(file)) {
      unpacked.push_back(file);
      continue;
    }
    const std::filesystem::path made = made_folder(file, folder, unpacked.size());
    for (const storage::UnpackedFile& one : storage::unpack(file, made.string())) {
      unpacked.push_back(one.path);
      result.given[one.path] = one.member.empty() ? file : file + "/" + one.member;
    }
  }
  return unpacked;
}

// Rows of points, where a file has something else.
std::string convert(storage::Database& database, const Source& source, const std::string& file,
                    const std::string& folder, ConvertedFiles& result) {
  const bool gpx = is_gpx(file);
  if (!gpx && !source.columns.contains("polyline")) return file;
  if (gpx && source.user.from == UserRule::From::kColumn) {
    throw ConfigError("data.user", "",
                      "tracks do not say whose they are: set data.format = \"gpx\" for a file a user, or data.user");
  }
  const std::filesystem::path stem =
      made_folder(file, folder, result.files.size()) / std::filesystem::path(file).stem();
  std::string made = stem.string() + (gpx ? ".csv" : ".parquet");
  const auto known = result.given.find(file);
  result.given[made] = known == result.given.end() ? file : known->second;
  if (gpx) {
    convert_gpx(file, made, source.bad_rows == BadRows::kSkip, result);
  } else {
    convert_paths(database, source, file, made, folder + "/sound", result);
  }
  return made;
}

}  // namespace

std::filesystem::path made_folder(const std::string& file, const std::string& folder, std::size_t number) {
  const std::filesystem::path parent = std::filesystem::path(file).parent_path();
  std::filesystem::path made = std::filesystem::path(folder) / std::to_string(number);
  for (const std::filesystem::path& above : {parent.parent_path().parent_path(), parent.parent_path(), parent}) {
    if (!above.filename().empty() && above.filename() != "..") made /= above.filename();
  }
  std::filesystem::create_directories(made);
  return made;
}

bool needs_conversion(const Source& source, const std::string& file) {
  if (source.format == Format::kCabs || source.table != nullptr) return false;
  return is_gpx(file) || source.columns.contains("polyline") || storage::is_packed(file);
}

void convert_files(storage::Database& database, const Source& source, const std::vector<std::string>& files,
                   const std::string& folder, ConvertedFiles& result) {
  const std::string points = folder + "/points";
  for (const std::string& file : unpack_files(files, folder + "/unpacked", result)) {
    result.files.push_back(convert(database, source, file, points, result));
  }
}

InputError as_given(const InputError& error, const std::map<std::string, std::string>& given) {
  for (const auto& [made, shown] : given) {
    if (error.place().file != one_line(made)) continue;
    // What comes before the problem is the place.
    const std::size_t before = std::string_view(InputError(error.place(), "").what()).size();
    return {{one_line(shown), error.place().line, error.place().column}, error.what() + before};
  }
  return error;
}

}  // namespace hearsay::ingest
