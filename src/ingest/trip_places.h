// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ingest/ingest.h"
#include "ingest/visit_query.h"

namespace hearsay::ingest {

// Gives places that were read off trips their names and coordinates, where the rows of trips have such: the last name
// in byte order, and the middle one (median) of the latitudes and of the longitudes. One more pass over such files;
// nothing where there are no such columns.
void name_trip_places(storage::Database& database, const std::vector<ReadTable>& tables, const Source& source,
                      std::vector<Roi>& rois);

}  // namespace hearsay::ingest
