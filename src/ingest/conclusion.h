// SPDX-License-Identifier: Apache-2.0
//
// What can be said of the data only once all of it was read, wherever that was.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ingest/facts.h"
#include "ingest/ingest.h"
#include "storage/database.h"

namespace hearsay::ingest {

// What was asked for. `name` stands for the data in messages: that of the first file.
struct Asked {
  const Source& source;
  const RoiRule& rois;
  const Period& period;
  std::string name;
  std::size_t places = 0;  // known before anything was read
};

// As in Visits.
struct Conclusion {
  Tally tally;
  std::string timezone;
  std::string time_format;
  std::string first_event;
  std::string last_event;
  std::vector<std::string> warnings;
  std::vector<FoundSetting> found;
};

// `facts` are of all rows. `patterns_found`: of times, where they were found and not given. `throw_first_bad_row` is
// called where there are bad rows and the first is to stop the reading; it does not return. Throws InputError and
// ConfigError as read_visits does.
Conclusion conclude(storage::Database& database, const Facts& facts, const Asked& asked,
                    const std::vector<std::string>& patterns_found, const std::function<void()>& throw_first_bad_row);

}  // namespace hearsay::ingest
