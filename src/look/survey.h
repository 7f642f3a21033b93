// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ingest/line_check.h"
#include "ingest/visit_query.h"
#include "look/sight.h"
#include "storage/database.h"

namespace hearsay::look {

// Surveys the events of the tables that can be read. `timezone` is asked once it is known where events are (the middle
// of their city; nothing where they have no coordinates) and returns the IANA name of the clock for absolute times.
// Makes one pass over the files and several over what it keeps of them in the database.
Survey survey(storage::Database& database, const std::vector<ingest::ReadTable>& tables,
              const std::function<std::string(const std::optional<City>& city)>& timezone);

// Adds to the survey the rows that do not have the shape of their table, and notes rows that go on over several lines.
// Only text has such rows.
void count_left_out(storage::Database& database, const std::vector<ingest::ReadTable>& tables,
                    const ingest::LineCheck& lines, Sight& sight);

}  // namespace hearsay::look
