// SPDX-License-Identifier: Apache-2.0
#include "base/spelling.h"

#include <gtest/gtest.h>

namespace hearsay {
namespace {

TEST(SpellingTest, FindsTheNameThatTakesTheFewestSlips) {
  const std::vector<std::string> names = {"start", "epoch", "length", "observe"};
  EXPECT_EQ(nearest("lenght", names, 1), 2U) << "two swapped neighbours are one slip";
  EXPECT_EQ(nearest("LENGTHS", names, 1), 2U);
  EXPECT_EQ(nearest("strt", names, 2), 0U);
  EXPECT_EQ(nearest("observed", names, 0), std::nullopt);
  EXPECT_EQ(nearest("wibble", names, 2), std::nullopt);
  EXPECT_EQ(nearest("ab", {"ba", "ab"}, 2), 1U);
  EXPECT_EQ(nearest("x", {}, 5), std::nullopt);
}

}  // namespace
}  // namespace hearsay
