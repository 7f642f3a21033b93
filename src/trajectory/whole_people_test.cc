// SPDX-License-Identifier: Apache-2.0
#include "trajectory/whole_people.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hearsay::trajectory {
namespace {

using testing::ElementsAre;

// Of three places and null.
std::vector<Crowd> people_of(const std::vector<double>& counts, std::size_t people, std::size_t unseen = 0) {
  release::Release release(counts.size(), 1);
  release.set(EpochId{0}, counts);
  std::vector<double> dense;
  return whole_people(release.at(EpochId{0}, dense), people, unseen);
}

TEST(WholePeopleTest, CountsOfPeopleAtOnePlaceEachStayAsTheyAre) {
  EXPECT_THAT(people_of({3, 0, 2, 4}, 9), ElementsAre(Crowd{0, 3}, Crowd{2, 2}, Crowd{3, 4}));
}

TEST(WholePeopleTest, ThoseInSeveralPlacesAreSharedOut) {
  // Six people out, twelve visits.
  EXPECT_THAT(people_of({8, 3, 1, 4}, 10), ElementsAre(Crowd{0, 4}, Crowd{1, 2}, Crowd{3, 4}));
}

TEST(WholePeopleTest, TheLargestRemainderIsRoundedUpFirst) {
  EXPECT_THAT(people_of({1, 1, 1, 0}, 4), ElementsAre(Crowd{0, 2}, Crowd{1, 1}, Crowd{2, 1}));
  EXPECT_THAT(people_of({2.6, 0.9, 0.5, 0}, 4), ElementsAre(Crowd{0, 3}, Crowd{1, 1}));
}

TEST(WholePeopleTest, NoiseMayLeaveTooFewOrTooMany) {
  EXPECT_THAT(people_of({0.5, -3, 0.5, 1.4}, 5), ElementsAre(Crowd{0, 2}, Crowd{2, 2}, Crowd{3, 1}));
  EXPECT_THAT(people_of({7, 0, 0, 20}, 5), ElementsAre(Crowd{3, 5}));
  EXPECT_THAT(people_of({7, 0, 0, -2}, 5), ElementsAre(Crowd{0, 5}));
  EXPECT_THAT(people_of({0, 0, 0, 2}, 5), ElementsAre(Crowd{3, 5}));
  EXPECT_THAT(people_of({0, 0, 0, 0}, 5), ElementsAre(Crowd{3, 5}));
}

TEST(WholePeopleTest, PeopleNeverSeenAreNoneOfThem) {
  EXPECT_THAT(people_of({3, 0, 2, 104}, 9, 100), ElementsAre(Crowd{0, 3}, Crowd{2, 2}, Crowd{3, 4}));
}

}  // namespace
}  // namespace hearsay::trajectory
