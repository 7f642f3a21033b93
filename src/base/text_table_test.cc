// SPDX-License-Identifier: Apache-2.0
#include "base/text_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace hearsay {
namespace {

TextTable some_table() {
  TextTable table({{"release"}, {"parameter"}, {"mre", true}, {"gain", true}});
  table.add({"BOUND+LAPLACE", "at_most=20; epsilon=1", "0.123", "0.5 +- 0.1"});
  table.add({"ROUND", "base=5", "12.000", "0.2"});
  return table;
}

std::size_t longest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
  return most;
}

TEST(TextTable, IsAsWideAsItsCellsWhereThereIsRoom) {
  EXPECT_EQ(some_table().fitted(80), some_table().aligned());
  EXPECT_EQ(some_table().fitted(kAnyWidth), some_table().aligned());
  EXPECT_EQ(longest(some_table().aligned()), 13U + 2 + 21 + 2 + 6 + 2 + 10);
}

TEST(TextTable, TextIsWrapped) {
  EXPECT_EQ(some_table().fitted(46),
            "release       parameter        mre        gain\n"
            "------------  ------------  ------  ----------\n"
            "BOUND+        at_most=20;    0.123  0.5 +- 0.1\n"
            "LAPLACE       epsilon=1\n"
            "ROUND         base=5        12.000         0.2\n");
}

TEST(TextTable, WhatDoesNotFitGoesIntoFurtherTablesWithTheKeys) {
  const std::string text = some_table().fitted(32, 2);
  EXPECT_LE(longest(text), 38U);
  std::size_t at = 0;
  int keys = 0;
  while ((at = text.find("parameter", at) + 1) != 0) ++keys;
  EXPECT_EQ(keys, 2) << text;
  EXPECT_NE(text.find("0.123"), std::string::npos);
  EXPECT_NE(text.find("0.5 +- 0.1"), std::string::npos);
}

TEST(TextTable, NothingIsLost) {
  for (std::size_t width = 20; width < 70; ++width) {
    std::string text = some_table().fitted(width);
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    for (const char* number : {"0.123", "0.5+-0.1", "12.000", "0.2"}) {
      EXPECT_NE(text.find(number), std::string::npos) << number << " at " << width;
    }
    if (width >= 46) {
      EXPECT_LE(longest(some_table().fitted(width)), width);
    }
  }
}

}  // namespace
}  // namespace hearsay
