// SPDX-License-Identifier: Apache-2.0
#include "results/repeats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace hearsay::results {
namespace {

// Half the width of the interval in standard errors is the quantile; tables of it give three decimals and more.
TEST(RepeatsTest, IntervalsUseTheQuantileOfStudentsT) {
  const std::vector<std::pair<std::size_t, double>> known = {{1, 12.7062047},  {2, 4.3026527},  {9, 2.2621572},
                                                             {30, 2.0422725},  {31, 2.0395134}, {60, 2.0002978},
                                                             {1000, 1.9623391}};
  for (const auto& [freedom, quantile] : known) {
    std::vector<double> draws(freedom + 1);
    std::iota(draws.begin(), draws.end(), 0.0);
    const auto n = static_cast<double>(draws.size());
    const double error = std::sqrt((n + 1) / 12);  // of the mean of 0 .. n - 1
    const Interval interval = interval_of(draws);
    EXPECT_DOUBLE_EQ(interval.mean, (n - 1) / 2);
    EXPECT_NEAR(interval.half_width.value() / error, quantile, 1e-6) << freedom;
  }
}

goal::ReleaseResult released(const std::string& name, std::size_t repeat, double mre, double mae,
                             const std::string& baseline = "") {
  goal::ReleaseResult result{name, "", repeat, {}, {}, baseline};
  result.utility.mre = mre;
  result.utility.mae = mae;
  result.utility.forecast_mae = mre;
  if (repeat != 2) result.utility.rank_correlation = mae;
  return result;
}

TEST(RepeatsTest, AReleaseThatIsFurtherOffThanABaselineSaysSo) {
  const std::vector<goal::ReleaseResult> releases = {
      released("NEAR", 1, 0.4, 5),  released("NEAR", 2, 0.8, 7),          released("FAR", 1, 0.7, 1),
      released("SAME", 1, 0.65, 4), released("ZEROS", 0, 0.73, 4, "nil"), released("LAST", 0, 0.65, 6, "again")};
  const std::vector<ReleaseMeans> means = means_over_repeats(releases);
  ASSERT_EQ(means.size(), 5U);
  EXPECT_EQ(means[0].release, "NEAR");
  EXPECT_EQ(means[0].repeats, 2U);
  EXPECT_NEAR(means[0].mre.mean, 0.6, 1e-12);
  EXPECT_EQ(means[0].worse_than, "") << "0.6 on average";
  EXPECT_EQ(means[0].worse_than_mae, "ZEROS");
  EXPECT_EQ(means[1].worse_than, "LAST");
  EXPECT_EQ(means[1].worse_than_mae, "");
  EXPECT_EQ(means[2].worse_than, "") << "as far off is not further off";
  EXPECT_EQ(means[3].baseline, "nil");
  EXPECT_EQ(means[3].worse_than, "") << "baselines are not judged by one another";
  EXPECT_EQ(nearer_baseline(releases, &release::Utility::mre, 0.8), "LAST") << "one draw";
  EXPECT_EQ(nearer_baseline({releases[0]}, &release::Utility::mre, 1e9), "") << "no baseline";
  for (const MeanNumber& number : means[0].numbers) {
    if (number.name == "forecast_mae") {
      EXPECT_NEAR(number.value->mean, 0.6, 1e-12);
      EXPECT_TRUE(number.value->half_width);
    }
    if (number.name == "rank_correlation") {
      EXPECT_FALSE(number.value) << "a draw has none";
    }
  }
  EXPECT_EQ(means[0].numbers.size(), release::numbers_of({}).size());
}

}  // namespace
}  // namespace hearsay::results
