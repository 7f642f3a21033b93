// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "job/extras.h"
#include "report/document.h"
#include "results/result_tables.h"

namespace hearsay::job {

// Takes what a study finds as it comes, from wherever it was worked out, and writes the folder. Study and facts outlive
// it.
class StudyWriter {
 public:
  StudyWriter(const experiment::Study& study, const results::DataFacts& facts, storage::DatabaseOptions database);

  void take(const goal::ReleaseResult& release) { tables_.take(release); }
  // What inference found by user; of each adversary after what it found by epoch and place.
  void take(const results::PeopleFigures& people);
  // Everything else.
  void take(const goal::GoalEntry& goal, const goal::Measurement& measurement);

  // Once, at the end. `target`: as checked_result_path gives it. The clock is at the stage that writes, and stops.
  using AddFiles = std::function<Extras(const results::ResultTables& tables, const results::ResultFolder& folder)>;
  Outcome write(const std::string& target, const RunOptions& options, const engine::Provenance& provenance,
                StageClock& clock, const AddFiles& add_files = {});

 private:
  const experiment::Study& study_;
  const results::DataFacts& facts_;
  results::ResultTables tables_;
  report::DocumentBuilder document_;
};

}  // namespace hearsay::job
