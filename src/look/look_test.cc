// SPDX-License-Identifier: Apache-2.0
//
// What is guessed of files, and what the study of them says.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "base/civil_time.h"
#include "base/errors.h"
#include "base/temporary_folder.h"
#include "look/study_text.h"

namespace hearsay::look {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class LookTest : public testing::Test {
 protected:
  // Twelve people, each every few hours at a place of five; `row` writes a line for a user, a place and a time.
  using Row = std::function<std::string(int user, int place, const std::string& time)>;
  static std::string rows(const Row& row, int days = 14, const std::string& start = "2019-03-04 00:00:00") {
    std::string text;
    for (int hour = 0; hour < 24 * days; ++hour) {
      for (int user = 0; user < 12; ++user) {
        if ((hour + 5 * user) % 7 != 0) continue;
        text += row(user, (user + hour % 24 / 8) % 5, format_civil(*parse_civil(start) + 3600LL * hour * kSecond));
      }
    }
    return text;
  }

  static std::string fixes(double lat, double lng, int days = 14) {
    return "uid,lat,lng,datetime\n" + rows(
                                          [&](int user, int place, const std::string& time) {
                                            return fmt::format("u{},{:.3f},{:.3f},{}\n", user, lat + 0.01 * place,
                                                               lng + 0.01 * (place * 2 % 5), time);
                                          },
                                          days);
  }

  static std::string stations(const std::string& header, const std::string& format = "u{},s{},{}\n") {
    return header + rows([&](int user, int place, const std::string& time) {
             return fmt::format(fmt::runtime(format), user, place, time);
           });
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() + "/" + name, std::ios::binary) << text;
  }

  Sight look(const std::string& name, const Given& given = {}) const {
    ingest::Options options;
    return look_at(std::vector<std::string>{folder_.path() + "/" + name}, options, given);
  }

  Sight look_in(const std::string& text, const Given& given = {}) const {
    write("data.csv", text);
    return look("data.csv", given);
  }

  std::string study(const Sight& sight) const { return study_text(sight, folder_.path()); }

  TemporaryFolder folder_{"", "hearsay-test-"};
};

TEST_F(LookTest, TheBoxIsOfCleanRowsAndHoldsTheEdge) {
  const Sight sight = look_in(fixes(51.5, -0.1) + "u1,NaN,-0.1,2019-03-05 10:00:00\nu1,inf,0,2019-03-05 11:00:00\n");
  const auto& grid = std::get<ingest::Grid>(sight.rois);
  EXPECT_THAT(study(sight), HasSubstr("south = 51.500\nnorth = 51.541\nwest = -0.100\neast = -0.059\n"));
  EXPECT_GT(grid.cols, 1U);
  ASSERT_TRUE(sight.survey->city);
  EXPECT_EQ(sight.survey->city->inside, sight.survey->events) << "coordinates on the northern edge are inside";
  EXPECT_EQ(sight.survey->bad_rows.at("bad lat"), 1U);
}

TEST_F(LookTest, TheBoxIsOfOneCity) {
  std::string elsewhere;
  for (int i = 0; i < 40; ++i) elsewhere += fmt::format("u1,{},2.35,2019-03-05 10:{:02}:00\n", 48.8 + 0.001 * i, i);
  const Sight sight = look_in(fixes(51.5, -0.1) + elsewhere + "u1,0,0,2019-03-05 12:00:00\n");
  const std::string text = study(sight);
  EXPECT_THAT(text, HasSubstr("south = 51.500\nnorth = 51.541\nwest = -0.100\neast = -0.059\n"));
  EXPECT_EQ(sight.survey->events - sight.survey->city->inside, 41U);
  EXPECT_THAT(text, ContainsRegex("rows = [0-9]+ .* about the densest city; 6\\.6 of 100 events lie outside\n"));
  EXPECT_THAT(text, HasSubstr("timezone = \"Europe/London\""));
  EXPECT_THAT(sight.odd, testing::Contains(HasSubstr("lie outside the box of the densest city")));
}

TEST_F(LookTest, SwappedCoordinatesAreReadTheRightWayRound) {
  const std::vector<std::tuple<double, double, std::string>> swapped = {{-74.0, 40.7, "America/New_York"},
                                                                        {-118.2, 34.0, "America/Los_Angeles"},
                                                                        {-0.1, 51.5, "Europe/London"},
                                                                        {2.3, 48.8, "Europe/Paris"}};
  for (const auto& [lat, lng, zone] : swapped) {
    const Sight sight = look_in(fixes(lat, lng));
    const std::string text = study(sight);
    EXPECT_THAT(text, ContainsRegex("\nlat = \"lng\" +# latitude and longitude are swapped: "));
    EXPECT_THAT(text, ContainsRegex("\nlng = \"lat\" +# latitude and longitude are swapped: "));
    EXPECT_EQ(sight.source.timezone, zone);
    EXPECT_THAT(sight.survey->bad_rows, IsEmpty());
    EXPECT_THAT(sight.odd, testing::Contains(HasSubstr("data.columns.lat = \"lng\" and data.columns.lng = \"lat\"")));
  }
  const std::vector<std::pair<double, double>> right = {{51.5, -0.1},   {40.7, -74.0}, {30.0, 31.2},
                                                        {-33.9, 151.2}, {64.1, -21.9}, {-1.3, 36.8}};
  for (const auto& [lat, lng] : right) {
    EXPECT_THAT(study(look_in(fixes(lat, lng))), Not(HasSubstr("swapped"))) << lat << ", " << lng;
  }
}

TEST_F(LookTest, TimesWithoutAnOffsetMayBeUtc) {
  // Everybody is out from 9 to 12 in New York, which is 13:00 to 16:00 in UTC.
  const auto at = [](int shift) {
    return "uid,lat,lng,datetime\n" + rows([&](int user, int place, const std::string& time) {
             const int hour = 9 + (user + place) % 3 + shift;
             return fmt::format("u{},{},-74.0,{} {:02}:20:00\n", user, 40.7 + 0.01 * place, time.substr(0, 10), hour);
           });
  };
  const Sight sight = look_in(at(-7));
  const std::string sentence =
      "times have no offset and are read as local time: most events are at 02:00 to 05:00. If the times are UTC, most "
      "are at 21:00 to 00:00 local time: set data.utc = true";
  EXPECT_THAT(study(sight), ContainsRegex("\n# utc = true +# " + sentence + "\n"));
  EXPECT_THAT(sight_text(sight, 100), HasSubstr("\nclock: " + sentence + "\n"));
  EXPECT_THAT(look_in(at(4)).odd, Not(testing::Contains(HasSubstr("at night"))));
  EXPECT_THAT(look_in(at(-8)).odd, testing::Contains(HasSubstr("most events are at night, at 01:00 to 04:00")));
  const Sight flat = look_in(fixes(40.7, -74));
  EXPECT_THAT(study(flat), HasSubstr("# times have no offset and are read as local time. If they are UTC"));
  std::string named = at(4);
  named.replace(named.find("datetime"), 8, "utc_time");
  const Sight utc = look_in(named);
  EXPECT_THAT(study(utc), ContainsRegex("\nutc = true +# the column \"utc_time\" says so\n"));
  EXPECT_GT(utc.survey->hours[9], 0U);
  EXPECT_EQ(utc.survey->hours[13], 0U);
}

TEST_F(LookTest, ShortDataHaveShortPeriods) {
  EXPECT_THAT(study(look_in(fixes(51.5, -0.1, 1))),
              ContainsRegex("start = 2019-03-04 .*\nlength = \"1 day\"\nobserve = \"18h\"\n"));
  EXPECT_THAT(study(look_in(fixes(51.5, -0.1, 8))),
              ContainsRegex("start = 2019-03-04 .*\nlength = \"8 days\"\nobserve = \"6 days\"\n"));
  std::string hour = "uid,lat,lng,datetime\n";
  for (int i = 0; i < 60; ++i) hour += fmt::format("u{},51.5,-0.1,2019-03-04 20:{:02}:00\n", i % 7, i);
  EXPECT_THAT(study(look_in(hour)), ContainsRegex("start = 2019-03-04 20:00:00 .*\nepoch = \"15 min\"\nlength = "
                                                  "\"1h\"\nobserve = \"45 min\"\n"));
  EXPECT_THAT(study(look_in("uid,lat,lng,datetime\na,51.5,-0.1,2019-03-04 20:30:00\n")),
              ContainsRegex("start = 2019-03-04 20:29:00 .*\nepoch = \"1 min\"\nlength = \"2 min\"\nobserve = \"1 "
                            "min\"\n"))
      << "the only event is inferred";
}

TEST_F(LookTest, UnknownColumnsComeWithChoices) {
  const Sight sight = look_in(stations("code,passenger_ref,stn,when\n", "9{0}{1}{0},p{0},s{1},{2}\n"));
  ASSERT_EQ(sight.unknowns.size(), 2U);
  EXPECT_EQ(sight.unknowns[0].setting, "data.columns.roi");
  EXPECT_EQ(sight.unknowns[0].choices.front().settings.front().second, "\"stn\"");
  EXPECT_EQ(sight.unknowns[1].choices.front().settings.front().second, "\"passenger_ref\"");
  const std::string text = study(sight);
  EXPECT_THAT(text, HasSubstr("\n# UNKNOWN 2 of 2: which column says who an event is of?\n# uid = \"passenger_ref\""));
  EXPECT_THAT(text, HasSubstr("# 1: 12 different values in 576 rows\n"));
  EXPECT_THAT(text, ContainsRegex("\ndatetime = \"when\" +# the first column whose values look like times\n"));
  EXPECT_THAT(text, HasSubstr("start = 2019-03-04")) << "what does not hang on them is guessed";
  EXPECT_THAT(sight.problem, HasSubstr("column uid: not found"));
}

TEST_F(LookTest, FilesWithoutEventsStillHaveAStudy) {
  const Sight words = look_in("a,b\nc,d\n");
  EXPECT_EQ(words.unknowns.size(), 4U);
  EXPECT_THAT(study(words), HasSubstr("# UNKNOWN 4 of 4: which days does the study cover?"));
  const Sight bad = look_in("uid,lat,lng,datetime\na,91,200,2019-03-04 20:30:00\n");
  EXPECT_THAT(bad.problem, HasSubstr("no row can be read as an event; lat out of range: 1 rows"));
  EXPECT_THAT(study(bad), HasSubstr("# UNKNOWN 1 of 2: which box holds the places?"));
}

TEST_F(LookTest, EitherOrderOfMonthAndDayHasItsPeriod) {
  const std::string text =
      "uid,roi,datetime\n" + rows(
                                 [](int user, int place, const std::string& time) {
                                   return fmt::format("u{},s{},{}/{}/2019 {}\n", user, place, time.substr(8, 2),
                                                      time.substr(5, 2), time.substr(11, 5));
                                 },
                                 9);
  const std::string guessed = study(look_in(text));
  EXPECT_THAT(guessed, ContainsRegex("# time_format = \"%m/%d/%Y %H:%M\" +# 1: the month first\n"
                                     "# time_format = \"%d/%m/%Y %H:%M\" +# 2: the day first\n"));
  EXPECT_THAT(guessed, ContainsRegex("\\[period\\]\n# UNKNOWN 2 of 2: .*\n"
                                     "# start = 2019-[0-9-]+ +# 1: the month first\n# length = .*\n# observe = .*\n"
                                     "# start = 2019-03-04 +# 2: the day first\n# length = \"9 days\"\n"
                                     "# observe = \"1 week\"\n"));
}

TEST_F(LookTest, TheZoneFollowsFromAnyCoordinates) {
  const auto zone = [&](const Given& given = {}) { return look("data.csv", given).source.timezone; };
  write("data.csv", stations("uid,roi,datetime\n"));
  EXPECT_EQ(zone(), "");
  write("list.csv", "id,lat,lon\ns0,48.85,2.35\ns1,48.86,2.33\n");
  const ingest::RoiIds list{folder_.path() + "/list.csv"};
  EXPECT_EQ(zone({{}, list, {{"rois.list", "\"list.csv\""}}}), "Europe/Paris");
  write("data.csv", stations("uid,start_station_id,started_at,end_station_id,ended_at,start_lat,start_lng\n",
                             "u{0},s{1},{2},s1,{2},40.7,-74.0\n"));
  EXPECT_EQ(zone(), "America/New_York");
  EXPECT_EQ(zone({{}, ingest::RoiIds{"", "", {}, true}, {{"rois.kind", "\"flows\""}}}), "America/New_York");
  write("data.csv", stations("uid,lat,lng,venue,datetime\n", "u{0},35.6,139.7,s{1},{2}\n"));
  EXPECT_EQ(zone(), "Asia/Tokyo");
  EXPECT_EQ(zone({{}, ingest::RoiIds{}, {{"rois.kind", "\"ids\""}}}), "Asia/Tokyo");
  write("zones.json",
        R"({"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":{},"geometry":{"type":)"
        R"("Polygon","coordinates":[[[139,35],[140,35],[140,36],[139,36],[139,35]]]}}]})");
  const Given zones{{}, ingest::Zones{folder_.path() + "/zones.json"}, {{"rois.kind", "\"zones\""}}};
  EXPECT_EQ(zone(zones), "Asia/Tokyo");
  EXPECT_THAT(study(look("data.csv", zones)), Not(HasSubstr("south")));
}

TEST_F(LookTest, SettingsThatAreGivenAreTaken) {
  write("data.csv", stations("person_no,other,roi,datetime\n", "{0},{0},s{1},{2}\n"));
  Given given;
  given.source.columns["uid"] = "other";
  given.source.timezone = "Asia/Tokyo";
  given.settings = {{"data.columns.uid", "\"other\""},
                    {"data.timezone", "\"Asia/Tokyo\""},
                    {"study.seed", "4"},
                    {"period.observe", "\"3 days\""}};
  const Sight sight = look("data.csv", given);
  EXPECT_THAT(sight.unknowns, IsEmpty());
  const std::string text = study(sight);
  EXPECT_THAT(text, HasSubstr("timezone = \"Asia/Tokyo\"\n\n[data.columns]\nuid = \"other\"\n"));
  EXPECT_THAT(text, HasSubstr("length = \"2 weeks\"\nobserve = \"3 days\"\n\n[study]\nseed = 4\n"));
  given.source.timezone = "Asia/Tokio";
  EXPECT_THROW(look("data.csv", given), ConfigError);
}

TEST_F(LookTest, OtherEncodingsAreTold) {
  const Sight chinese = look_in(stations("uid,roi,datetime\n", "\xD5\xC5\xC8\xFD{},\xB1\xB1\xBE\xA9{},{}\n"));
  EXPECT_THAT(chinese.odd, testing::Contains(HasSubstr("`iconv -f GB18030 -t UTF-8 ")));
  EXPECT_THAT(study(chinese), HasSubstr("encoding = \"latin-1\""));
  EXPECT_THAT(chinese.problem, IsEmpty());
  EXPECT_THAT(look_in(stations("uid,roi,datetime\n", "\xB0\x41\xB3\xC4\xC5\xC6{},s{},{}\n")).odd,
              testing::Contains(HasSubstr("looks like GB18030")))
      << "the second byte of a character may be a letter of ASCII";
  // Bytes that Latin-1 has no letters for: such text can be read no way but converted.
  const Sight rare =
      look_in(stations("uid,roi,datetime\n", "\x81\x8F\x8F\xB3{},s{},{}\n") + "a,s1,2019-03-05 10:00:00\n");
  EXPECT_THAT(rare.odd, testing::Contains(HasSubstr("convert it, such as by `iconv -f ")));
  EXPECT_EQ(rare.survey->events, 1U);
  try {
    look_in(stations("uid\x81\x8F\x90\xB3,roi,datetime\n", "\x81\x8F\x8F\xB3{},s{},{}\n"));
    FAIL() << "the names of the columns cannot be read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("looks like GB18030"));
  }
  const Sight cyrillic = look_in(stations("uid,roi,datetime\n", "\xC8\xE2\xE0\xED\xEE{},s{},{}\n"));
  EXPECT_THAT(cyrillic.odd, testing::Contains(HasSubstr("windows-1251")));
  EXPECT_THAT(look_in(stations("uid,roi,datetime\n", "Andr\xE9{},s{},{}\n")).odd, IsEmpty());
}

TEST_F(LookTest, NothingThatIsPrintedActsOnTheTerminal) {
  const Sight sight = look_in(stations("u\x1b[31m,roi\xC2\x9B,datetime\n", "u\x1b[2J{},s\xE2\x80\xAE{},{}\n"));
  for (const std::string& text : {sight_text(sight, 100), study(sight), sight_json(sight)}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\xC2\x9B")));
    EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE")));
  }
  EXPECT_THAT(study(sight), HasSubstr("# uid = \"u\\u001B[31m\""));
}

}  // namespace
}  // namespace hearsay::look
