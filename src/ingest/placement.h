// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/visit_sink.h"

namespace hearsay::ingest {

// The time zone that a source is read in.
std::string timezone_of(const Source& source);

// The places and the period of a study, checked and made ready to place events. Stays where it is: its parts point to
// each other. Throws ConfigError for settings that make no sense, InputError for a list that cannot be read.
class Placement {
 public:
  // `rule` outlives it.
  Placement(storage::Database& database, const RoiRule& rule, const Period& period, const std::string& zone);
  Placement(const Placement&) = delete;
  Placement& operator=(const Placement&) = delete;

  const Placing& placing() const { return placing_; }
  // Grid, list or zones, in the order of their numbers; empty where places are those seen.
  const std::vector<Roi>& rois() const { return rois_; }
  bool places_seen() const { return placing_.grid == nullptr && zones_ == std::nullopt && placing_.listed == nullptr; }
  std::uint32_t columns() const { return placing_.grid != nullptr ? placing_.grid->cols : 0; }

 private:
  Placing placing_;
  IdTable listed_;
  std::optional<ZoneMap> zones_;
  std::vector<Roi> rois_;
};

}  // namespace hearsay::ingest
