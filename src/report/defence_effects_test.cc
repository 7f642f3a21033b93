// SPDX-License-Identifier: Apache-2.0
#include "report/defence_effects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hearsay::report {
namespace {

using testing::ElementsAre;
using testing::Pair;

results::SummaryRow row(const std::string& prior, const std::string& attack, const std::string& release,
                        std::size_t repeat, double error, std::optional<double> without = {}) {
  results::SummaryRow made;
  made.combination = {"profiling", prior, attack, "", release, "", repeat, release == goal::kRaw ? "PRIOR" : "RAW"};
  made.combination.uses_release = attack != "PRIOR";
  made.error.mean = error;
  if (!without) return made;
  made.control.emplace();
  made.control->without.mean = *without;
  made.control->own.mean = *without - error;
  return made;
}

// On the raw counts LITTLE errs least; NOISE misleads it, so that MUCH does better there. SHARP was tried on the raw
// counts alone.
std::vector<results::SummaryRow> some_rows() {
  return {row("LITTLE", "PRIOR", "RAW", 0, 0.50),        row("LITTLE", "BAYES", "RAW", 0, 0.10, 0.30),
          row("LITTLE", "SHARP", "RAW", 0, 0.05, 0.25),  row("LITTLE", "BAYES", "NOISE", 1, 0.40, 0.44),
          row("LITTLE", "BAYES", "NOISE", 2, 0.60, 0.6), row("MUCH", "PRIOR", "RAW", 0, 0.30),
          row("MUCH", "BAYES", "RAW", 0, 0.20, 0.25),    row("MUCH", "BAYES", "NOISE", 1, 0.26, 0.28),
          row("MUCH", "BAYES", "NOISE", 2, 0.28, 0.28),  row("NOT_TRIED", "PRIOR", "RAW", 0, 0.01)};
}

results::ReleaseMeans noise() {
  results::ReleaseMeans release;
  release.release = "NOISE";
  return release;
}

TEST(DefendedResponses, AreMeansOfBestResponsesOverDraws) {
  const auto responses = defended_responses(noise(), some_rows(), {});
  ASSERT_EQ(responses.size(), 2U) << "those tried against it";
  const DefendedResponse& little = responses[0];
  EXPECT_EQ(little.prior, "LITTLE");
  EXPECT_NEAR(little.before, 0.50, 1e-12);
  EXPECT_NEAR(little.without.value(), 0.47, 1e-12) << "misled in the second draw, she goes back to her prior";
  EXPECT_NEAR(little.with, 0.45, 1e-12);
  EXPECT_NEAR(little.own->mean, 0.02, 1e-12);
  EXPECT_GT(little.own->half_width.value(), 0.02) << "two draws";
  EXPECT_NEAR(little.own_raw.value(), 0.20, 1e-12) << "by the attack that was tried on both";
  EXPECT_THAT(little.strategies, ElementsAre(Pair("BAYES", ""), Pair("PRIOR", "")));
  EXPECT_NEAR(responses[1].own->mean, 0.01, 1e-12);
  EXPECT_NEAR(responses[1].own_raw.value(), 0.05, 1e-12);
}

TEST(DefendedResponses, TheStrongestErrsLeastUnderTheDefenceAndOnTheRawCounts) {
  const auto responses = defended_responses(noise(), some_rows(), {});
  EXPECT_FALSE(responses[0].strongest);
  EXPECT_TRUE(responses[0].strongest_raw);
  EXPECT_TRUE(responses[1].strongest);
  EXPECT_FALSE(responses[1].strongest_raw);
}

TEST(DefendedResponses, ABoundFollowsFromAGuaranteeForAUser) {
  results::ReleaseMeans release = noise();
  release.guarantee = {1, "a user", "", 1};
  EXPECT_NEAR(defended_responses(release, some_rows(), {})[0].own_bound.value(), own_part_bound(1, 1), 1e-12);
  release.guarantee.unit = "one event";
  EXPECT_FALSE(defended_responses(release, some_rows(), {})[0].own_bound);
}

TEST(DefendedResponses, WithoutAControlThereIsNoOwnPart) {
  std::vector<results::SummaryRow> rows = some_rows();
  for (results::SummaryRow& one : rows) one.control.reset();
  const auto responses = defended_responses(noise(), rows, {});
  ASSERT_EQ(responses.size(), 2U);
  EXPECT_FALSE(responses[0].own || responses[0].own_raw || responses[0].without);
  EXPECT_NEAR(responses[0].with, 0.45, 1e-12);
  results::ReleaseMeans other = noise();
  other.release = "OTHER";
  EXPECT_TRUE(defended_responses(other, rows, {}).empty()) << "nobody was tried against it";
}

}  // namespace
}  // namespace hearsay::report
