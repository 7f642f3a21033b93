// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ingest/ingest.h"
#include "storage/database.h"

namespace hearsay::ingest {

// ROIs of the rule's list file, in its order. Throws InputError for a missing file or column, a bad row, an id given
// twice, or an empty list.
std::vector<Roi> read_roi_list(storage::Database& database, const RoiIds& rule);

}  // namespace hearsay::ingest
