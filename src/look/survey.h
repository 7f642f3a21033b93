// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ingest/visit_query.h"
#include "look/sight.h"
#include "storage/database.h"

namespace hearsay::look {

// The tables' events, as they can be read. `timezone`: IANA name of the clock, for times that are absolute; asked for
// once it is known where events are (their median latitude and longitude, or none). One pass over the files, several
// over what it keeps of them in the database.
Survey survey(storage::Database& database, const std::vector<ingest::ReadTable>& tables,
              const std::function<std::string(const std::optional<std::pair<double, double>>& middle)>& timezone);

}  // namespace hearsay::look
