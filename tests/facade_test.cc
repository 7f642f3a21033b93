// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "hearsay/hearsay.h"

namespace hearsay {
namespace {

TEST(FacadeTest, AStudyRunsFromAProgram) {
  const TemporaryFolder folder("", "hearsay-test-");
  const Study study = load_study(HEARSAY_SOURCE_DIR "/examples/small/study.toml", {"study.priors=FREQ_ROI"});
  RunOptions options;
  options.out = folder.path() + "/out";
  const Outcome outcome = run_study(study, options);
  EXPECT_EQ(outcome.users, 60U);
  EXPECT_FALSE(outcome.summary.empty());
}

}  // namespace
}  // namespace hearsay
