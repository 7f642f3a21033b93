// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ingest/ingest.h"

namespace hearsay::ingest {

// The study period in civil microseconds, half-open.
struct CivilPeriod {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t epoch = 0;
};

// The box on its lattice of 1e-7 degree.
struct GridLattice {
  std::int64_t south = 0;
  std::int64_t north = 0;
  std::int64_t west = 0;
  std::int64_t east = 0;
};

// More than these is a slip: refused before any memory is taken for them.
inline constexpr std::uint64_t kMostCells = 1'000'000;
inline constexpr std::uint64_t kMostEpochs = 1'000'000;
inline constexpr std::size_t kLongestId = 1'000;  // bytes

// Each throws ConfigError for settings that make no sense, whatever the data.
void check_source(const Source& source, const RoiRule& rois);
CivilPeriod check_period(const Period& period);
GridLattice check_grid(const Grid& grid);

}  // namespace hearsay::ingest
