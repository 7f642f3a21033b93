// SPDX-License-Identifier: Apache-2.0
#include "goal/ranges.h"

#include <gtest/gtest.h>

namespace hearsay::goal {
namespace {

TEST(SampledRanges, AreApartAndAsManyPeopleAsAsked) {
  for (std::size_t users = 1; users <= 300; ++users) {
    for (std::size_t people = 1; people < users; ++people) {
      std::size_t end = 0;
      std::size_t sum = 0;
      for (const belief::UserRange& range : sampled_ranges({.users = users}, people)) {
        ASSERT_GE(index_of(range.begin), end) << people << " of " << users;
        ASSERT_GT(range.size(), 0U) << people << " of " << users;
        end = index_of(range.end);
        sum += range.size();
      }
      ASSERT_EQ(sum, people) << "of " << users;
      ASSERT_LE(end, users) << people;
    }
  }
}

TEST(SampledRanges, NoneIsEverybody) {
  EXPECT_TRUE(sampled_ranges({.users = 10}, 0).empty());
  EXPECT_TRUE(sampled_ranges({.users = 10}, 10).empty());
  EXPECT_TRUE(sampled_ranges({.users = 10}, 11).empty());
}

}  // namespace
}  // namespace hearsay::goal
