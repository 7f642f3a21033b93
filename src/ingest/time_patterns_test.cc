// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ingest/test_files.h"
#include "ingest/time_pattern.h"

namespace hearsay::ingest {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class TimePatternsTest : public FilesTest {
 protected:
  // An event at each of these times, by id.
  Source at(const std::vector<std::string>& times, const std::string& name = "e.csv") const {
    std::string text = "uid|roi|datetime\n";
    for (const std::string& time : times) text += "u|r|" + time + "\n";
    return events(write(name, text));
  }
  std::vector<std::uint32_t> epochs_at(const std::vector<std::string>& times) const {
    return epochs(read(at(times), RoiIds{}));
  }
};

TEST_F(TimePatternsTest, ReadsCommonFormsAndNamesThem) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> kinds = {
      {{"3/1/10 3:09 AM", "3/2/10 12:30 PM", "2/28/10 1:00 PM"}, "%m/%d/%y %I:%M %p"},
      {{"3/1/2010 3:09:00 AM", "03/02/2010 12:30:59 PM", "2/28/2010 1:00:00 PM"}, "%m/%d/%Y %I:%M:%S %p"},
      {{"3/1/2010 3:09", "3/2/2010 12:30", "2/28/2010 13:00"}, "%m/%d/%Y %H:%M"},
      {{"1/3/2010 03:09:11", "2/3/2010 12:30:00", "28/2/2010 13:00:00"}, "%d/%m/%Y %H:%M:%S"},
      {{"01-03-2010 03:09", "02-03-2010 12:30", "28-02-2010 13:00"}, "%d-%m-%Y %H:%M"},
      {{"01.03.2010 03:09:00", "2.3.2010 12:30:00"}, "%d.%m.%Y %H:%M:%S"},
      {{"1.3.10 3:09", "2.3.10 12:30"}, "%d.%m.%y %H:%M"},
      {{"01-Mar-2010 03:09", "02-Mar-2010 12:30"}, "%d-%b-%Y %H:%M"},
      {{"Mon Mar 01 03:09:00 +0000 2010", "Tue Mar 02 13:30:00 +0100 2010"}, "%a %b %d %H:%M:%S %z %Y"},
      {{"20100301030900", "20100302123000"}, "%Y%m%d%H%M%S"},
      {{"20100301T030900", "20100302T123000"}, "%Y%m%dT%H%M%S"},
  };
  for (const auto& [times, pattern] : kinds) {
    SCOPED_TRACE(pattern);
    const Visits visits = read(at(times), RoiIds{});
    EXPECT_THAT(epochs(visits), ElementsAre(3, 36));
    EXPECT_EQ(visits.time_format, pattern);
    EXPECT_THAT(visits.warnings, ElementsAre(HasSubstr("times are read as " + pattern)));
    // Said, it is the same, and no warning.
    Source source = at(times);
    source.time_format = TimeFormat::kPatterns;
    source.time_patterns = {pattern};
    const Visits said = read(source, RoiIds{});
    EXPECT_EQ(epochs(said), epochs(visits));
    EXPECT_EQ(said.time_format, pattern);
    EXPECT_THAT(said.warnings, IsEmpty());
  }
}

TEST_F(TimePatternsTest, ReadsUnixTimeOfEveryUnit) {
  EXPECT_THAT(epochs_at({"1267412940", "1267412940123", "1267412940123456", "1267412940123456789"}), ElementsAre(3));
  EXPECT_EQ(read(at({"1267412940"}), RoiIds{}).time_format, "");
  for (const auto& [format, text] : {std::pair{TimeFormat::kUnixMicroseconds, "1267412940000000"},
                                     std::pair{TimeFormat::kUnixNanoseconds, "1267412940000000000"}}) {
    for (const bool careful : {false, true}) {
      Source source = at({text});
      source.time_format = format;
      Options options;
      options.careful = careful;
      EXPECT_THAT(epochs(read_visits(source, RoiIds{}, march(), options)), ElementsAre(3));
    }
  }
}

TEST_F(TimePatternsTest, TheDataSaysWhichOrderOrTheStudyMust) {
  const std::string both = error_of<InputError>(at({"01/02/19 10:00", "03/04/19 11:00"}), RoiIds{});
  EXPECT_EQ(both, path("e.csv") +
                      ": column datetime: \"01/02/19 10:00\" can have the month or the day first, and no time in the "
                      "data tells which; set data.time_format = \"%m/%d/%y %H:%M\" (month first) or \"%d/%m/%y %H:%M\" "
                      "(day first)");
  const std::string torn = error_of<InputError>(at({"13/02/19 10:00", "02/13/19 11:00"}), RoiIds{});
  EXPECT_THAT(torn, AllOf(HasSubstr("some can only have the day first"), HasSubstr("set data.time_format")));
  // The same day either way.
  EXPECT_THAT(epochs(read(at({"3/3/10 10:00"}), RoiIds{}, {"2010-03-03 00:00:00", 3600, 24})), ElementsAre(10));
  // One file tells for the others.
  Source source = at({"01/03/2010 03:00"}, "a.csv");
  source.paths.push_back(at({"28/02/2010 03:00"}, "b.csv").paths.front());
  EXPECT_THAT(epochs(read(source, RoiIds{})), ElementsAre(3));
}

TEST_F(TimePatternsTest, FilesMayDiffer) {
  Source source = at({"2010-03-01 03:00:00"}, "a.csv");
  source.paths.push_back(at({"3/1/2010 04:00", "2/28/2010 04:00"}, "b.csv").paths.front());
  source.paths.push_back(at({"1.3.2010 5:00"}, "c.csv").paths.front());
  const Visits visits = read(source, RoiIds{});
  EXPECT_THAT(epochs(visits), ElementsAre(3, 4, 5));
  EXPECT_EQ(visits.time_format, "%m/%d/%Y %H:%M, %d.%m.%Y %H:%M");
  // A line of a file is still found in its file.
  source.paths.push_back(at({"3/1/2010 04:00", "3/1/2010 24:00", "2/28/2010 04:00"}, "d.csv").paths.front());
  EXPECT_EQ(error_of<InputError>(source, RoiIds{}),
            path("d.csv") + ":3: column datetime: \"3/1/2010 24:00\" is not a time; expected %m/%d/%Y %H:%M");
}

TEST_F(TimePatternsTest, BadRowsStayBad) {
  Source source = at({"3/1/2010 04:00", "soon", "2/28/2010 04:00", "", "2/30/2010 04:00"});
  EXPECT_THAT(error_of<InputError>(source, RoiIds{}), StartsWith(path("e.csv") + ":3: column datetime: \"soon\""));
  source.bad_rows = BadRows::kSkip;
  const Visits visits = read(source, RoiIds{});
  EXPECT_EQ(visits.tally.bad_rows,
            (std::map<std::string, std::uint64_t>{{"bad datetime", 2}, {"missing datetime", 1}}));
  // Times that are mostly ISO do not become mostly something else.
  EXPECT_THAT(error_of<InputError>(at({"2010-03-01 04:00", "2010-03-01 05:00", "13/03/2010 08:00"}), RoiIds{}),
              HasSubstr("expected ISO 8601"));
}

TEST_F(TimePatternsTest, ReadsSeveralPatternsInJsonAndParquet) {
  Source source = events(write("e.jsonl",
                               "{\"uid\": 1, \"roi\": \"r\", \"datetime\": \"3/1/10 3:09 AM\"}\n"
                               "{\"uid\": 1, \"roi\": \"r\", \"datetime\": \"2/28/10 3:09 PM\"}\n"));
  EXPECT_THAT(epochs(read(source, RoiIds{})), ElementsAre(3));
  source = events(copy("SELECT 'u' AS uid, 'r' AS roi, 20100301030900::BIGINT AS datetime", "e.parquet"));
  EXPECT_THAT(epochs(read(source, RoiIds{})), ElementsAre(3));
  source = at({"1 March 2010 at 3", "2010 060 12"});
  source.time_format = TimeFormat::kPatterns;
  source.time_patterns = {"%d %B %Y at %H", "%Y %j %H"};
  EXPECT_THAT(epochs(read(source, RoiIds{})), ElementsAre(3, 12));
}

TEST_F(TimePatternsTest, ReadsDateAndTimeInTwoColumns) {
  const std::string rows = "u,r,2010-03-01,03:09:00\nu,r,2010-03-02,12:30:00\n";
  EXPECT_THAT(epochs(read(events(write("e.csv", "uid,roi,Date,Time\n" + rows)), RoiIds{})), ElementsAre(3, 36));
  Source source = events(write("e.csv", "uid,roi,day,clock\n" + rows));
  source.columns = {{"date", "day"}, {"time", "clock"}};
  EXPECT_THAT(epochs(read(source, RoiIds{})), ElementsAre(3, 36));
  source = events(write("e.csv", "uid,roi,day,clock\nu,r,3/1/10,3:09 AM\nu,r,2/28/10,\nu,r,2/28/10,9:00 AM\n"));
  source.columns = {{"date", "day"}, {"time", "clock"}};
  EXPECT_EQ(error_of<InputError>(source, RoiIds{}), path("e.csv") + ":3: column clock: no value; expected a time");
  source.bad_rows = BadRows::kSkip;
  EXPECT_THAT(epochs(read(source, RoiIds{})), ElementsAre(3));
  source = trips(write("t.csv", "uid,d,a,start_roi,e,b,end_roi\nu,2010-03-01,3:00:00,r,2010-03-01,04:00:00,s\n"));
  source.columns = {{"start_date", "d"}, {"start_time", "a"}, {"end_date", "e"}, {"end_time", "b"}};
  EXPECT_THAT(epochs(read(source, RoiIds{})), ElementsAre(3, 4));
}

TEST_F(TimePatternsTest, AppliesOffsetsOfAColumn) {
  Source source = events(write("e.csv",
                               "uid,roi,datetime,timezoneOffset\n"
                               "u,r,Mon Mar 01 18:00:09 +0000 2010,540\n"
                               "u,s,Mon Mar 01 18:00:09 +0000 2010,-240\n"));
  source.columns = {{"utc_offset", "timezoneOffset"}};
  source.timezone = "";
  const Visits visits = read(source, RoiIds{});
  EXPECT_EQ(triples(visits), (Triples{{"u", "s", 14}, {"u", "r", 27}}));
  EXPECT_THAT(visits.warnings, ElementsAre(HasSubstr("times are read as")));
  source.paths = {write("e.csv", "uid,roi,datetime,timezoneOffset\nu,r,2010-03-01 00:00:00,x\n")};
  EXPECT_EQ(error_of<InputError>(source, RoiIds{}),
            path("e.csv") + ":2: column timezoneOffset: \"x\" is not an offset; expected minutes from -1440 to 1440");
}

TEST_F(TimePatternsTest, RefusesPatternsThatMakeNoSense) {
  const auto problem = [&](const std::string& pattern) {
    Source source = at({"3/1/10"});
    source.time_format = TimeFormat::kPatterns;
    source.time_patterns = {pattern};
    return error_of<ConfigError>(source, RoiIds{});
  };
  EXPECT_THAT(problem("%n"), HasSubstr("has \"%n\", which is not known"));
  EXPECT_THAT(problem("%Y-%m-%d %"), HasSubstr("ends in a % with nothing after it"));
  EXPECT_THAT(problem("%Y-%m-%-"), HasSubstr("ends in a %"));
  EXPECT_THAT(problem("%H:%M"), HasSubstr("does not say the whole date"));
  EXPECT_THAT(problem("%Y-%m"), HasSubstr("does not say the whole date"));
  EXPECT_THAT(problem("%Y-%m-%d %I:%M"), HasSubstr("does not say AM or PM"));
  EXPECT_THAT(problem(std::string("%Y-%m-%d\0", 9)), HasSubstr("control character"));
  EXPECT_THAT(problem(std::string(1000000, 'x')), HasSubstr("longer than 100 characters"));
  for (const CommonPattern& common : common_patterns()) {
    EXPECT_EQ(pattern_problem(common.pattern), "") << common.pattern;
    if (!common.day_first.empty()) {
      EXPECT_EQ(pattern_problem(common.day_first), "") << common.day_first;
    }
  }
}

TEST_F(TimePatternsTest, RefusesHalvesOfATime) {
  Source source = at({"3/1/10"});
  source.columns = {{"date", "datetime"}};
  EXPECT_THAT(error_of<ConfigError>(source, RoiIds{}), HasSubstr("needs both"));
  source.columns = {{"date", "a"}, {"time", "b"}, {"datetime", "c"}};
  EXPECT_THAT(error_of<ConfigError>(source, RoiIds{}), HasSubstr("either in one column"));
}

}  // namespace
}  // namespace hearsay::ingest
