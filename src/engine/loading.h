// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/progress.h"
#include "base/stage_clock.h"
#include "dataset/dataset.h"
#include "experiment/study.h"
#include "ingest/ingest.h"

namespace hearsay::engine {

// 512 MiB, more above four threads (128 MiB each), never over half of the memory there is. Larger work goes to disk.
std::uint64_t default_buffer_bytes(std::size_t threads, std::uint64_t limit);

struct LoadOptions {
  std::size_t threads = 1;
  std::uint64_t memory_bytes = 0;  // most that may be used; 0: all the machine has
  Progress progress;               // may be empty
  std::stop_token stop = {};       // a request makes the work throw Cancelled soon

  std::uint64_t limit() const { return memory_bytes > 0 ? memory_bytes : available_memory_bytes(); }
  // For reading and writing files.
  std::uint64_t buffers() const { return default_buffer_bytes(threads, limit()); }
};

// Where the data came from and what became of its rows.
struct Provenance {
  std::vector<storage::InputFile> inputs;  // names without the folders of this machine
  ingest::Tally tally;
  std::uint64_t bad_rows = 0;
  std::string timezone;
  std::string time_format;  // as in ingest::Visits
  std::string first_event;  // civil time
  std::string last_event;
  std::vector<std::string> warnings;
  std::vector<ingest::FoundSetting> found;  // as in ingest::Visits
};

struct Loaded {
  experiment::DataSpec spec;  // what it was read as
  Provenance provenance;
  dataset::Dataset dataset;
};

// Reads a study's data. Throws InputError and ConfigError as read_visits and Dataset do, and ConfigError before reading
// what cannot fit. `folder` takes temporary files.
Loaded load(const experiment::Study& study, const LoadOptions& options, const std::string& folder, StageClock& clock);

// Throws ConfigError where the last event, as in ingest::Visits, is before the inference period.
void check_left_to_infer(const experiment::Study& study, const std::string& last_event);

// Throws ConfigError where a study is about other data, places or times than those loaded, or, with the numbers, where
// its attacks would not fit.
void check_study(const experiment::Study& study, const Loaded& loaded, const LoadOptions& options);

}  // namespace hearsay::engine
