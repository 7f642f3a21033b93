// SPDX-License-Identifier: Apache-2.0
#include "ingest/gatherer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>

namespace hearsay::ingest {
namespace {

using testing::ElementsAre;

std::uint64_t visit(std::uint64_t epoch, std::uint64_t place) {
  return epoch << 32 | place;
}

TEST(GathererTest, PiecesOfAPersonComeTogetherOnceEachInOrder) {
  Gatherer gatherer;
  gatherer.add("b", std::vector{visit(5, 1), visit(7, 0)});
  gatherer.add("\xc3\xa9", std::vector{visit(1, 1)});
  gatherer.add("B", std::vector{visit(0, 9)});
  gatherer.add("b", std::vector{visit(5, 0), visit(5, 1)});
  gatherer.finish();
  ASSERT_EQ(gatherer.users(), 3);
  EXPECT_EQ(gatherer.user(0), "B");
  EXPECT_EQ(gatherer.user(1), "b");
  EXPECT_EQ(gatherer.user(2), "\xc3\xa9");
  EXPECT_THAT(gatherer.visits(0), ElementsAre(visit(0, 9)));
  EXPECT_THAT(gatherer.visits(1), ElementsAre(visit(5, 0), visit(5, 1), visit(7, 0)));
  EXPECT_EQ(visits_before(gatherer.visits(1), 5), 0);
  EXPECT_EQ(visits_before(gatherer.visits(1), 6), 2);
  EXPECT_EQ(visits_before(gatherer.visits(1), 8), 3);
}

TEST(GathererTest, NobodyIsFine) {
  Gatherer gatherer;
  gatherer.finish();
  EXPECT_EQ(gatherer.users(), 0);
}

TEST(GathererTest, AgreesWithSetsOnRandomPieces) {
  std::mt19937_64 random(7);
  std::map<std::string, std::set<std::uint64_t>> expected;
  Gatherer gatherer;
  for (int piece = 0; piece < 2000; ++piece) {
    const std::string user = "u" + std::to_string(random() % 90);
    std::vector<std::uint64_t> visits;
    for (std::uint64_t i = random() % 5; i > 0; --i) visits.push_back(visit(random() % 20, random() % 3));
    expected[user].insert(visits.begin(), visits.end());
    gatherer.add(user, visits);
  }
  gatherer.finish();
  ASSERT_EQ(gatherer.users(), expected.size());
  std::size_t number = 0;
  for (const auto& [user, visits] : expected) {
    EXPECT_EQ(gatherer.user(number), user);
    EXPECT_THAT(gatherer.visits(number), testing::ElementsAreArray(visits));
    ++number;
  }
}

}  // namespace
}  // namespace hearsay::ingest
