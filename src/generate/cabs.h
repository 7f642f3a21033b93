// SPDX-License-Identifier: Apache-2.0
//
// A made-up taxi fleet in San Francisco, as dense as the cab data of CRAWDAD epfl/mobility: for people without it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/progress.h"

namespace hearsay::generate {

struct CabOptions {
  std::size_t cabs = 534;
  std::uint32_t weeks = 3;  // 1 to 23, from Monday 2008-05-19 00:00 in San Francisco
  std::uint64_t seed = 1;
  std::size_t threads = 1;
  Progress progress;
};

// Writes uid,lat,lng,datetime (Unix seconds, UTC) of every cab's GPS fixes, cab by cab in order of time, to a .parquet
// or .csv file. Drivers work shifts, look for fares around hot spots and take them across the city, to the airport and
// over the bridge. Calibrated to the statistics of the data alone: reports, cells and active hours of a cab, reports of
// a cell. The same bytes for the same seed and any number of threads; memory for a few cabs. About 21,000 rows a cab.
// Returns the number of rows.
std::uint64_t generate_cabs(const CabOptions& options, const std::string& path);

}  // namespace hearsay::generate
