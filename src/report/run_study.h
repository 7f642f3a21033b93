// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiment/study.h"
#include "report/document.h"
#include "report/loading.h"
#include "report/result_folder.h"
#include "report/result_tables.h"
#include "report/stage_clock.h"
#include "report/summary.h"

namespace hearsay::report {

struct RunOptions {
  LoadOptions load;
  std::string out;         // folder of the results
  std::string study_name;  // for the manifest
  bool resume = false;     // keep finished parts until the end, and start from those that an earlier run kept
};

// What a run found, for whoever asked for it to show.
struct Outcome {
  std::string folder;
  std::vector<ResultFile> files;  // the manifest not among them
  std::vector<SummaryRow> summary;
  std::vector<experiment::ReleaseResult> releases;  // of every mechanism, parameter and repeat
  double log_base = 2;                              // of the profiling error
  Provenance provenance;
  std::size_t users = 0;
  std::size_t rois = 0;
  std::uint64_t visits = 0;
  std::string users_file;  // why users.parquet holds what it holds
  std::vector<Stage> stages;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
};

// What a special run adds: files written into the folder before it is put in place, and rows for the report.
struct Extras {
  std::vector<ResultFile> files;
  std::vector<PaperRow> paper;
};
using MakeExtras =
    std::function<Extras(const dataset::Dataset& dataset, const ResultTables& tables, const ResultFolder& folder)>;

// The whole job: reads the data, runs every combination, writes the folder. Throws InputError and ConfigError for what
// the user can mend; whatever is thrown, earlier results in the folder are still there and nothing else is.
Outcome run_study(const experiment::Study& study, const RunOptions& options, const MakeExtras& make_extras = {});

// The same on data read before, by a study with the same data, places and period.
Outcome run_study(const experiment::Study& study, const Loaded& loaded, const RunOptions& options);

}  // namespace hearsay::report
