// SPDX-License-Identifier: Apache-2.0
//
// What data looks like to somebody who was told nothing about it: how it can be read, and what is in it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/ingest.h"

namespace hearsay::look {

struct Column {
  std::string name;
  std::string type;                   // DuckDB's name for it
  std::vector<std::string> examples;  // the first few different values
};

// The box of one city in the data, as a study has it: south and west are in it, north and east are not.
struct City {
  ingest::Grid box;  // rows and cols are not set
  double lat = 0;    // the median of the events in it
  double lng = 0;
  std::uint64_t inside = 0;  // events
  bool is_part = false;      // the data go beyond one city
};

struct Quantiles {
  double p01 = 0;
  double median = 0;
  double p99 = 0;
};

// What was seen of the events that can be read.
struct Survey {
  std::uint64_t rows = 0;                         // records, good and bad
  std::map<std::string, std::uint64_t> bad_rows;  // by reason
  std::uint64_t events = 0;
  std::uint64_t users = 0;
  std::uint64_t places = 0;          // different ids; 0 where events are coordinates
  std::uint64_t most_of_a_user = 0;  // events
  Quantiles of_a_user;               // events
  std::uint64_t user_days = 0;       // days on which a user has an event, over all users
  std::uint64_t once = 0;            // users with one event
  std::uint64_t repeats = 0;         // events that are there more than once, but for the first
  std::uint64_t at_midnight = 0;     // events at 00:00:00
  std::uint64_t civil = 0;           // events whose time has no offset and is read as local
  std::int64_t first = 0;            // civil, microseconds
  std::int64_t last = 0;
  std::int64_t early = 0;  // all but half a percent of the events are not before
  std::int64_t late = 0;   // and not after
  Quantiles lat;
  Quantiles lng;
  std::optional<City> city;                                  // none where events have no coordinates
  std::vector<std::uint64_t> hours;                          // events by hour of the day
  std::vector<std::uint64_t> hours_if_utc;                   // the same if times without an offset are UTC
  std::vector<std::pair<std::int64_t, std::uint64_t>> days;  // civil midnight, events; days with any
};

// A setting that was guessed, and why.
struct Reason {
  std::string setting;
  std::string why;
};

// One answer to what is unknown: settings with their values as TOML, and what speaks for it.
struct Choice {
  std::vector<std::pair<std::string, std::string>> settings;
  std::string evidence;
};

// A setting that nothing in the data says. Choices come with the likeliest first.
struct Unknown {
  std::string setting;
  std::string question;
  std::vector<Choice> choices;
};

// Settings that somebody has made already. A guess never replaces one.
struct Given {
  ingest::Source source;                                      // those of [data], over the defaults
  std::optional<ingest::RoiRule> rois;                        // none: a grid, or whatever the data have
  std::vector<std::pair<std::string, std::string>> settings;  // all of them: dotted key, value as TOML

  // Returns true if the setting is made, or one below it.
  bool has(const std::string& key) const;
};

struct Sight {
  std::vector<std::string> files;
  std::vector<Column> columns;  // of the first table
  ingest::Source source;        // how it is read
  std::string feed;             // what data.format calls it: "events", "trips", "cabs", or a known feed
  bool coordinates = false;     // events are placed by latitude and longitude
  Given given;
  std::vector<Reason> reasons;
  std::vector<Unknown> unknowns;
  std::map<std::string, std::string> stand_ins;  // columns read for unknown ones, so that the others can be looked at
  std::string problem;                           // why it cannot be studied as it was guessed; empty: it can
  std::optional<Survey> survey;                  // none where it cannot be read
  ingest::RoiRule rois;
  std::optional<ingest::Period> period;  // none where there is too little time to divide
  std::uint32_t observe = 0;             // epochs of it
  std::vector<std::string> priors;       // the caller says which the period is long enough for; empty: all
  std::vector<std::string> odd;          // sentences: what may be wrong with it
};

// Looks at a file, a pattern, a folder or several files. Throws InputError where they cannot be read at all.
Sight look_at(const std::vector<std::string>& paths, const ingest::Options& options, const Given& given = {});
// The same of rows in memory.
Sight look_at(std::shared_ptr<const storage::ArrowTable> table, const ingest::Options& options);

}  // namespace hearsay::look
