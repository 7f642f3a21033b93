// SPDX-License-Identifier: Apache-2.0
#include "ingest/placement.h"

#include "ingest/places.h"
#include "ingest/roi_list.h"

namespace hearsay::ingest {

std::string timezone_of(const Source& source) {
  return source.timezone.empty() ? "UTC" : source.timezone;
}

Placement::Placement(storage::Database& database, const RoiRule& rule, const Period& period, const std::string& zone) {
  check_timezone(database, zone);
  placing_.period = check_period(period);
  placing_.shifts = clock_shifts(database, zone, placing_.period.begin, placing_.period.end);
  placing_.grid = std::get_if<Grid>(&rule);
  if (placing_.grid != nullptr) {
    placing_.box = check_grid(*placing_.grid);
    rois_ = grid_rois(*placing_.grid);
  } else if (const auto* zones = std::get_if<Zones>(&rule)) {
    placing_.zones = &zones_.emplace(*zones);
    rois_ = zones_->rois();
  } else if (const auto& ids = std::get<RoiIds>(rule); !ids.list.empty()) {
    rois_ = read_roi_list(database, ids);
    for (const Roi& roi : rois_) listed_.add(roi.id, IdTable::hash(roi.id));
    placing_.listed = &listed_;
    if (ids.pairs) rois_ = pairs_of(rois_, ids.list);
  }
  if (const auto* ids = std::get_if<RoiIds>(&rule)) placing_.pairs = ids->pairs;
}

}  // namespace hearsay::ingest
