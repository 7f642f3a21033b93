// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "dataset/statistics.h"
#include "engine/loading.h"
#include "experiment/study.h"
#include "release/bound_choice.h"
#include "results/manifest.h"

namespace hearsay::job {

// The paper's data-section statistics of a study's data, and what became of its rows.
struct Description {
  results::Json dataset;
  engine::Provenance provenance;
  dataset::Statistics statistics;
  std::optional<release::BoundChoice> bounds;  // where asked for
};

// What to ask for besides: how many visits of a person to keep where noise hides a whole user.
struct BoundQuestion {
  double epsilon = 1;
  double delta = 1e-6;
};

// Throws ConfigError for an epsilon or delta out of range.
Description describe_study(const experiment::Study& study, const engine::LoadOptions& options,
                           const std::optional<BoundQuestion>& bounds = {});
Description describe_loaded(const experiment::Study& study, const engine::Loaded& loaded, std::size_t threads,
                            const std::optional<BoundQuestion>& bounds = {});

std::string describe_as_text(const Description& description);
std::string describe_as_json(const Description& description);

}  // namespace hearsay::job
