// SPDX-License-Identifier: Apache-2.0
//
// A transport network and its card holders, as a stand-in for data that is not public. Calibrated to the statistics of
// the paper's data section and to nothing else; docs/synthetic.md has the comparison.
#pragma once

#include <cstdint>
#include <string>

#include "base/progress.h"

namespace hearsay::generate {

struct CommuterOptions {
  std::size_t cards = 10000;
  bool whole_city = false;  // all kinds of card, not frequent travellers only
  std::uint32_t weeks = 4;
  std::uint64_t seed = 1;
  std::size_t threads = 1;
  Progress progress;     // may be empty
  std::string stations;  // the file of stations; empty: stations.csv beside the trips
};

// Monday 2010-03-01, civil time of Europe/London.
inline constexpr const char* kCommutersStart = "2010-03-01 00:00:00";

// Writes uid,start_time,start_roi,end_time,end_roi to `path` (.parquet or .csv) and the stations (roi,name,lat,lng) to
// a CSV file, and returns the number of trips. It replaces files that the caller named. It does not replace a
// stations.csv that nobody named: it throws ConfigError, having written nothing, where one exists with other contents.
// The bytes follow from the seed, for any number of threads.
std::uint64_t generate_commuters(const CommuterOptions& options, const std::string& path);

}  // namespace hearsay::generate
