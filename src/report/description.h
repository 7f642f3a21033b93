// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "dataset/statistics.h"
#include "experiment/study.h"
#include "report/loading.h"
#include "report/manifest.h"

namespace hearsay::report {

// The paper's data-section statistics of a study's data, and what became of its rows.
struct Description {
  Json dataset;
  Provenance provenance;
  dataset::Statistics statistics;
};

Description describe_study(const experiment::Study& study, const LoadOptions& options);
Description describe_loaded(const experiment::Study& study, const Loaded& loaded, std::size_t threads);

std::string describe_as_text(const Description& description);
std::string describe_as_json(const Description& description);

}  // namespace hearsay::report
