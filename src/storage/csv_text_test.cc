// SPDX-License-Identifier: Apache-2.0
#include "storage/csv_text.h"

#include <gtest/gtest.h>

namespace hearsay::storage {
namespace {

TEST(CsvTextTest, WhatASpreadsheetWouldRunIsText) {
  for (const char* formula : {"=cmd()", "+1+cmd()", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=", "-", "+44 20"}) {
    EXPECT_EQ(csv_text(formula), std::string("'") + formula);
  }
}

TEST(CsvTextTest, EverythingElseStays) {
  for (const char* text : {"", "12", "-3.5", "-1e9", "Baker Street", "a=b", "epsilon=0.1", "'x", "\"q\"", "東京"}) {
    EXPECT_EQ(csv_text(text), text);
  }
}

TEST(CsvTextTest, NoZeroBytes) {
  EXPECT_EQ(csv_text(std::string_view("a\0b", 3)),
            "a\xEF\xBF\xBD"
            "b");
}

}  // namespace
}  // namespace hearsay::storage
