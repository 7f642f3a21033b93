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

std::vector<SummaryRow> not_the_papers(std::vector<SummaryRow> rows, const std::string& attack) {
  for (SummaryRow& row : rows) {
    if (row.combination.attack == attack) row.combination.paper = false;
  }
  return rows;
}

TEST(BestResponse, ThePapersIsTheLeastOfItsOwn) {
  const std::vector<BestResponse> same = best_responses(some_rows());
  EXPECT_EQ(same[0].paper->attack, "CLEVER");
  EXPECT_EQ(same[0].paper->error, same[0].with.error) << "nothing tried is better";

  const std::vector<BestResponse> best = best_responses(not_the_papers(some_rows(), "CLEVER"));
  EXPECT_EQ(best[0].with.attack, "CLEVER");
  ASSERT_TRUE(best[0].paper);
  EXPECT_EQ(best[0].paper->attack, "BLIND") << "CROWD misleads, and she may ignore the counts";
  EXPECT_EQ(best[0].paper->error, 0.4);

  const std::vector<BestResponse> sighted = best_responses(not_the_papers(some_rows(), "BLIND"));
  EXPECT_EQ(sighted[1].with.attack, "BLIND");
  EXPECT_EQ(sighted[1].paper->error, 0.45) << "of the same draw";
  EXPECT_EQ(sighted[2].paper->error, 0.35);
}

// To ignore the counts by the paper's knowledge is not an attack of the paper's.
TEST(BestResponse, AStudyWithoutThePapersAttacksHasNoneOfItsAdversaries) {
  const std::vector<BestResponse> best = best_responses(not_the_papers(not_the_papers(some_rows(), "CLEVER"), "CROWD"));
  EXPECT_EQ(best[0].with.attack, "CLEVER");
  EXPECT_FALSE(best[0].paper);
  EXPECT_FALSE(best[3].paper) << "no attack at all was run";
}

TEST(BestResponse, KnowledgeThatThePaperLacksHasNoneOfIts) {
  std::vector<SummaryRow> rows = some_rows();
  for (SummaryRow& row : rows) row.combination.paper = row.combination.prior != "Q";
  const std::vector<BestResponse> best = best_responses(rows);
  ASSERT_EQ(best.size(), 4U);
  EXPECT_TRUE(best[0].paper);
  EXPECT_EQ(best[3].prior, "Q");
  EXPECT_FALSE(best[3].paper);
  EXPECT_EQ(best[3].with.error, 0.2);
}

}  // namespace
}  // namespace hearsay::results
