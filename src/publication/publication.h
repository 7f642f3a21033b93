// SPDX-License-Identifier: Apache-2.0
//
// Protected counts that may be published: secure discrete noise, the guarantee beside them, the budget in the books.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/loading.h"
#include "experiment/study.h"
#include "publication/ledger.h"
#include "release/a_year.h"
#include "release/chain.h"
#include "release/post_process.h"
#include "release/worth.h"

namespace hearsay::publication {

struct PublicationRequest {
  // One of them: a mechanism with its parameters, steps as NAME(parameter=value,...), or a preset.
  std::string mechanism;
  std::vector<std::string> parameters;  // `name=value`
  std::vector<std::string> steps;
  std::string preset;
  std::string out;               // .parquet or .csv
  std::string account;           // whose budget it spends; empty: the study's
  std::string ledger;            // folder of the ledger; empty: the user's
  std::optional<double> budget;  // total epsilon of the account; needed once, with its first release
  bool new_data = false;         // the account has not seen this data, and it belongs to it all the same
  bool mix_units = false;        // adds up another unit than the budget's
  bool unsafe = false;           // publish also what has no sound guarantee
  bool accept_noise = false;     // publish also counts that are mostly noise
  // Publish also where epsilon fails with a chance above 1e-5, or above 1 / people, in this release or in all of the
  // account together.
  bool allow_large_delta = false;
  release::PostProcess post_process = release::kDefaultPostProcess;
  // Told what the counts will be worth before anything is spent; may be empty.
  std::function<void(const release::Worth&)> preview;
};

struct PublicationOutcome {
  std::string file;
  std::string guarantee_file;
  std::string parameter;
  release::Guarantee guarantee;
  std::vector<std::string> reasons;  // why there is none; empty for a sound release
  std::optional<release::AYear>
      a_year;  // what the guarantee comes to where every such period is published; of a sound one
  std::uint64_t rows = 0;
  Account account;     // this release included
  std::string ledger;  // its folder
  release::Worth worth;
  engine::Provenance provenance;
};

// Counts people by ROI and epoch of the study's inference period, null left out, and writes them with noise from the
// system's secure source, post-processed as asked. Throws ConfigError, having written nothing, where the guarantee
// would not hold (unless `unsafe`), where delta is too large (unless `allow_large_delta`), where the counts are mostly
// noise (unless `accept_noise`), where the account does not allow it (Ledger::with), or where the file exists.
PublicationOutcome publish(const experiment::Study& study, const PublicationRequest& request,
                           const engine::LoadOptions& options);

// The same on data read before, by a study with the same data, places and period.
PublicationOutcome publish(const experiment::Study& study, const engine::Loaded& loaded,
                           const PublicationRequest& request, const engine::LoadOptions& options);

}  // namespace hearsay::publication
