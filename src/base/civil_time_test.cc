// SPDX-License-Identifier: Apache-2.0
#include "base/civil_time.h"

#include <gtest/gtest.h>

namespace hearsay {
namespace {

TEST(CivilTime, ParsesAndFormats) {
  for (const char* text : {"2010-03-01 08:30:05", "1969-12-31 23:59:59", "2008-02-29 00:00:00"}) {
    EXPECT_EQ(format_civil(parse_civil(text).value()), text);
  }
  EXPECT_EQ(parse_civil("2010-03-01"), parse_civil("2010-03-01T00:00"));
  for (const char* text : {"", "now", "2010-02-30", "2010-03-01 24:00:00", "2010-03-01 08", "2010-03-01 08:30:00Z",
                           "2010-03-01 08:30:00+01:00", "2010-03-01x08:30:00", "10-03-01 00:00:00x"}) {
    EXPECT_EQ(parse_civil(text), std::nullopt) << text;
  }
}

TEST(CivilTime, WeekdaysAndHoursAreRightBefore1970) {
  const auto of = [](const char* text) { return weekday_and_hour(parse_civil(text).value()); };
  EXPECT_EQ(of("1970-01-01 00:00:00"), std::pair(3, 0));  // a Thursday
  EXPECT_EQ(of("1969-12-31 23:59:59"), std::pair(2, 23));
  EXPECT_EQ(of("1969-12-29 00:00:00"), std::pair(0, 0));
  EXPECT_EQ(of("1969-12-28 07:30:00"), std::pair(6, 7));
  EXPECT_EQ(of("2010-03-01 08:30:05"), std::pair(0, 8));
}

}  // namespace
}  // namespace hearsay
