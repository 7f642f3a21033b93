// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "results/data_facts.h"
#include "results/manifest.h"

namespace hearsay::job {

// What a study found, not written anywhere.
struct Report {
  results::Json document;
  std::vector<goal::ReleaseResult> releases;
};
// `known`: of the engine's data and a study with the same results settings.
Report report_on(const experiment::Study& study, engine::Engine& engine, const results::Known& known,
                 const engine::LoadOptions& options, const std::string& study_name);

}  // namespace hearsay::job
