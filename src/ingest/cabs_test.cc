// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ingest/test_files.h"

namespace hearsay::ingest {
namespace {

TEST(Cabs, TheStudyOfThePaper) {
  const char* directory = std::getenv("HEARSAY_CABS");
  if (directory == nullptr) GTEST_SKIP() << "HEARSAY_CABS does not name the directory of cab files";
  Source source;
  source.format = Format::kCabs;
  source.paths = {directory};
  source.timezone = "America/Los_Angeles";
  const Visits visits = read_visits(source, Grid{37.727, 37.7987, -122.435, -122.3682, 10, 10},
                                    {"2008-05-19 00:00:00", 3600, 504}, {2, 600'000'000, "", {}});
  EXPECT_EQ(visits.tally.rows, 11220058U);
  EXPECT_EQ(visits.tally.used + visits.tally.outside_period + visits.tally.outside_rois, visits.tally.events);
  EXPECT_EQ(visits.users.size(), 534U);
  EXPECT_NEAR(static_cast<double>(visits.visits.size()) / 534, 3627.893, 0.001);
  std::vector<int> last_week(visits.users.size());
  for (const Visit& visit : visits.visits.all()) last_week[visit.user] += visit.epoch >= 336 ? 1 : 0;
  EXPECT_EQ(*std::max_element(last_week.begin(), last_week.end()), 2755);
  EXPECT_TRUE(visits.warnings.empty());
}

}  // namespace
}  // namespace hearsay::ingest
