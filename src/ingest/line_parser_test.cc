// SPDX-License-Identifier: Apache-2.0
#include "ingest/line_parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <random>

namespace hearsay::ingest {
namespace {

// The seconds that a text stands for, or nothing.
std::optional<std::int64_t> seconds(const std::string& text, TimeFormat format = TimeFormat::kUnixSeconds) {
  std::int64_t us = 0;
  bool civil = false;
  if (!parse_time(text, format, us, civil)) return std::nullopt;
  return us;
}

TEST(LineParserTest, ReadsShortNumbersAsTheLibraryDoes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto digits = static_cast<int>(random() % 10);
    const std::string text =
        fmt::format("{}{}.{:0{}}", random() % 2 == 0 ? "" : "-", random() % 100000,
                    random() % static_cast<std::uint64_t>(std::pow(10, digits)), std::max(1, digits));
    double exact = 0;
    std::from_chars(text.data(), text.data() + text.size(), exact);
    ASSERT_EQ(seconds(text).value(), static_cast<std::int64_t>(std::round(exact * 1e6))) << text;
  }
}

TEST(LineParserTest, TakesNoOddNumber) {
  for (const char* text : {"", "-", ".", ".5x", "1..2", "1,5", "+5", " 5", "5 ", "0x10", "1e400", "nan", "--1"}) {
    EXPECT_FALSE(seconds(text)) << text;
  }
  EXPECT_EQ(seconds("1211018404"), 1211018404000000);
  EXPECT_EQ(seconds("-1.5"), -1500000);
}

// Found by fuzzing: a hyphen after the first character makes a date of it for the careful way.
TEST(LineParserTest, TakesNoNumberThatMayBeADate) {
  EXPECT_EQ(seconds("15e-1"), 1500000);
  EXPECT_FALSE(seconds("15e-1", TimeFormat::kAuto));
  EXPECT_EQ(seconds("-15e1", TimeFormat::kAuto), -150000000);
}

TEST(LineParserTest, ReadsTimesWithOffsets) {
  const auto iso = [](const char* text) { return seconds(text, TimeFormat::kAuto); };
  const std::int64_t noon = 1267444800000000;  // 2010-03-01 12:00 UTC
  EXPECT_EQ(iso("2010-03-01T12:00:00Z"), noon);
  EXPECT_EQ(iso("2010-03-01 13:30:00+01:30"), noon);
  EXPECT_EQ(iso("2010-03-01 11:00:00.25-01"), noon + 250000);
  EXPECT_EQ(iso("2010-03-01 12:00:00"), noon);
  for (const char* text : {"2010-02-30 00:00:00", "2010-03-01 24:00:00", "2010-03-01", "2010-03-01 12:00:00.1234567",
                           "2010-03-01 12:00:00 UTC", "2010-03-01x12:00:00"}) {
    EXPECT_FALSE(iso(text)) << text;
  }
}

}  // namespace
}  // namespace hearsay::ingest
