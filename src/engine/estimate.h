// SPDX-License-Identifier: Apache-2.0
//
// What a run will take, from the size of its data: rough, but on the safe side by less than a factor of two. The
// constants were measured; docs/performance.md says how.
#pragma once

#include <cstdint>

#include "dataset/dataset.h"
#include "experiment/study.h"

namespace hearsay::engine {

struct DataSize {
  std::uint64_t users = 0;
  std::uint64_t rois = 0;
  std::uint64_t visits = 0;  // in the study period
};

DataSize size_of(const dataset::Dataset& dataset);

struct Estimate {
  std::uint64_t bytes = 0;
  double seconds = 0;
};

// Of reading that many events (0: not known) into visits, whatever they hold: the least that any run needs.
Estimate estimate_reading(const experiment::Study& study, std::uint64_t events, std::size_t threads);

// Of the attacks of a study on data of this size, the data included.
Estimate estimate_run(const experiment::Study& study, const DataSize& size, std::size_t threads);

}  // namespace hearsay::engine
