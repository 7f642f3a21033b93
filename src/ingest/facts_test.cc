// SPDX-License-Identifier: Apache-2.0
#include "ingest/facts.h"

#include <gtest/gtest.h>

#include "ingest/places.h"
#include "ingest/time_survey.h"

namespace hearsay::ingest {
namespace {

Facts some() {
  Facts facts;
  facts.rows = 10;
  facts.events = 8;
  facts.used = 5;
  facts.outside_period = 2;
  facts.outside_rois = 1;
  facts.at_midnight = 3;
  facts.by_epoch = {1, 0, 4};
  facts.bad_rows = {{"bad lat", 2}};
  facts.civil.add(100);
  facts.absolute.add(-7);
  facts.elsewhere.add(51.5, -0.1);
  return facts;
}

Facts others() {
  Facts facts;
  facts.rows = 4;
  facts.events = 3;
  facts.used = 3;
  facts.by_epoch = {0, 2, 0, 1};
  facts.bad_rows = {{"missing uid", 1}};
  facts.civil.add(-50);
  facts.elsewhere.add(48.9, 2.3);
  facts.odd_time = true;
  return facts;
}

TEST(FactsTest, FactsOfPartsAddUpInAnyOrder) {
  Facts sum = some();
  sum.add(others());
  Facts other_way = others();
  other_way.add(some());
  EXPECT_EQ(sum.bytes(), other_way.bytes());
  EXPECT_EQ(sum.rows, 14);
  EXPECT_EQ(sum.used, 8);
  EXPECT_EQ(sum.by_epoch, (std::vector<std::uint64_t>{1, 2, 4, 1}));
  EXPECT_EQ(sum.bad_rows, (std::map<std::string, std::uint64_t>{{"bad lat", 2}, {"missing uid", 1}}));
  EXPECT_EQ(sum.civil.first, -50);
  EXPECT_EQ(sum.civil.last, 100);
  EXPECT_EQ(sum.absolute.last, -7);
  EXPECT_EQ(sum.elsewhere.south, 48.9);
  EXPECT_EQ(sum.elsewhere.west, -0.1);
  EXPECT_TRUE(sum.odd_time);
}

TEST(FactsTest, NothingAddsNothing) {
  Facts sum = some();
  sum.add(Facts());
  EXPECT_EQ(sum.bytes(), some().bytes());
}

TEST(FactsTest, ComeBackFromBytes) {
  for (const Facts& facts : {some(), others(), Facts()}) {
    EXPECT_EQ(Facts::from_bytes(facts.bytes()).bytes(), facts.bytes());
  }
  EXPECT_EQ(Facts::from_bytes(some().bytes()).bad_rows, some().bad_rows);
}

TEST(PlacesTest, ComeBackFromBytes) {
  const std::vector<Roi> rois = {{"a", "A", 50.0, 8.0, "north"}, {"b", "", std::nullopt, std::nullopt, "", 1.0, 2.0}};
  const std::vector<Roi> back = rois_of(bytes_of(rois));
  ASSERT_EQ(back.size(), 2);
  EXPECT_EQ(back[0].zone, "north");
  EXPECT_EQ(back[0].lat, 50.0);
  EXPECT_EQ(back[1].lat, std::nullopt);
  EXPECT_EQ(back[1].end_lng, 2.0);
}

TEST(TimeShapesTest, ThoseOfPartsAddUp) {
  const TimeShape here{"", "99/99", "03/04", "09/09", 5, 1, 0, 4};
  const TimeShape there{"", "99/99", "01/31", "05/05", 2, 0, 2, 2};
  const TimeShape other{"", "9", "1", "8", 3};
  const std::vector<TimeShape> sum = added({here}, {other, there});
  ASSERT_EQ(sum.size(), 2);
  EXPECT_EQ(sum[0].shape, "9");
  EXPECT_EQ(sum[1].example, "01/31");
  EXPECT_EQ(sum[1].another, "09/09");
  EXPECT_EQ(sum[1].values, 7);
  EXPECT_EQ(sum[1].day_first, 1);
  EXPECT_EQ(sum[1].month_first, 2);
  EXPECT_EQ(sum[1].told_apart, 6);
}

}  // namespace
}  // namespace hearsay::ingest
