// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ingest/visit_query.h"
#include "look/sight.h"
#include "storage/database.h"

namespace hearsay::look {

// A point in degrees.
struct Point {
  double lat = 0;
  double lng = 0;
};

// Returns the medians of two columns, which we call `lat` and `lng`, over the first 100,000 rows of the table, whatever
// the size of the numbers. Returns nothing where a column is missing or no row has a number in both.
std::optional<Point> middle_of(storage::Database& database, const storage::Table& table, const ingest::Source& source,
                               const std::string& lat, const std::string& lng);

// Returns the medians of the coordinates of a list of places, or of the boxes of zones. Returns nothing where the rule
// names no list or the list has no coordinates. Throws InputError for a list that cannot be read.
std::optional<Point> middle_of(storage::Database& database, const ingest::RoiRule& rois);

// Says whether a point names a likelier place with its two numbers swapped. kSurely: the point is not on the globe or
// is in Antarctica, or it is far from any town and the swapped one is in a town. kPerhaps: the swapped one is much
// nearer to a town.
enum class Swapped { kNo, kPerhaps, kSurely };
Swapped looks_swapped(const Point& point);

}  // namespace hearsay::look
