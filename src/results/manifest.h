// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/stage_clock.h"
#include "base/version.h"
#include "engine/loading.h"
#include "experiment/study.h"
#include "results/result_folder.h"
#include "results/result_tables.h"

namespace hearsay::results {

using Json = nlohmann::ordered_json;

inline constexpr int kManifestSchema = 1;

// What the noise of a release means for other units than its own.
Json claims_json(const std::vector<release::Claim>& claims);
// Sizes, times and origin of the data, as the manifest and `describe --json` give them.
Json dataset_json(const experiment::Study& study, const DataSize& size);
Json input_json(const engine::Provenance& provenance);

struct ManifestFacts {
  const experiment::Study& study;
  std::string study_name;
  const DataFacts& data;
  const engine::Provenance& provenance;
  std::size_t threads = 1;
  const ResultTables& tables;
  std::vector<ResultFile> files;
  const StageClock& clock;
  std::string ran_on;
};

// What was run on what, so that anybody can check it or run it again. Names neither the machine nor its folders. Docs:
// docs/results.md.
Json manifest_json(const ManifestFacts& facts);

}  // namespace hearsay::results
