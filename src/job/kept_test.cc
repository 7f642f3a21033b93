// SPDX-License-Identifier: Apache-2.0
//
// Several studies on data in memory.
#include <gtest/gtest.h>

#include "base/errors.h"
#include "base/temporary_folder.h"
#include "engine/engine.h"
#include "job/run_study.h"
#include "results/test_data.h"

namespace hearsay::job {
namespace {

class KeptTest : public testing::Test {
 protected:
  RunOptions options() const {
    RunOptions made;
    made.out = out_;
    made.study_name = "tiny.toml";
    return made;
  }
  std::string summary() const { return results::read_text(out_ + "/summary.csv"); }

  TemporaryFolder place_{"", "hearsay-test-"};
  std::string out_ = place_.path() + "/out";
};

TEST_F(KeptTest, DataReadBeforeGivesTheSameFiles) {
  const experiment::Study study = results::tiny_study(place_.path());
  run_study(study, options());
  const std::string anew = summary();
  StageClock clock;
  engine::Engine engine(engine::load(study, {}, place_.path(), clock));
  for (int again = 0; again < 2; ++again) {
    run_study(study, engine, options());
    EXPECT_EQ(summary(), anew) << "with priors kept: " << again;
    EXPECT_GT(engine.cached_bytes(), 0U);
  }
}

TEST_F(KeptTest, WhatIsKeptIsOfTheSameQuestionOnly) {
  StageClock clock;
  engine::Engine engine(engine::load(results::tiny_study(place_.path()), {}, place_.path(), clock));
  const std::vector<std::vector<std::string>> all = {
      {},
      {"study.log_base=e"},
      {"study.delta=0.9"},
      {"study.decisions=POP"},
      {"study.goals=profiling"},
      {"study.control=false"},
      {},
  };
  for (const std::vector<std::string>& overrides : all) {
    const experiment::Study study = results::tiny_study(place_.path(), overrides);
    run_study(study, options());
    const std::string anew = summary();
    run_study(study, engine, options());
    EXPECT_EQ(summary(), anew) << (overrides.empty() ? "" : overrides.front());
  }
}

TEST_F(KeptTest, WhatStandsInThePlaceOfTheCountsIsNotWrittenAsThey) {
  experiment::Study study = results::tiny_study(place_.path());
  study.published = goal::Defence();
  EXPECT_THROW(run_study(study, options()), ConfigError);
  study.defences.emplace_back();
  StageClock clock;
  engine::Engine engine(engine::load(study, {}, place_.path(), clock));
  EXPECT_THROW(engine.run(study, {}, {}), ConfigError);
}

}  // namespace
}  // namespace hearsay::job
