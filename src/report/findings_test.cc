// SPDX-License-Identifier: Apache-2.0
#include "report/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

namespace hearsay::report {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Row {
  std::string goal = "profiling";
  std::string attack = {};
  std::string decision = {};
  std::string release = goal::kRaw;
  std::string baseline = {};
  double error = 0;
  double change = 0;  // mean loss or gain
};

std::vector<results::SummaryRow> summary_of(const std::vector<Row>& rows) {
  std::vector<results::SummaryRow> summary;
  for (const Row& row : rows) {
    results::SummaryRow& made = summary.emplace_back();
    made.combination = {row.goal, "FREQ_ROI", row.attack, row.decision, row.release, "", 0, row.baseline};
    made.combination.uses_release = row.attack != "PRIOR";
    made.error.mean = row.error;
    if (row.baseline.starts_with("PRIOR")) made.loss_mean = row.change;
    if (row.baseline == goal::kRaw) {
      made.combination.repeat = 1;
      made.gain_mean = row.change;
    }
    if (!row.baseline.empty()) made.improved = 0.75;
  }
  return summary;
}

std::vector<goal::ReleaseResult> releases_of(const std::vector<std::string>& names) {
  std::vector<goal::ReleaseResult> releases;
  for (const std::string& name : names) releases.push_back({name, "", 1, {}, {}});
  return releases;
}

// Prior 0.40, raw 0.20: the counts took 0.20.
std::vector<Row> attacked() {
  return {{.attack = "PRIOR", .error = 0.40}, {.attack = "BAYES", .baseline = "PRIOR", .error = 0.20, .change = 0.53}};
}

TEST(Findings, GivenBackIsAShareOfWhatWasTaken) {
  std::vector<Row> rows = attacked();
  rows.push_back({.attack = "BAYES", .release = "WEAK", .baseline = "RAW", .error = 0.25, .change = 0.0625});
  rows.push_back({.attack = "BAYES", .release = "STRONG", .baseline = "RAW", .error = 0.70, .change = 0.625});
  const auto tried = tried_defences(summary_of(rows), releases_of({"WEAK", "STRONG"}));
  ASSERT_EQ(tried.size(), 2U);
  EXPECT_NEAR(tried[0].given_back->mean, 0.25, 1e-12);
  EXPECT_NEAR(tried[0].gain.mean, 0.0625, 1e-12);
  // Misled beyond her prior, she goes back to it: all of what was taken, and no more.
  EXPECT_NEAR(tried[1].given_back->mean, 1, 1e-12);
  EXPECT_NEAR(tried[1].gain.mean, 0.625, 1e-12);
}

TEST(Findings, SentencesSayOfWhatTheirSharesAre) {
  std::vector<Row> rows = attacked();
  rows.push_back({.attack = "BAYES", .release = "WEAK", .baseline = "RAW", .error = 0.25, .change = 0.0625});
  const auto sentences = findings(summary_of(rows), releases_of({"WEAK"}), {});
  ASSERT_EQ(sentences.size(), 4U);
  EXPECT_EQ(sentences[0],
            "What leaks: an adversary who guesses as well as she can errs by 0.400 about people's habits without the "
            "counts (PRIOR) and by 0.200 with them (FREQ_ROI, BAYES), 50% less.");
  EXPECT_EQ(sentences[1],
            "By the paper's measure: against what she knew before, the counts bring her mean error from 0.40 to 0.20, "
            "50% less (FREQ_ROI, BAYES); the mean privacy loss is 53%, and 75% of the people lose some. It does not "
            "tell what being counted costs a person from what the counts of the others say about anybody.");
  EXPECT_THAT(sentences[3], HasSubstr("gives back 25% of the error that the counts took away"));
}

TEST(Findings, NothingTakenIsNothingToGiveBack) {
  const auto summary = summary_of({{.attack = "PRIOR", .error = 0.20},
                                   {.attack = "BAYES", .baseline = "PRIOR", .error = 0.30},
                                   {.attack = "BAYES", .release = "WEAK", .baseline = "RAW", .error = 0.35}});
  EXPECT_FALSE(tried_defences(summary, releases_of({"WEAK"})).front().given_back);
  const auto sentences = findings(summary, releases_of({"WEAK"}), {});
  EXPECT_EQ(sentences.front(),
            "What leaks: nothing about people's habits that she would not guess as well without the counts. Her best "
            "guess without them errs by 0.200 (PRIOR), and none of the adversaries tried does better with them.");
  EXPECT_THAT(sentences[1], HasSubstr("from 0.20 to 0.30, no less"));
  EXPECT_THAT(sentences.back(), HasSubstr("the counts took no error away"));
}

TEST(Findings, ThePriorIsReadAsItErrsLeast) {
  std::vector<Row> rows = {
      {.attack = "PRIOR", .decision = "ALL", .error = 0.360},
      {.attack = "PRIOR", .decision = "POP", .error = 0.036},
      {.attack = "BAYES", .decision = "ALL", .baseline = "PRIOR/ALL", .error = 0.032, .change = 0.91},
      {.attack = "BAYES", .decision = "POP", .baseline = "PRIOR/POP", .error = 0.034, .change = 0.06}};
  for (Row& row : rows) row.goal = "localization";
  const auto summary = summary_of(rows);
  const auto sentences = findings(summary, {}, {});
  EXPECT_THAT(sentences.front(), HasSubstr("errs by 0.036 about"));
  EXPECT_THAT(sentences.front(), HasSubstr("(PRIOR read by POP) and by 0.032 with them (FREQ_ROI, BAYES read by ALL)"));
  EXPECT_THAT(sentences[1], HasSubstr("from 0.04 to 0.03, 6% less (FREQ_ROI, BAYES read by POP against PRIOR/POP)"));
  EXPECT_THAT(sentences[1], Not(HasSubstr("91%")));
}

TEST(Findings, ABlindGuessThatDoesBetterIsTheFirstWord) {
  auto summary = summary_of(attacked());
  results::SummaryRow blind = summary.back();
  blind.combination.attack = "BLIND";
  blind.combination.uses_release = blind.combination.uses_prior = false;
  blind.error.mean = 0.05;
  summary.push_back(blind);
  const auto sentences = findings(summary, {}, {});
  EXPECT_THAT(sentences.front(), HasSubstr("nothing about people's habits"));
  EXPECT_THAT(sentences.front(), HasSubstr("errs by 0.050 (BLIND)"));
  EXPECT_THAT(sentences[1], HasSubstr("from 0.40 to 0.20"));
}

TEST(Findings, AnotherBaseSaysWhereErrorsEnd) {
  EXPECT_THAT(findings(summary_of(attacked()), {}, {.log_base = std::numbers::e}).front(),
              HasSubstr("the largest error possible is 0.83"));
  EXPECT_THAT(findings(summary_of(attacked()), {}, {}).front(), Not(HasSubstr("largest")));
}

}  // namespace
}  // namespace hearsay::report
