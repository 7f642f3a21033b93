// SPDX-License-Identifier: Apache-2.0
#include "results/best_response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hearsay::results {
namespace {

SummaryRow row(const goal::Combination& key, bool uses_release, bool uses_prior, double error) {
  SummaryRow made;
  made.combination = key;
  made.combination.uses_release = uses_release;
  made.combination.uses_prior = uses_prior;
  made.error.mean = error;
  return made;
}

std::vector<SummaryRow> some_rows() {
  return {row({"localization", "P", "KNOWN", "ALL", "RAW", "", 0, ""}, false, true, 0.6),
          row({"localization", "P", "KNOWN", "POP", "RAW", "", 0, ""}, false, true, 0.5),
          row({"localization", "P", "CLEVER", "POP", "RAW", "", 0, "KNOWN/POP"}, true, true, 0.3),
          row({"localization", "P", "CROWD", "ALL", "RAW", "", 0, "KNOWN/ALL"}, true, false, 0.7),
          row({"localization", "P", "BLIND", "ASSIGNED", "RAW", "", 0, "KNOWN/ALL"}, false, false, 0.4),
          row({"localization", "P", "CLEVER", "POP", "NOISE", "epsilon=1", 1, "KNOWN/POP"}, true, true, 0.45),
          row({"localization", "P", "CLEVER", "POP", "NOISE", "epsilon=1", 2, "KNOWN/POP"}, true, true, 0.35),
          row({"localization", "Q", "KNOWN", "ALL", "RAW", "", 0, ""}, false, true, 0.2)};
}

TEST(BestResponse, IsTheLeastErrorBeforeAndWith) {
  const std::vector<BestResponse> best = best_responses(some_rows());
  ASSERT_EQ(best.size(), 4U);
  EXPECT_EQ(best[0].before.attack, "BLIND") << "it needs no counts";
  EXPECT_EQ(best[0].before.error, 0.4);
  EXPECT_EQ(best[0].with.attack, "CLEVER");
  EXPECT_EQ(best[0].with.decision, "POP");
  EXPECT_NEAR(best[0].loss(), 0.25, 1e-15);
}

TEST(BestResponse, IgnoresAReleaseThatMisleads) {
  const std::vector<BestResponse> best = best_responses(some_rows());
  EXPECT_EQ(best[1].release, "NOISE");
  EXPECT_EQ(best[1].repeat, 1U);
  EXPECT_EQ(best[1].with.attack, "BLIND");
  EXPECT_EQ(best[1].taken(), 0);
  EXPECT_EQ(best[2].with.error, 0.35);
  // Nothing uses the release.
  EXPECT_EQ(best[3].prior, "Q");
  EXPECT_EQ(best[3].with.attack, "KNOWN");
  EXPECT_EQ(best[3].loss(), 0);
}

}  // namespace
}  // namespace hearsay::results
