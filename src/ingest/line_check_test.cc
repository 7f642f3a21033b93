// SPDX-License-Identifier: Apache-2.0
//
// A bad row costs nobody else a row, and no row is lost without a word.
#include <fmt/format.h>

#include "ingest/test_files.h"
#include "storage/sql_text.h"
#include "storage/text_check.h"

namespace hearsay::ingest {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Reasons = std::map<std::string, std::uint64_t>;

class LineCheckTest : public FilesTest {
 protected:
  static constexpr const char* kHeader = "uid,roi,datetime,note\n";

  // A row of each of `users` people.
  static std::string rows(int users, int from = 0) {
    std::string text;
    for (int i = from; i < from + users; ++i) text += fmt::format("u{:03},r,2010-03-01 03:00:00,\n", i);
    return text;
  }
  Source skipping(const std::string& file) const {
    Source source = events(file);
    source.bad_rows = BadRows::kSkip;
    return source;
  }
};

TEST_F(LineCheckTest, ADoubleQuoteTakesOnlyItsOwnRow) {
  const std::string first = "x,r,2010-03-01 03:00:00,\"open\n";
  const std::string second = "y,r,2010-03-01 03:00:00,open\"\n";
  const std::string file = write("e.csv", kHeader + rows(20) + first + rows(50, 20) + second + rows(30, 70));
  // DuckDB alone takes both for one row with a long note and loses 50 people between them.
  const Visits visits = read(skipping(file), RoiIds{});
  EXPECT_EQ(visits.users.size(), 101U);
  EXPECT_EQ(visits.tally.rows, 102U);
  EXPECT_EQ(visits.tally.bad_rows, (Reasons{{"bad quoting", 1}}));
  Source source = events(file);
  source.text.line_breaks = false;
  EXPECT_EQ(error_of<InputError>(source, RoiIds{}),
            file +
                ":22: bad quoting: a value in double quotes does not end on its line; close it, or set "
                "data.line_breaks = true where values have line breaks");
  // A quote that nothing closes.
  const Visits open = read(skipping(write("e.csv", kHeader + rows(20) + first + rows(50, 20))), RoiIds{});
  EXPECT_EQ(open.users.size(), 70U);
  EXPECT_EQ(open.tally.bad_rows, (Reasons{{"bad quoting", 1}}));
}

TEST_F(LineCheckTest, LineBreaksInValuesAreReadAndSaid) {
  const std::string text = kHeader + rows(2) + "x,\"r\ns\",2010-03-01 03:00:00,\n" + rows(2, 2);
  const Visits visits = read(events(write("e.csv", text)), RoiIds{});
  EXPECT_EQ(visits.users.size(), 5U);
  EXPECT_EQ(visits.rois.back().id, "r\ns");
  EXPECT_THAT(visits.warnings, Contains(HasSubstr("1 rows go on over several lines between double quotes, the first "
                                                  "from " +
                                                  path("e.csv") + ":4 on")));
  ASSERT_EQ(visits.found.size(), 1U);
  EXPECT_EQ(visits.found[0].key, "data.line_breaks");
  EXPECT_EQ(visits.found[0].value, "false");
  Source source = skipping(path("e.csv"));
  EXPECT_EQ(read(source, RoiIds{}).tally.bad_rows, (Reasons{{"bad quoting", 1}, {"too few columns", 1}}));
  source.text.line_breaks = true;
  EXPECT_THAT(read(source, RoiIds{}).tally.bad_rows, IsEmpty());
  EXPECT_EQ(read(source, RoiIds{}).users.size(), 5U);
}

TEST_F(LineCheckTest, LinesBeyondDuckDbsBufferAreNotLost) {
  const std::string text = kHeader + rows(3) + "x," + std::string(40'000'000, 'r') + ",2010-03-01,\n" + rows(3, 3);
  for (const char* name : {"e.csv", "e.jsonl"}) {
    SCOPED_TRACE(name);
    const bool json = std::string(name) == "e.jsonl";
    const std::string good = "{\"uid\": \"u\", \"roi\": \"r\", \"datetime\": \"2010-03-01 03:00:00\"}\n";
    const std::string file =
        write(name, json ? good + "{\"uid\": \"" + std::string(40'000'000, 'u') + "\"}\n" + good : text);
    EXPECT_EQ(error_of<InputError>(events(file), RoiIds{}),
              fmt::format("{}:{}: line too long: the row has more than 2,000,000 bytes", file, json ? 2 : 5));
    const Visits visits = read(skipping(file), RoiIds{});
    EXPECT_EQ(visits.tally.bad_rows, (Reasons{{"line too long", 1}}));
    EXPECT_EQ(visits.tally.used, json ? 2U : 6U);
  }
}

TEST_F(LineCheckTest, CompressedFilesThatAreNotWholeAreRefused) {
  const std::string query =
      "SELECT 'u' || range AS uid, 'r' AS roi, '2010-03-01 03:00:00' AS datetime FROM range(50000)";
  for (const char* name : {"e.csv.gz", "e.csv.zst", "e.json.gz"}) {
    SCOPED_TRACE(name);
    const std::string file = copy(query, name);
    EXPECT_EQ(read(events(file), RoiIds{}).users.size(), 50000U);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    EXPECT_EQ(error_of<InputError>(events(file), RoiIds{}),
              file + ": is cut off: it ends before the compressed text does; copy it again");
    EXPECT_THAT(error_of<InputError>(skipping(file), RoiIds{}), HasSubstr("is cut off"));
    EXPECT_THAT(error_of<InputError>(events(write("e.csv", "uid,roi,datetime\nu,r,2010-03-01\n")), RoiIds{file}),
                HasSubstr("is cut off"));
  }
}

// Each was once kept with its text and several sentences: 10 MB of them took 7.4 GB.
TEST_F(LineCheckTest, BadRowsAreCountedAndNotKept) {
  std::string bad;
  for (int i = 0; i < 300'000; ++i) bad += "x\n";
  const std::string file = write("e.csv", kHeader + rows(5) + bad + "u,r,2010-03-01,n,n\n\xFF,r,2010-03-01,\n");
  const Visits visits = read(skipping(file), RoiIds{});
  EXPECT_EQ(visits.tally.bad_rows, (Reasons{{"not UTF-8", 1}, {"too few columns", 300'000}, {"too many columns", 1}}));
  EXPECT_EQ(visits.tally.rows, 300'007U);
  EXPECT_THAT(error_of<InputError>(events(file), RoiIds{}), StartsWith(file + ":7: too few columns"));
  EXPECT_THAT(error_of<InputError>(events(write("e.csv", "uid,roi,datetime\nu,r,2010-03-01\n")),
                                   RoiIds{write("l.csv", "roi,name\na,b\n" + bad)}),
              StartsWith(path("l.csv") + ":3: too few columns"));
}

TEST_F(LineCheckTest, OtherEncodingsAreToldOfInOurWords) {
  const std::string chinese = "\xD3\xC3\xBB\xA7";  // of GB18030, and all letters in Latin-1
  const std::string rare = "\x95\x32\x82\x36";     // of GB18030, and no letters in Latin-1
  const std::string text = kHeader + rows(3) + chinese + ",r,2010-03-01,\n" + rare + ",r,2010-03-01,\n";
  Source source = events(write("e.csv", text));
  EXPECT_EQ(error_of<InputError>(source, RoiIds{}),
            path("e.csv") +
                ":5: not UTF-8: if the file is Latin-1, as those of older programs are, set data.encoding "
                "= \"latin-1\"; convert it from any other encoding, such as GB18030 or Shift JIS (iconv -f "
                "GB18030 -t UTF-8)");
  source.text.encoding = "latin-1";
  const std::string problem = storage::kNotLatin;
  EXPECT_EQ(error_of<InputError>(source, RoiIds{}), path("e.csv") + ":6: " + problem);
  write("e.csv", rare + "\n" + text);
  EXPECT_EQ(error_of<InputError>(source, RoiIds{}), path("e.csv") + ": " + problem);
}

TEST_F(LineCheckTest, AKeyOfOneObjectChangesNoOther) {
  std::string text;
  for (int i = 0; i < 10; ++i) {
    text += fmt::format("{{\"user\": \"u{}\", \"roi\": \"r\", \"time\": \"2010-03-01 03:00:00\"}}\n", i);
  }
  const std::string other = "{\"uid\": \"x\", \"roi\": \"r\", \"datetime\": \"2010-03-01 03:00:00\"}\n";
  for (const std::string& all : {text + other, other + text}) {
    const Visits visits = read(skipping(write("e.jsonl", all)), RoiIds{});
    EXPECT_EQ(visits.users.size(), 10U);
    EXPECT_EQ(visits.tally.bad_rows, (Reasons{{"missing uid", 1}}));
  }
  // Keys have no order, so a number names none.
  Source source = events(path("e.jsonl"));
  source.columns = {{"uid", "3"}};
  EXPECT_THAT(error_of<InputError>(source, RoiIds{}), HasSubstr("column 3: not found"));
}

TEST_F(LineCheckTest, ARowDoesNotDecideHowTimesAreRead) {
  const auto times = [&](int usual, int other, const std::string& extra) {
    std::string text = kHeader;
    for (int i = 0; i < usual; ++i) text += fmt::format("u{},r,2010-03-01 03:00:00,\n", i);
    for (int i = 0; i < other; ++i) text += fmt::format("v{},r,03/01/10 04:00,\n", i);
    return skipping(write("e.csv", text + extra));
  };
  // Half are read in one way and half in another: neither half is left out because of one row more.
  for (const int other : {20, 30, 40}) {
    const char* problem = other == 40 ? "no time in the data tells which" : "set data.time_format to a list of";
    EXPECT_THAT(error_of<InputError>(times(40, other + 1, ""), RoiIds{}), HasSubstr(problem));
  }
  EXPECT_EQ(read(times(40, 20, ""), RoiIds{}).tally.bad_rows, (Reasons{{"bad datetime", 20}}));
  // One row in 200 does not say for all whether the day or the month comes first.
  EXPECT_THAT(error_of<InputError>(times(0, 200, "w,r,28/02/10 04:00,\n"), RoiIds{}),
              HasSubstr("only 1 of 201 times tell which; set data.time_format = \"%m/%d/%y %H:%M\""));
  // And one that says otherwise does not undo what all others say.
  std::string clear;
  for (int i = 0; i < 200; ++i) clear += fmt::format("w{},r,02/28/10 04:00,\n", i);
  const Visits visits = read(times(0, 5, clear + "x,r,28/02/10 04:00,\n"), RoiIds{});
  EXPECT_EQ(visits.tally.bad_rows, (Reasons{{"bad datetime", 1}}));
  EXPECT_EQ(visits.tally.used, 5U);
  ASSERT_EQ(visits.found.size(), 1U);
  EXPECT_EQ(visits.found[0].key, "data.time_format");
  EXPECT_EQ(visits.found[0].value, "\"%m/%d/%y %H:%M\"");
}

TEST_F(LineCheckTest, TheFirstRowOfAFileWithoutAHeaderSaysHowItIsSeparated) {
  Source source = events(write("e.csv", "u,r,2010-03-01 03:00:00\n"));
  source.text.header = false;
  source.columns = {{"uid", "1"}, {"roi", "2"}, {"datetime", "3"}};
  ASSERT_EQ(read(source, RoiIds{}).found.size(), 1U);
  EXPECT_EQ(read(source, RoiIds{}).found[0].key, "data.separator");
  EXPECT_EQ(read(source, RoiIds{}).found[0].value, "\",\"");
  source.text.separator = ',';
  EXPECT_THAT(read(source, RoiIds{}).found, IsEmpty());
}

}  // namespace
}  // namespace hearsay::ingest
