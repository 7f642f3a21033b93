// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.h"

namespace hearsay {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TextTest, ControlsAreBlanks) {
  EXPECT_EQ(one_line("a\nb\tc\x1b[31m\x7f"), "a b c [31m ");
  EXPECT_EQ(one_line(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(one_line("a\xC2\x9B"
                     "b"),
            "a b");  // a C1 control, which a terminal may obey
  EXPECT_EQ(one_line("a\xE2\x80\xA8"
                     "b"),
            "a b");  // line separator
}

TEST(TextTest, MarksOfDirectionAreShown) {
  EXPECT_EQ(one_line("gpj.\xE2\x80\xAE"
                     "exe"),
            "gpj.<U+202E>exe");
  EXPECT_EQ(one_line("\xE2\x81\xA6x\xE2\x81\xA9"), "<U+2066>x<U+2069>");
}

TEST(TextTest, OtherTextStays) {
  EXPECT_EQ(one_line("Zürich 東京 🚕"), "Zürich 東京 🚕");
}

TEST(TextTest, WhatIsNotUtf8IsAQuestionMark) {
  EXPECT_EQ(one_line("a\xFFz"), "a?z");
  EXPECT_EQ(one_line("\xC0\x80"), "??");       // overlong
  EXPECT_EQ(one_line("\xED\xA0\x80"), "???");  // surrogate
  EXPECT_EQ(one_line("\xF0\x9F\x9A"), "???");  // cut off
}

TEST(TextTest, NamesThatAreNotUtf8StayDifferent) {
  EXPECT_EQ(utf8_name("Zürich.csv"), "Zürich.csv");
  EXPECT_EQ(utf8_name("a\xFF"), "a%FF");
  EXPECT_EQ(utf8_name("a\xC3"), "a%C3");
  EXPECT_EQ(utf8_name("\xE9t\xE9"), "%E9t%E9");
  EXPECT_TRUE(is_utf8("Zürich 東京"));
  EXPECT_FALSE(is_utf8("Z\xFCrich"));
  EXPECT_TRUE(is_utf8(""));
}

TEST(TextTest, LongTextIsCutAtACharacter) {
  EXPECT_EQ(one_line("abcdef", 4), "abcd...");
  EXPECT_EQ(one_line("abcü", 4), "abc...");
  EXPECT_EQ(quoted_value(std::string(1000, 'x')), '"' + std::string(60, 'x') + "...\"");
}

TEST(TextTest, ErrorsStayShortAndOnOneLine) {
  const std::string huge(10 << 20, 'x');
  EXPECT_LT(std::string(ConfigError("data.name", huge, "is long").what()).size(), 300U);
  EXPECT_LT(std::string(ConfigError(huge, huge, huge, "study.toml:1").what()).size(), 2100U);
  EXPECT_LT(std::string(InputError({"f.csv", 1, huge}, huge).what()).size(), 2100U);
  EXPECT_THAT(InputError({"f\n.csv", 1, "c\r"}, "a\x1b[2J\nb").what(), Not(testing::ContainsRegex("[\r\n\x1b]")));
}

TEST(TextTest, SuggestionsCopeWithManyAndLongNames) {
  EXPECT_THAT(suggestion("FREQ_RIO", {"FREQ_ROI", "LAST_DAY"}), HasSubstr("did you mean \"FREQ_ROI\"?"));
  const std::vector<std::string> many(100000, "quite another name");
  EXPECT_THAT(suggestion("x", many), HasSubstr("and 99960 more"));
  EXPECT_LT(suggestion(std::string(1 << 20, 'a'), {std::string(1 << 20, 'b')}).size(), 300U);
}

TEST(TextTest, CleansEachOfSeveralLines) {
  EXPECT_EQ(clean_lines("a\x1b[31m\tb\nc\x9b\n\n"), "a [31m b\nc?\n\n");
  EXPECT_EQ(clean_lines("\xc2\x9bx\xe2\x80\xae"), " x<U+202E>");
  EXPECT_EQ(clean_lines(""), "");
}

}  // namespace
}  // namespace hearsay
