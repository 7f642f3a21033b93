// SPDX-License-Identifier: Apache-2.0
//
// Events from files -> visits. DuckDB reads; see docs/input.md for the formats.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "base/progress.h"
#include "ingest/visit_list.h"
#include "storage/input_file.h"
#include "storage/text_options.h"

namespace hearsay::storage {
class ArrowTable;
}

namespace hearsay::ingest {

enum class Format { kEvents, kTrips, kCabs };
enum class TimeFormat {
  kAuto,
  kIso,
  kUnixSeconds,
  kUnixMilliseconds,
  kUnixMicroseconds,
  kUnixNanoseconds,
  kPatterns,  // those of Source::time_patterns
};
enum class BadRows { kStop, kSkip };

// Who an event is of: a column says it, or where the file is.
struct UserRule {
  enum class From { kColumn, kFile, kFolder };
  From from = From::kColumn;
  std::uint32_t level = 1;  // of kFolder: 1 is the folder that the file is in, 2 the one above
  bool operator==(const UserRule&) const = default;
};

// Where the events are and how to read them.
struct Source {
  Format format = Format::kEvents;
  std::vector<std::string> paths;                         // files or globs; for kCabs one directory
  std::shared_ptr<const storage::ArrowTable> table = {};  // rows in memory, read in the place of files; not for kCabs
  // Our name (uid, lat, lng, datetime, roi, start_time, ...) -> theirs.
  std::map<std::string, std::string> columns;
  std::string timezone;  // IANA name of the data's civil time; empty: UTC, with a warning
  TimeFormat time_format = TimeFormat::kAuto;
  std::vector<std::string> time_patterns = {};  // as strptime has them, tried in this order; with kPatterns only
  bool utc = false;                             // times without an offset are UTC, not the clock of `timezone`
  BadRows bad_rows = BadRows::kStop;
  storage::TextOptions text = {};
  UserRule user = {};
  bool operator==(const Source&) const = default;
  // As TextOptions::line_breaks says.
  bool line_breaks() const { return text.line_breaks.value_or(bad_rows == BadRows::kStop); }
};

// Half-open box of rows x cols equal cells, in degrees. Cell (row, col) counts from the south-west corner and has id
// row * cols + col. Coordinates are compared on a lattice of 1e-7 degree (about 1 cm), so cell edges are exact.
struct Grid {
  double south = 0;
  double north = 0;
  double west = 0;
  double east = 0;
  std::uint32_t rows = 0;
  std::uint32_t cols = 0;
  bool operator==(const Grid&) const = default;
};

// ROIs by id: those seen in the study period, or those of a list file (columns roi and optionally name, lat, lng).
struct RoiIds {
  std::string list = {};  // empty: those seen
  std::string zone = {};  // the column of the list that says in which zone an ROI lies; empty: none
  std::map<std::string, std::string> columns = {};  // of the list: our name (roi, name, lat, lng) -> theirs
  // Flows: an ROI is a pair of places, and a trip one visit to it in the epoch in which it starts. With a list all
  // pairs of its places, else those seen.
  bool pairs = false;
  bool operator==(const RoiIds&) const = default;
};

// ROIs are the polygons of a GeoJSON file. A point on a border belongs to one of the polygons that share it.
struct Zones {
  std::string list;
  std::map<std::string, std::string> columns = {};  // our name (roi, name) -> the property that has it
  bool operator==(const Zones&) const = default;
};

using RoiRule = std::variant<Grid, RoiIds, Zones>;

// Whether events are placed by latitude and longitude; else they name their place.
inline bool by_coordinates(const RoiRule& rule) {
  return !std::holds_alternative<RoiIds>(rule);
}

// The study period. Epochs are slots of civil time in the data's time zone: a day has 86400 / epoch_seconds of them,
// also where the clock changes (the hour left out is empty, the hour repeated is counted once).
struct Period {
  std::string start;                   // civil time, "YYYY-MM-DD HH:MM:SS"
  std::uint32_t epoch_seconds = 3600;  // divides a day
  std::uint32_t epochs = 0;
  bool operator==(const Period&) const = default;
};

struct Options {
  std::size_t threads = 1;
  std::uint64_t memory_bytes = 0;  // DuckDB's limit; 0: its default. Larger work goes to the temporary directory.
  std::string temp_directory;      // empty: the system's
  Progress progress;               // may be empty
  // Told before they are read about how many rows the files have (0 where it cannot be told, as of compressed text),
  // and throws where that is too many. May be empty.
  std::function<void(std::uint64_t rows)> check_size = {};
  std::stop_token stop = {};  // a request makes read_visits throw Cancelled soon
  bool careful = false;       // DuckDB parses ordinary lines, too: slower, and the same visits
};

struct Roi {
  std::string id;
  std::string name;           // empty: none given
  std::optional<double> lat;  // centre of a grid cell, or as the list says
  std::optional<double> lng;
  std::string zone = {};               // empty: none given
  std::optional<double> end_lat = {};  // of a pair of places: where it ends; lat and lng are where it starts
  std::optional<double> end_lng = {};
};

// What became of the rows read: events == used + outside_period + outside_rois; bad rows hold no event, a good row one
// (a trip two).
struct Tally {
  std::uint64_t rows = 0;    // records in the files
  std::uint64_t events = 0;  // events they hold
  std::uint64_t used = 0;    // events that are visits, before repeats in an epoch collapse
  std::uint64_t outside_period = 0;
  std::uint64_t outside_rois = 0;                 // outside the box, or an id not in the list
  std::uint64_t at_midnight = 0;                  // used ones at 00:00:00 exactly, on the clock or as written
  std::uint64_t in_busiest_epoch = 0;             // used ones in the epoch that has most of them
  std::uint32_t busiest_epoch = 0;                // the first such epoch
  std::map<std::string, std::uint64_t> bad_rows;  // reason -> records skipped
};

// A setting that a study leaves out and that was found from the rows themselves, so that one row may have decided how
// all others were read.
struct FoundSetting {
  std::string key;
  std::string value;  // as the study file has it
};

struct Visits {
  std::vector<std::string> users;  // ids in byte order
  std::vector<Roi> rois;           // grid order, or ids in byte order (a list keeps its own order)
  std::uint32_t columns = 0;       // of the grid; 0: ids
  VisitList visits;
  Tally tally;
  std::string timezone;     // as used
  std::string time_format;  // how times are written, where they are not ISO 8601 or Unix time told apart by itself
  std::string first_event;  // civil time of the earliest good event, in the study period or not
  std::string last_event;   // and of the latest
  std::vector<std::string> warnings;
  std::vector<FoundSetting> found;
  std::vector<storage::InputFile> inputs;
};

// Throws InputError for bad data and ConfigError for settings that cannot be met (unknown time zone, no event in the
// study period, box with no events).
Visits read_visits(const Source& source, const RoiRule& rois, const Period& period, const Options& options);

}  // namespace hearsay::ingest
