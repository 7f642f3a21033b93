// SPDX-License-Identifier: Apache-2.0
//
// One scan of all files: every row is parsed, checked, placed in time and space, and counted. It fills the temporary
// table `grouped`, one row a distinct visit and a few for all that is not one.
#pragma once

#include <string>
#include <vector>

#include "ingest/row_checks.h"
#include "ingest/settings.h"

namespace hearsay::ingest {

// Values of grouped.kind; bad rows have kFirstBad + the number of the check they failed.
inline constexpr int kVisit = 0;
inline constexpr int kOutsideCivil = 1;     // outside the period; first_us and last_us are civil
inline constexpr int kOutsideAbsolute = 2;  // outside the period; first_us and last_us are absolute
inline constexpr int kOutsideBox = 3;
inline constexpr int kFirstBad = 10;

struct ReadTable {
  Table table;
  Fields fields;
};

struct VisitQuery {
  std::vector<ReadTable> tables;
  CivilPeriod period;
  const Grid* grid = nullptr;  // null: by id
  GridLattice box;
  std::string civil;  // SQL: civil time of an absolute `us`
};

// grouped(kind, uid, epoch, place, n, first_us, last_us): place is the cell's number or the ROI's id, n counts events
// (rows where bad). Every table counts bad rows by the same checks, those of its format.
std::string grouping_sql(const VisitQuery& query);

// Extent of good events in the study period: min and max of lat and lng.
std::string extent_sql(const VisitQuery& query);

// The lists of files for $1, $2, ...
Parameters file_parameters(const VisitQuery& query);

}  // namespace hearsay::ingest
