// SPDX-License-Identifier: Apache-2.0
#include "engine/data_warnings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "job/run_study.h"
#include "results/manifest.h"
#include "results/test_data.h"

namespace hearsay::job {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two days, the first observed, hourly.
constexpr const char* kTwoDays =
    "[data]\nname = \"d\"\npath = \"e.csv\"\ntimezone = \"UTC\"\n"
    "[period]\nstart = \"2024-01-01 00:00\"\nlength = 48\nobserve = 24\n"
    "[study]\npriors = [\"FREQ_ROI\"]\n";

class DataWarningsTest : public testing::Test {
 protected:
  std::vector<std::string> warnings(const std::string& rows, const std::vector<std::string>& overrides = {}) {
    results::write_file(place_.path() + "/e.csv", rows);
    const experiment::Study study = experiment::parse_study(kTwoDays, "s.toml", place_.path(), overrides);
    StageClock clock;
    return engine::load(study, {}, place_.path(), clock).provenance.warnings;
  }
  // `users` people at x at ten past eight on both days.
  static std::string crowd(std::size_t users) {
    std::string rows = "uid,roi,datetime\n";
    for (std::size_t user = 0; user < users; ++user) {
      rows += fmt::format("u{0},x,2024-01-01 08:10:00\nu{0},x,2024-01-02 08:10:00\n", user);
    }
    return rows;
  }
  TemporaryFolder place_{"", "hearsay-test-"};
};

TEST_F(DataWarningsTest, AnOrdinaryTableGivesNone) {
  EXPECT_THAT(warnings(crowd(10)), IsEmpty());
}

TEST_F(DataWarningsTest, DatesWithoutTimeOfDay) {
  std::string rows = "uid,roi,datetime\n";
  for (int user = 0; user < 12; ++user) rows += fmt::format("u{0},x,2024-01-01\nu{0},x,2024-01-02\n", user);
  EXPECT_THAT(warnings(rows),
              ElementsAre(AllOf(HasSubstr("100% of the events used are at midnight"),
                                HasSubstr("map a column with the time of day (data.columns.datetime)"))));
  // Midnight UTC as a number, in a zone where the clock says another hour.
  std::string numbers = "uid,roi,datetime\n";
  for (int user = 0; user < 12; ++user) numbers += fmt::format("u{0},x,1704067200\nu{0},x,1704153600\n", user);
  EXPECT_THAT(warnings(numbers, {"data.timezone=Europe/Berlin"}), ElementsAre(HasSubstr("are at midnight")));
  // By day the time of day does not matter.
  EXPECT_THAT(warnings(rows, {"period.epoch=1 day", "period.length=2", "period.observe=1"}), IsEmpty());
}

TEST_F(DataWarningsTest, NearlyAllEventsAtOneSecond) {
  std::string rows = crowd(10);
  for (int user = 0; user < 200; ++user) {
    rows += fmt::format("u{0},x,2024-01-02 09:00:01\nu{0},y,2024-01-02 09:00:01\n", user);
  }
  EXPECT_THAT(warnings(rows), ElementsAre(AllOf(HasSubstr("95% of the events used are in one epoch"),
                                                HasSubstr("2024-01-02 09:00:00"), HasSubstr("data.columns.datetime"))));
}

TEST_F(DataWarningsTest, OneEventAUser) {
  std::string rows = "uid,roi,datetime\n";
  for (int ride = 0; ride < 60; ++ride) {
    rows += fmt::format("ride{},x,2024-01-0{} {:02}:10:00\n", ride, 1 + ride % 2, ride % 24);
  }
  EXPECT_THAT(warnings(rows),
              ElementsAre(AllOf(HasSubstr("60 of 60 users have one visit only"), HasSubstr("data.columns.uid"))));
}

TEST_F(DataWarningsTest, OneTripAUser) {
  std::string rows = "ride_id,start_time,start_roi,end_time,end_roi\n";
  for (int ride = 0; ride < 60; ++ride) {
    rows +=
        fmt::format("r{0},2024-01-0{1} {2:02}:10:00,x,2024-01-0{1} {2:02}:40:00,y\n", ride, 1 + ride % 2, ride % 24);
  }
  EXPECT_THAT(
      warnings(rows, {"data.format=trips", "data.columns.uid=ride_id"}),
      ElementsAre(AllOf(HasSubstr("60 of 60 users have one trip only"), HasSubstr("number trips, not people"))));
  // A second trip is a habit to know.
  for (int ride = 0; ride < 60; ++ride) rows += fmt::format("r{0},2024-01-01 20:10:00,x,2024-01-01 20:40:00,y\n", ride);
  EXPECT_THAT(warnings(rows, {"data.format=trips", "data.columns.uid=ride_id"}), IsEmpty());
}

TEST_F(DataWarningsTest, OneAndTwoUsers) {
  EXPECT_THAT(warnings(crowd(1)), ElementsAre(HasSubstr("only 1 user: ")));
  EXPECT_THAT(warnings(crowd(2)), ElementsAre(AllOf(HasSubstr("only 2 users: "), HasSubstr("data.columns.uid"))));
  EXPECT_THAT(warnings(crowd(9)), ElementsAre(HasSubstr("only 9 users: ")));
}

TEST_F(DataWarningsTest, NothingObserved) {
  std::string rows = "uid,roi,datetime\n";
  for (int user = 0; user < 12; ++user) {
    rows += fmt::format("u{0},x,2024-01-02 08:10:00\nu{0},x,2024-01-02 11:10:00\n", user);
  }
  EXPECT_THAT(warnings(rows),
              ElementsAre(AllOf(HasSubstr("no visit in the observation period, 2024-01-01 00:00:00 to 2024-01-02"),
                                HasSubstr("change period.start or period.observe"))));
}

TEST_F(DataWarningsTest, MostEventsOutsideThePeriod) {
  std::string rows = crowd(10);
  for (int event = 0; event < 20; ++event) rows += "u1,x,2024-02-01 08:10:00\n";
  EXPECT_THAT(warnings(rows), IsEmpty());  // half of them
  rows += "u1,x,2024-02-01 08:10:00\n";
  EXPECT_THAT(warnings(rows), ElementsAre(AllOf(HasSubstr("51% of the events are outside the study period"),
                                                HasSubstr("period.start"))));
}

TEST_F(DataWarningsTest, MostEventsOutsideThePlaces) {
  std::string rows = crowd(10);
  for (int event = 0; event < 980; ++event) rows += "u1,elsewhere,2024-01-01 09:10:00\n";
  results::write_file(place_.path() + "/rois.csv", "roi\nx\n");
  EXPECT_THAT(warnings(rows, {"rois.list=rois.csv"}),
              ElementsAre(AllOf(HasSubstr("98% of the events in the study period are outside the list of places"),
                                HasSubstr("rois.list"))));
  std::string fixes = "uid,lat,lng,datetime\n";
  for (int user = 0; user < 12; ++user) {
    fixes += fmt::format("u{0},1,1,2024-01-01 08:10:00\nu{0},1,1,2024-01-02 08:10:00\n", user);
  }
  for (int event = 0; event < 50; ++event) fixes += "u1,50,8,2024-01-01 09:10:00\n";
  EXPECT_THAT(warnings(fixes, {"rois.kind=grid", "rois.south=0", "rois.north=2", "rois.west=0", "rois.east=2",
                               "rois.rows=2", "rois.cols=2"}),
              ElementsAre(AllOf(HasSubstr("outside the box of the grid"), HasSubstr("rois.south"))));
}

TEST_F(DataWarningsTest, TheyAreInTheManifestAndOnThePage) {
  results::write_file(place_.path() + "/e.csv", crowd(2));
  RunOptions options;
  options.out = place_.path() + "/out";
  run_study(experiment::parse_study(kTwoDays, "s.toml", place_.path(), {}), options);
  for (const char* name : {"/manifest.json", "/report.json"}) {
    const results::Json json = results::Json::parse(results::read_text(options.out + name));
    ASSERT_EQ(json.at("warnings").size(), 1U) << name;
    EXPECT_THAT(json.at("warnings")[0].get<std::string>(), HasSubstr("only 2 users")) << name;
  }
  const results::Json data = results::Json::parse(results::read_text(options.out + "/report.json")).at("dataset");
  EXPECT_EQ(data.at("events"), 4);
  EXPECT_EQ(data.at("used"), 4);
  EXPECT_EQ(data.at("outside_period"), 0);
  EXPECT_EQ(data.at("outside_rois"), 0);
}

}  // namespace
}  // namespace hearsay::job
