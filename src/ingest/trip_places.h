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

// The columns of a table that say more of its places than the id.
std::vector<std::size_t> place_columns(const ReadTable& read, const Source& source);

// A place as some starts and ends have it, the largest name among them; with a position where they have one.
struct SeenPlace {
  std::string id;
  std::string name;
  std::optional<double> lat;
  std::optional<double> lng;
  std::uint64_t rows = 0;
};

// What name_trip_places goes by, where rows are elsewhere, too: the name is the largest of all, the position the median
// over all rows that have one. Each id and position once; nothing where no column says more than the id.
std::vector<SeenPlace> survey_trip_places(storage::Database& database, const std::vector<ReadTable>& tables,
                                          const Source& source);

}  // namespace hearsay::ingest
