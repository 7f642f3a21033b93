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
  bool absolute = false;             // times have an offset or count seconds
  std::int64_t first = 0;            // civil, microseconds
  std::int64_t last = 0;
  std::int64_t early = 0;  // all but half a percent of the events are not before
  std::int64_t late = 0;   // and not after
  Quantiles lat;
  Quantiles lng;
  std::vector<std::uint64_t> hours;                          // events by hour of the day
  std::vector<std::pair<std::int64_t, std::uint64_t>> days;  // civil midnight, events; days with any
};

// A setting that was guessed, and why.
struct Reason {
  std::string setting;
  std::string why;
};

struct Sight {
  std::vector<std::string> files;
  std::vector<Column> columns;  // of the first table
  ingest::Source source;        // how it is read
  std::string feed;             // what data.format calls it: "events", "trips", "cabs", or a known feed
  bool coordinates = false;     // events are placed by latitude and longitude
  std::vector<Reason> reasons;
  std::string problem;           // why it cannot be studied; empty: it can
  std::optional<Survey> survey;  // none where it cannot be read
  ingest::RoiRule rois;
  std::optional<ingest::Period> period;  // none where there is too little time to divide
  std::uint32_t observe = 0;             // epochs of it
  std::vector<std::string> odd;          // sentences: what may be wrong with it
};

// Looks at a file, a pattern, a folder or several files. Throws InputError where they cannot be opened at all.
Sight look_at(const std::vector<std::string>& paths, const ingest::Options& options);
// The same of rows in memory.
Sight look_at(std::shared_ptr<const storage::ArrowTable> table, const ingest::Options& options);

}  // namespace hearsay::look
