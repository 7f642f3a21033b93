// SPDX-License-Identifier: Apache-2.0
//
// Reading in parts: the rows of a table are somewhere else, and come a part at a time to whoever is near them. What
// holds of all of them is concluded in one place, from what every part found. The same visits and the same words as
// read_visits, but for the line of a bad row.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/conclusion.h"
#include "ingest/diagnosis.h"
#include "ingest/placement.h"
#include "ingest/time_survey.h"
#include "ingest/trip_places.h"

namespace hearsay::ingest {

// Visits of one part, distinct, by user and then epoch and place.
struct Part {
  Facts facts;
  std::vector<std::string> users;    // ids in byte order
  std::vector<std::string> places;   // ids in byte order, where places are those seen
  std::vector<std::uint64_t> begin;  // by user: where its visits begin; and where those of the last end
  std::vector<std::uint64_t> keys;   // epoch << 32 | place
};

// One thread at a time. Each call opens a database of its own, so parts should be large.
class PartReader {
 public:
  // Times with kAuto are read by source.time_patterns first. Throws ConfigError for settings that make no sense and for
  // what cannot be read in parts: formats that need whole files.
  PartReader(Source source, RoiRule rois, Period period, Options options);

  const Placement& placement() const { return *placement_; }
  const Source& source() const { return source_; }

  // Of these columns of a table those that are read, each once. Throws InputError for a missing or ambiguous one.
  std::vector<std::string> needed_columns(const std::vector<std::string>& columns, const std::string& name) const;

  // Whether places of such a table are named by its rows, so that survey_places has something to say.
  bool names_places(const std::vector<std::string>& columns, const std::string& name) const;

  // Where the facts say that a time is odd, there is nothing else: the patterns of times are to be found first.
  Part read(const std::shared_ptr<const storage::ArrowTable>& table, bool until_odd_time) const;

  // The shapes of the times of a part; and, from those of all parts of a table with these columns, the patterns.
  std::vector<TimeShape> survey(const std::shared_ptr<const storage::ArrowTable>& table) const;
  std::vector<std::string> find_patterns(const std::vector<TimeShape>& shapes, const std::string& name,
                                         const std::vector<std::string>& columns) const;

  // The first bad row of a part; its line is its number in the part.
  std::optional<BadRow> first_bad_row(const std::shared_ptr<const storage::ArrowTable>& table) const;

  // What rows of trips say of their places besides the id.
  std::vector<SeenPlace> survey_places(const std::shared_ptr<const storage::ArrowTable>& table) const;

  Conclusion conclude(const Facts& facts, const std::string& name, const std::vector<std::string>& patterns_found,
                      const std::function<void()>& throw_first_bad_row) const;

 private:
  struct Open;
  ReadTable table_of(const std::vector<std::string>& columns, const std::string& name) const;

  Source source_;
  RoiRule rois_;
  Period period_;
  Options options_;
  std::unique_ptr<Placement> placement_;
};

}  // namespace hearsay::ingest
