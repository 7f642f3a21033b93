// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "job/run_study.h"
#include "report/document.h"
#include "results/result_tables.h"

namespace hearsay::job {

// What a special run adds: files written into the folder before it is put in place, and rows for the report.
struct Extras {
  std::vector<results::ResultFile> files;
  std::vector<report::PaperRow> paper;
};
using MakeExtras = std::function<Extras(const dataset::Dataset& dataset, const results::ResultTables& tables,
                                        const results::ResultFolder& folder)>;

// run_study with such additions.
Outcome run_study(const experiment::Study& study, const RunOptions& options, const MakeExtras& make_extras);

}  // namespace hearsay::job
