// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "dataset/statistics.h"
#include "engine/loading.h"
#include "experiment/study.h"
#include "results/manifest.h"

namespace hearsay::job {

// The paper's data-section statistics of a study's data, and what became of its rows.
struct Description {
  results::Json dataset;
  engine::Provenance provenance;
  dataset::Statistics statistics;
};

Description describe_study(const experiment::Study& study, const engine::LoadOptions& options);
Description describe_loaded(const experiment::Study& study, const engine::Loaded& loaded, std::size_t threads);

std::string describe_as_text(const Description& description);
std::string describe_as_json(const Description& description);

}  // namespace hearsay::job
