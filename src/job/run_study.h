// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/stage_clock.h"
#include "engine/engine.h"
#include "experiment/study.h"
#include "results/result_folder.h"
#include "results/summary.h"

namespace hearsay::job {

struct RunOptions {
  engine::LoadOptions load;
  std::string out;                     // folder of the results
  std::string study_name;              // for the manifest
  std::string ran_on = "one machine";  // for the manifest
  bool resume = false;  // keep finished parts until the end, and start from those that an earlier run kept
};

// What a run found, for whoever asked for it to show.
struct Outcome {
  std::string folder;
  std::vector<results::ResultFile> files;  // the manifest not among them
  std::vector<results::SummaryRow> summary;
  std::vector<goal::ReleaseResult> releases;  // of every mechanism, parameter and repeat
  std::vector<std::string> findings;          // the sentences of the report
  metric::Options metric;
  engine::Provenance provenance;
  std::size_t users = 0;
  std::size_t rois = 0;
  std::uint64_t period_seconds = 0;  // of the inference period
  std::uint64_t visits = 0;
  std::string users_file;  // why users.parquet holds what it holds
  std::vector<Stage> stages;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
};

// The whole job: reads the data, runs every combination, writes the folder. Throws InputError and ConfigError for what
// the user can mend; whatever is thrown, earlier results in the folder are still there and nothing else is.
Outcome run_study(const experiment::Study& study, const RunOptions& options);

// The same on data kept, of a study with the same data, places and period.
Outcome run_study(const experiment::Study& study, engine::Engine& engine, const RunOptions& options);

}  // namespace hearsay::job
