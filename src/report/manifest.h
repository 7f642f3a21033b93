// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dataset/dataset.h"
#include "experiment/study.h"
#include "report/loading.h"
#include "report/result_folder.h"
#include "report/result_tables.h"
#include "report/stage_clock.h"

namespace hearsay::report {

using Json = nlohmann::ordered_json;

inline constexpr int kManifestSchema = 1;

const char* version();

// Sizes, times and origin of the data, as the manifest and `describe --json` give them.
Json dataset_json(const experiment::Study& study, const dataset::Dataset& dataset);
Json input_json(const Provenance& provenance);

struct ManifestFacts {
  const experiment::Study& study;
  std::string study_name;
  const Loaded& loaded;
  std::size_t threads = 1;
  const ResultTables& tables;
  std::vector<ResultFile> files;
  const StageClock& clock;
};

// What was run on what, so that anybody can check it or run it again. Names neither the machine nor its folders. Docs:
// docs/results.md.
Json manifest_json(const ManifestFacts& facts);

}  // namespace hearsay::report
