// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "dataset/dataset.h"
#include "experiment/study.h"
#include "ingest/ingest.h"
#include "report/stage_clock.h"

namespace hearsay::report {

// 512 MiB, more above four threads (128 MiB each), never over half of the memory there is. Larger work goes to disk.
std::uint64_t default_memory_bytes(std::size_t threads);

struct LoadOptions {
  std::size_t threads = 1;
  std::uint64_t memory_bytes = 0;  // for reading and writing files; 0: default_memory_bytes(threads)
  Progress progress;               // may be empty
  std::stop_token stop = {};       // a request makes the work throw Cancelled soon

  std::uint64_t memory() const { return memory_bytes > 0 ? memory_bytes : default_memory_bytes(threads); }
};

// Where the data came from and what became of its rows.
struct Provenance {
  std::vector<ingest::InputFile> inputs;  // names without the folders of this machine
  ingest::Tally tally;
  std::uint64_t bad_rows = 0;
  std::string timezone;
  std::string first_event;  // civil time
  std::string last_event;
  std::vector<std::string> warnings;
};

struct Loaded {
  Provenance provenance;
  dataset::Dataset dataset;
};

// Reads a study's data. Throws InputError and ConfigError as read_visits and Dataset do. `folder` takes temporary
// files.
Loaded load(const experiment::Study& study, const LoadOptions& options, const std::string& folder, StageClock& clock);

}  // namespace hearsay::report
