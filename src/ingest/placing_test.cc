// SPDX-License-Identifier: Apache-2.0
//
// Where and when events fall: the grid, epochs, time forms, ROI lists, order, repeats.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "ingest/test_files.h"
#include "ingest/time_zone.h"

namespace hearsay::ingest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PlacingTest : public FilesTest {
 protected:
  // Epochs of one user's events at these times.
  std::vector<std::uint32_t> epochs_of(const std::vector<std::string>& times, const std::string& timezone,
                                       const Period& period, TimeFormat format = TimeFormat::kAuto) const {
    std::string text = "uid,roi,datetime\n";
    for (std::size_t i = 0; i < times.size(); ++i) text += fmt::format("u{:03},r,{}\n", i, times[i]);
    Source source = events(write("e.csv", text));
    source.timezone = timezone;
    source.time_format = format;
    const Visits visits = read(source, RoiIds{}, period);
    std::vector<std::uint32_t> list(times.size(), 999);
    for (const Visit& visit : visits.visits.all())
      list.at(std::stoul(visits.users[visit.user].substr(1))) = visit.epoch;
    return list;
  }
};

TEST_F(PlacingTest, ReadsEveryFormOfTime) {
  EXPECT_THAT(epochs_of({"2010-03-01 08:30:00", "2010-03-01T08:30", "2010-03-01T08:30:00Z", "2010-03-01 08:30:00+01:00",
                         "2010-03-01 08:30:00-0130", "2010-03-01T08:30:00.250+01", "1267432200", "1267432200000",
                         "1267432200.75", "2010-03-01", "2010-03-01 08:30:00 UTC", "2010-03-01T08:30+02:00"},
                        "UTC", march()),
              ElementsAre(8, 8, 8, 7, 10, 7, 8, 8, 8, 0, 8, 6));
  // Nothing but numbers, which are parsed without DuckDB.
  EXPECT_THAT(epochs_of({"1267432200", "1267435800000", "1267439400.75"}, "UTC", march()), ElementsAre(8, 9, 10));
  EXPECT_THAT(epochs_of({"3600", "-1"}, "UTC", {"1969-12-31 00:00:00", 3600, 48}, TimeFormat::kUnixSeconds),
              ElementsAre(25, 23));
  EXPECT_THAT(epochs_of({"3600000"}, "UTC", {"1970-01-01 00:00:00", 3600, 48}, TimeFormat::kUnixMilliseconds),
              ElementsAre(1));
}

TEST_F(PlacingTest, CountsMidnightsAndTheBusiestEpoch) {
  const Source source = events(write("e.csv",
                                     "uid,roi,datetime\n"
                                     "a,r,2010-03-01\n"
                                     "a,r,2010-03-01 00:00:01\n"
                                     "a,r,2010-03-02 05:00:00\n"
                                     "a,r,2010-03-02 05:30:00\n"
                                     "b,r,2010-03-02 05:30:00\n"
                                     "b,r,2010-03-02T00:00:00+01:00\n"  // 23:00 on the clock
                                     "b,r,2010-04-01\n"));              // outside
  const Tally tally = read(source, RoiIds{}).tally;
  EXPECT_EQ(tally.used, 6U);
  EXPECT_EQ(tally.at_midnight, 1U);
  EXPECT_EQ(tally.in_busiest_epoch, 3U);
  EXPECT_EQ(tally.busiest_epoch, 29U);
  const Tally shifted = read(events(write("n.csv", "uid,roi,datetime\na,r,1267401600\n")), RoiIds{}).tally;
  EXPECT_EQ(shifted.at_midnight, 1U);
}

TEST_F(PlacingTest, FollowsTheClockInLondon) {
  // Clocks went from 01:00 to 02:00 on 28 March 2010.
  const Period day{"2010-03-28 00:00:00", 3600, 24};
  EXPECT_THAT(epochs_of({"2010-03-28T00:59:59Z", "2010-03-28T01:00:00Z", "1269738000", "2010-03-28 01:30:00"},
                        "Europe/London", day),
              ElementsAre(0, 2, 2, 1));
}

TEST_F(PlacingTest, FollowsTheClockInLosAngeles) {
  // Forward at 10:00 UTC on 9 March 2008, back at 09:00 UTC on 2 November.
  EXPECT_THAT(epochs_of({"2008-03-09T09:59:59Z", "2008-03-09T10:00:00Z"}, "America/Los_Angeles",
                        {"2008-03-09 00:00:00", 3600, 24}),
              ElementsAre(1, 3));
  EXPECT_THAT(epochs_of({"2008-11-02T08:30:00Z", "2008-11-02T09:30:00Z", "2008-11-02T10:00:00Z"}, "America/Los_Angeles",
                        {"2008-11-02 00:00:00", 3600, 24}),
              ElementsAre(1, 1, 2));
}

TEST_F(PlacingTest, FirstAndLastEventAreExactFarFromThePeriod) {
  Source source =
      events(write("e.csv", "uid,roi,datetime\nu,r,2009-07-01T12:00:00Z\nu,r,2010-03-01\nu,r,2011-07-01T12:00:00Z\n"));
  const Visits visits = read(source, RoiIds{});
  EXPECT_EQ(visits.first_event, "2009-07-01 13:00:00");
  EXPECT_EQ(visits.last_event, "2011-07-01 13:00:00");
  EXPECT_THAT(visits.warnings, IsEmpty());
}

TEST_F(PlacingTest, WarnsWhereTheDataEndsMoreThanADayBeforeThePeriod) {
  const auto warnings = [&](const std::string& last) {
    return read(events(write("e.csv", "uid,roi,datetime\nu,r," + last + "\n")), RoiIds{}).warnings;
  };
  EXPECT_THAT(warnings("2010-03-02 00:00:00"), IsEmpty());
  EXPECT_THAT(warnings("2010-03-01 23:59:59"),
              ElementsAre("the study period ends 2010-03-03 00:00:00, but the last event is at 2010-03-01 23:59:59: "
                          "the epochs after it are empty"));
}

TEST_F(PlacingTest, WarnsWhereNoTimeZoneIsSet) {
  Source source = events(write("e.csv", "uid,roi,datetime\nu,r,2010-03-02 23:30:00\n"));
  source.timezone = "";
  const Visits visits = read(source, RoiIds{});
  EXPECT_EQ(visits.timezone, "UTC");
  EXPECT_THAT(visits.warnings, ElementsAre(HasSubstr("data.timezone is not set: UTC is used")));
}

TEST_F(PlacingTest, EpochsOfOtherLengths) {
  EXPECT_THAT(epochs_of({"2010-03-01 00:14:59", "2010-03-01 00:15:00", "2010-03-02 23:59:59"}, "UTC",
                        {"2010-03-01 00:00:00", 900, 192}),
              ElementsAre(0, 1, 191));
}

TEST_F(PlacingTest, EdgesOfTheGrid) {
  const Grid box{37.7, 37.8, -122.5, -122.3, 10, 10};
  const Visits visits = read(events(write("e.csv",
                                          "uid,lat,lng,datetime\n"
                                          "corner,37.7,-122.5,2010-03-01\n"
                                          "edge,37.73,-122.44,2010-03-01\n"
                                          "below,37.7299999,-122.4400001,2010-03-01\n"
                                          "last,37.7999999,-122.3000001,2010-03-01\n"
                                          "north,37.8,-122.4,2010-03-01\n"
                                          "east,37.75,-122.3,2010-03-01\n"
                                          "south,37.6999999,-122.4,2010-03-01\n"
                                          "west,37.75,-122.5000001,2010-03-01\n")),
                             box);
  EXPECT_EQ(triples(visits), (Triples{{"below", "22", 0}, {"corner", "0", 0}, {"edge", "33", 0}, {"last", "99", 0}}));
  EXPECT_EQ(visits.tally.outside_rois, 4U);
  ASSERT_EQ(visits.rois.size(), 100U);
  EXPECT_NEAR(*visits.rois[11].lat, 37.715, 1e-12);
  EXPECT_NEAR(*visits.rois[11].lng, -122.47, 1e-12);
}

TEST_F(PlacingTest, RepeatsCollapseAndOrderIsByEpochUserRoi) {
  const Visits visits =
      read(events(write("e.csv",
                        "uid,roi,datetime\n"
                        "a,z,2010-03-01 01:00:00\nB,z,2010-03-01 01:10:00\na,y,2010-03-01 01:20:00\n"
                        "a,z,2010-03-01 01:59:59\na,z,2010-03-01 00:00:00\na,Z,2010-02-01 00:00:00\n")),
           RoiIds{});
  EXPECT_THAT(visits.users, ElementsAre("B", "a"));
  EXPECT_EQ(triples(visits), (Triples{{"a", "z", 0}, {"B", "z", 1}, {"a", "y", 1}, {"a", "z", 1}}));
  EXPECT_EQ(visits.rois.size(), 2U);
  EXPECT_EQ(visits.tally.events, 6U);
  EXPECT_EQ(visits.tally.used, 5U);
  EXPECT_EQ(visits.tally.outside_period, 1U);
}

TEST_F(PlacingTest, AListGivesTheRois) {
  const std::string list = write("rois.csv", "station,name,latitude,lon\nz,Zoo,51.5,-0.1\nunseen,,,\na,Arch,,\n");
  const Visits visits = read(events(write("e.csv",
                                          "uid,roi,datetime\nu,a,2010-03-01\nu,z,2010-03-01\nu,q,2010-03-01\n"
                                          "only q,q,2010-03-01\n")),
                             RoiIds{list});
  ASSERT_EQ(visits.rois.size(), 3U);
  EXPECT_EQ(visits.inputs.at(1).name, list);
  EXPECT_TRUE(visits.inputs[1].places);
  EXPECT_FALSE(visits.inputs[0].places);
  EXPECT_EQ(visits.rois[0].name, "Zoo");
  EXPECT_EQ(visits.rois[0].lat, 51.5);
  EXPECT_EQ(visits.rois[1].id, "unseen");
  EXPECT_EQ(visits.rois[1].lng, std::nullopt);
  EXPECT_EQ(triples(visits), (Triples{{"u", "z", 0}, {"u", "a", 0}}));
  EXPECT_THAT(visits.users, ElementsAre("u"));
  EXPECT_EQ(visits.tally.outside_rois, 2U);
  EXPECT_EQ(visits.tally.used, 2U);
}

TEST_F(PlacingTest, AListMayHaveOneColumnAndOtherFormats) {
  const std::string data = write("e.csv", "uid,roi,datetime\nu,a,2010-03-01\n");
  EXPECT_EQ(read(events(data), RoiIds{write("l.csv", "roi\nb\n\na\n")}).visits.all().at(0).roi, 1U);
  EXPECT_EQ(read(events(data), RoiIds{write("l.jsonl", "{\"id\": \"b\"}\n{\"id\": \"a\", \"lat\": 1}\n")}).rois[1].lat,
            1.0);
  EXPECT_EQ(read(events(data), RoiIds{copy("SELECT 'a' AS roi, 2 AS lat", "l.parquet")}).rois[0].lat, 2.0);
}

TEST_F(PlacingTest, AgreesWithAPlainReference) {
  const Grid box{37.727, 37.7987, -122.435, -122.3682, 7, 11};
  const Period period{"2010-03-27 12:00:00", 1800, 96};
  const std::int64_t start = *parse_civil(period.start) / kSecond;
  std::mt19937_64 random(7);
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> expected;
  std::string text = "uid,lat,lng,datetime\n";
  for (int i = 0; i < 5000; ++i) {
    const auto user = static_cast<std::uint32_t>(random() % 10);
    const auto y = static_cast<std::int64_t>(377200000 + random() % 900000);
    const auto x = static_cast<std::int64_t>(-1224400000 + static_cast<std::int64_t>(random() % 800000));
    const auto time = static_cast<std::int64_t>(start - 10000 + static_cast<std::int64_t>(random() % 200000));
    text +=
        fmt::format("u{},{:.7f},{:.7f},{}\n", user, static_cast<double>(y) / 1e7, static_cast<double>(x) / 1e7, time);
    const std::int64_t civil = time + (time >= 1269738000 ? 3600 : 0) - start;  // summer time from 01:00 UTC
    const bool in_box = y >= 377270000 && y < 377987000 && x >= -1224350000 && x < -1223682000;
    if (civil < 0 || civil >= 172800 || !in_box) continue;
    const auto cell = (y - 377270000) * 7 / 717000 * 11 + (x + 1224350000) * 11 / 668000;
    expected.emplace(static_cast<std::uint32_t>(civil / 1800), user, static_cast<std::uint32_t>(cell));
  }
  const Visits visits = read(events(write("e.csv", text)), box, period);
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> found;
  for (const Visit& visit : visits.visits.all()) found.emplace_back(visit.epoch, visit.user, visit.roi);
  EXPECT_EQ(found,
            (std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>(expected.begin(), expected.end())));
  EXPECT_GT(found.size(), 1000U);
}

}  // namespace
}  // namespace hearsay::ingest
