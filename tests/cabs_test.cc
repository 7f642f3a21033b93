// SPDX-License-Identifier: Apache-2.0
//
// The paper's San Francisco study on the real data, where HEARSAY_CABS names it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "reproduction/reproduction.h"

namespace hearsay::reproduction {
namespace {

TEST(CabsTest, ReachesThePapersFigures) {
  const char* cabs = std::getenv("HEARSAY_CABS");
  if (cabs == nullptr || *cabs == '\0') GTEST_SKIP() << "HEARSAY_CABS does not name the San Francisco cab files";
  const TemporaryFolder folder("", "hearsay-test-");
  job::RunOptions options;
  options.load.threads = 2;
  options.out = folder.path() + "/out";
  const ReproductionOutcome done = reproduce_san_francisco(cabs, options);

  EXPECT_EQ(done.outcome.users, 534U);
  EXPECT_EQ(done.outcome.visits, 1937295U);
  ASSERT_EQ(done.reproduction.statistics.size(), 7U);
  for (const StatisticCheck& check : done.reproduction.statistics) {
    if (!check.statistic.expected_mean) continue;
    // The box is known to four decimals, which is worth this much.
    EXPECT_NEAR(check.mean / *check.statistic.expected_mean, 1, 0.001) << check.statistic.statistic;
    if (!check.statistic.expected_deviation) continue;
    EXPECT_NEAR(*check.deviation / *check.statistic.expected_deviation, 1, 0.01) << check.statistic.statistic;
  }

  // Of the mean privacy loss, the share that is due to being counted.
  const auto share = [&](const std::string& prior, const std::string& attack) {
    for (const results::SummaryRow& row : done.outcome.summary) {
      const goal::Combination& key = row.combination;
      if (key.goal != "profiling" || key.prior != prior || key.attack != attack || key.release != "RAW") continue;
      return 1 - *row.control->loss_without / *row.loss_mean;
    }
    return -1.0;
  };
  EXPECT_NEAR(share("FREQ_ROI", "BAYES"), 0.024, 0.003);
  EXPECT_NEAR(share("FREQ_ROI", "MAX_USER"), 0.004, 0.003);
  EXPECT_NEAR(share("TIME_DAY", "MAX_ROI"), 0.004, 0.003);
  EXPECT_NEAR(share("LAST_HOUR", "BAYES"), 0.055, 0.003);

  EXPECT_EQ(done.reproduction.not_run, 0U);
  ASSERT_EQ(done.reproduction.figures.size(), 67U);
  std::size_t known = 0;
  for (const FigureCheck& check : done.reproduction.figures) {
    const report::Figure& figure = check.figure;
    known += check.known ? 1 : 0;
    EXPECT_TRUE(check.close() || check.known)
        << figure.goal << ' ' << figure.prior << ' ' << figure.attack << ' ' << figure.release << ' '
        << figure.parameter << ' ' << figure.metric << ": " << figure.value << " in the paper, " << check.here;
  }
  EXPECT_EQ(known, 3U);
}

}  // namespace
}  // namespace hearsay::reproduction
