// SPDX-License-Identifier: Apache-2.0
#include "storage/text_check.h"

#include "base/errors.h"
#include "storage/plain_bytes.h"
#include "storage/test_files.h"

namespace hearsay::storage {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class TextCheckTest : public FilesTest {
 protected:
  static Layout layout() { return {FileKind::kDelimited, ',', true, true, {{"a"}, {"b"}}}; }

  TextFindings check(const std::string& content, bool line_breaks = false) const {
    return check_text(write("e.csv", content), layout(), line_breaks, {});
  }
  std::string text_of(const std::string& file) const {
    PlainBytes bytes(file);
    std::string text;
    for (std::string_view block = bytes.next(); !block.empty(); block = bytes.next()) text += block;
    return text;
  }
};

TEST_F(TextCheckTest, CountsRows) {
  EXPECT_EQ(check("a,b\n1,2\n\n3,4").rows, 2U);
  EXPECT_EQ(check("a,b\r\n1,2\r\n\r\n3,4\r\n").rows, 2U);
  EXPECT_EQ(check("a,b\r1,2\r3,4\r").rows, 2U);
  EXPECT_EQ(check("\"a\nname\",b\n1,2\n").rows, 1U);
  EXPECT_EQ(check("a,b\n\"1\n2\",3\n4,5\n", true).rows, 2U);
  Layout wide = layout();
  wide.encoding = "utf-16";
  const std::string text(
      "a\0,\0b\0\n\0\"\0\x0A\x26\"\0,\0002\0\n\0"
      "3\0,\0004\0",
      26);
  const TextFindings found = check_text(write("e.csv", "\xFF\xFE" + text), wide, false, {});
  EXPECT_EQ(found.rows, 2U);
  EXPECT_EQ(found.unclosed.count, 0U);
}

TEST_F(TextCheckTest, FindsLinesThatTakeOthersAlong) {
  for (const char* good :
       {"1,\"2\"", "\"1\",2", "\"1,2\",3", "\"a \"\"b\"\"\",2", "1\"2,3", "  \"1\"  , \"2\" ", "\"\",2"}) {
    EXPECT_EQ(check(std::string("a,b\n") + good + "\n5,6\n").unclosed.count, 0U) << good;
  }
  for (const char* bad : {"\"1,2", "1,\"2", "\"1\"x,2", "1, \"2", "\"1\"\",2", "1\"2,\"3"}) {
    const TextFindings found = check(std::string("a,b\n3,4\n") + bad + "\n5,6\n");
    EXPECT_EQ(found.unclosed.count, 1U) << bad;
    EXPECT_EQ(found.unclosed.first, 3U) << bad;
    EXPECT_EQ(found.rows, 3U) << bad;
  }
  const TextFindings broken = check("a,b\n3,4\n\"1\n2\",5\n6,7\n", true);
  EXPECT_EQ(broken.unclosed.count, 1U);
  EXPECT_EQ(broken.unclosed.first, 3U);
}

TEST_F(TextCheckTest, FindsLinesThatAreTooLong) {
  const std::string longest(kLongestLine - 2, 'x');
  EXPECT_EQ(check("a,b\n1," + longest + "\n3,4\n").too_long.count, 0U);
  const TextFindings found = check("a,b\n1," + longest + "x\n3,4\n");
  EXPECT_EQ(found.too_long.count, 1U);
  EXPECT_EQ(found.too_long.first, 2U);
  // A value that goes on and on is as bad as one line of that length.
  std::string rows;
  while (rows.size() < 2 * kLongestLine) rows += std::string(1000, 'x') + "\n";
  const TextFindings swallowed = check("a,b\n1,2\n\"" + rows, true);
  EXPECT_EQ(swallowed.too_long.count, 1U);
  EXPECT_EQ(swallowed.too_long.first, 3U);
}

TEST_F(TextCheckTest, CopiesTheOtherLines) {
  const std::string long_line(kLongestLine + 1, 'x');
  const std::string file = write("e.csv", "a,b\r\n1,2\r\n\"3,4\r\n" + long_line + "\r\n\"5\",6\r\n");
  copy_sound_lines(file, layout(), path("copy.csv"));
  EXPECT_EQ(text_of(path("copy.csv")), "a,b\n1,2\n\"5\",6\n");
}

TEST_F(TextCheckTest, SaysWhyRowsAreLeftOut) {
  const std::string file = write("e.csv", "a,b\n1,2\n3\n1,2,3\n1,2,,\n\xFF,2\n1,\xFF\n\"1,2\n\n");
  using Reasons = std::map<std::string, std::uint64_t>;
  EXPECT_EQ(reasons_of_left_out(file, layout(), {0}),
            (Reasons{{"bad quoting", 1}, {"not UTF-8", 1}, {"too few columns", 1}, {"too many columns", 1}}));
  EXPECT_EQ(reasons_of_left_out(file, layout(), {0, 1}).at("not UTF-8"), 2U);
}

class CompressedTest : public TextCheckTest {
 protected:
  // The error of reading a file with these bytes; empty where there is none.
  std::string error_of(const std::string& bytes) const {
    try {
      check_compressed_files({write("e.gz", bytes)}, 2);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::string packed(const std::string& name) const {
    const std::string file = copy("SELECT range AS a, hash(range) AS b FROM range(50000)", name);
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

TEST_F(CompressedTest, TellsWholeFilesFromOthers) {
  for (const char* name : {"e.csv.gz", "e.csv.zst"}) {
    SCOPED_TRACE(name);
    const std::string whole = packed(name);
    EXPECT_THAT(error_of(whole), IsEmpty());
    EXPECT_THAT(error_of(whole + whole), IsEmpty());
    EXPECT_THAT(error_of(whole.substr(0, whole.size() / 3)), HasSubstr("e.gz: is cut off"));
    EXPECT_THAT(error_of(whole.substr(0, whole.size() - 1)), HasSubstr("e.gz: is cut off"));
    std::string torn = whole;
    for (std::size_t i = 6; i < 70; ++i) torn[i] = static_cast<char>(~torn[i]);
    EXPECT_THAT(error_of(torn), HasSubstr("e.gz: is damaged"));
  }
  std::string wrong_sum = packed("e.csv.gz");
  wrong_sum[wrong_sum.size() - 6] = static_cast<char>(~wrong_sum[wrong_sum.size() - 6]);
  EXPECT_THAT(error_of(wrong_sum), HasSubstr("e.gz: is damaged"));
  EXPECT_THAT(error_of("a,b\n1,2\n"), IsEmpty());
}

TEST_F(CompressedTest, GivesThePlainBytes) {
  const std::string plain = text_of(copy("SELECT range AS a FROM range(100000)", "e.csv"));
  EXPECT_EQ(text_of(copy("SELECT range AS a FROM range(100000)", "e.csv.gz")), plain);
  EXPECT_EQ(text_of(copy("SELECT range AS a FROM range(100000)", "e.csv.zst")), plain);
}

}  // namespace
}  // namespace hearsay::storage
