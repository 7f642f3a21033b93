// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ingest/test_files.h"
#include "storage/file_digest.h"

namespace hearsay::ingest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FormatsTest : public FilesTest {
 protected:
  // The same three events whatever the file.
  static constexpr const char* kQuery =
      "SELECT * FROM (VALUES ('ann', 0.5, 0.5, '2010-03-01 08:30:00'), ('bob', 1.5, 0.5, '2010-03-01 09:00:00'), "
      "('ann', 0.5, 1.5, '2010-03-02 23:59:59')) AS t(uid, lat, lng, datetime)";

  static void expect_events(const Visits& visits) {
    EXPECT_EQ(triples(visits), (Triples{{"ann", "0", 8}, {"bob", "2", 9}, {"ann", "1", 47}}));
    EXPECT_EQ(visits.tally.rows, 3);
    EXPECT_EQ(visits.tally.used, 3);
    EXPECT_EQ(visits.first_event, "2010-03-01 08:30:00");
    EXPECT_EQ(visits.last_event, "2010-03-02 23:59:59");
    EXPECT_EQ(visits.timezone, "Europe/London");
    EXPECT_TRUE(visits.warnings.empty());
  }
};

TEST_F(FormatsTest, ReadsEveryFormat) {
  for (const char* name : {"e.csv", "e.csv.gz", "e.csv.zst", "E.CSV", "e.parquet", "e.json", "e.json.gz"}) {
    SCOPED_TRACE(name);
    expect_events(read(events(copy(kQuery, name))));
  }
  std::filesystem::rename(path("e.json"), path("e.jsonl"));
  expect_events(read(events(path("e.jsonl"))));
}

TEST_F(FormatsTest, ReadsOtherDelimiters) {
  for (const auto& [name, delimiter] :
       {std::pair{"e.tsv", "\t"}, std::pair{"semicolon.csv", ";"}, std::pair{"pipe.txt", "|"}}) {
    SCOPED_TRACE(name);
    storage::Database database({});
    database.execute(fmt::format("COPY ({}) TO $1 (FORMAT csv, DELIMITER '{}')", kQuery, delimiter), {path(name)});
    expect_events(read(events(path(name))));
  }
}

TEST_F(FormatsTest, ReadsTypedParquet) {
  const std::string base = "SELECT * REPLACE ({}::{} AS datetime) FROM (" + std::string(kQuery) + ")";
  for (const char* type : {"TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMPTZ"}) {
    SCOPED_TRACE(type);
    expect_events(read(events(copy(fmt::format(fmt::runtime(base), "datetime::TIMESTAMP", type), "e.parquet"))));
  }
  expect_events(
      read(events(copy(fmt::format(fmt::runtime(base), "epoch(datetime::TIMESTAMP)", "BIGINT"), "e.parquet"))));
  expect_events(
      read(events(copy(fmt::format(fmt::runtime(base), "epoch_ms(datetime::TIMESTAMP)", "BIGINT"), "e.parquet"))));
}

TEST_F(FormatsTest, ReadsIntegerIdsAndDates) {
  const Visits visits =
      read(events(copy("SELECT 12 AS uid, 7::UBIGINT AS roi, DATE '2010-03-02' AS datetime", "e.parquet")), RoiIds{});
  EXPECT_EQ(triples(visits), (Triples{{"12", "7", 24}}));
}

TEST_F(FormatsTest, ReadsSeveralFilesWithDifferentHeaders) {
  Source source = events(write("a.csv", "uid,lat,lng,datetime\na,0.5,0.5,2010-03-01 00:10:00\n"));
  source.paths.push_back(write("b.csv", "time;user_id;longitude;latitude;x\n2010-03-01 01:00:00;b;1.5;0.5;\n"));
  source.paths.push_back(
      copy("SELECT 'c' AS uid, 1.5 AS lat, 1.5 AS lng, '2010-03-01 02:00' AS datetime", "c.parquet"));
  const Visits visits = read(source);
  EXPECT_EQ(triples(visits), (Triples{{"a", "0", 0}, {"b", "1", 1}, {"c", "3", 2}}));
  ASSERT_EQ(visits.inputs.size(), 3U);
  EXPECT_EQ(visits.inputs[1].name, path("b.csv"));

  source.paths = {path("*.csv"), path("a.csv")};
  EXPECT_EQ(read(source).tally.rows, 2U);
}

TEST_F(FormatsTest, ReadsTrips) {
  Source source = trips(write("t.csv",
                              "card_id,start_time,start_station,end_time,end_station\n"
                              "c1,2010-03-01 08:05:00,Bank,2010-03-01 08:50:00,Oval\n"
                              "c2,2010-02-28 23:50:00,Oval,2010-03-01 00:10:00,Bank\n"
                              "c1,2010-03-01 08:55:00,Oval,2010-03-01 09:20:00,Bank\n"));
  const Visits visits = read(source, RoiIds{});
  EXPECT_EQ(triples(visits), (Triples{{"c2", "Bank", 0}, {"c1", "Bank", 8}, {"c1", "Oval", 8}, {"c1", "Bank", 9}}));
  EXPECT_EQ(visits.tally.rows, 3U);
  EXPECT_EQ(visits.tally.events, 6U);
  EXPECT_EQ(visits.tally.used, 5U);
  EXPECT_EQ(visits.tally.outside_period, 1U);
  EXPECT_EQ(visits.first_event, "2010-02-28 23:50:00");
}

TEST_F(FormatsTest, ReadsADirectoryOfCabs) {
  // 1267430400 is 2010-03-01 08:00 UTC, midnight in Los Angeles.
  const std::string first = "0.5 0.5 0 1267430400\n0.5 1.5 1 1267434000\n";
  const std::string second = "1.5 1.5 0 1267430399\n1.5 0.5 0 1267430401\n0.1 5 1 1267430402\n";
  write("cabs/new_b.txt", first);
  write("cabs/new_a.txt", second);
  write("cabs/README", "not a cab\n");
  Source source = events(path("cabs"));
  source.format = Format::kCabs;
  source.timezone = "America/Los_Angeles";
  const Visits visits = read(source);
  EXPECT_EQ(triples(visits), (Triples{{"a", "2", 0}, {"b", "0", 0}, {"b", "1", 1}}));
  EXPECT_EQ(visits.tally.outside_period, 1U);
  EXPECT_EQ(visits.tally.outside_rois, 1U);
  EXPECT_EQ(visits.first_event, "2010-02-28 23:59:59");
  ASSERT_EQ(visits.inputs.size(), 1U);
  EXPECT_EQ(visits.inputs[0].name, "cabs");
  EXPECT_EQ(visits.inputs[0].bytes, first.size() + second.size());
  std::set<std::string> lines = {storage::sha256(first) + "  new_b.txt\n", storage::sha256(second) + "  new_a.txt\n"};
  std::string joined;
  for (const std::string& line : lines) joined += line;
  EXPECT_EQ(visits.inputs[0].sha256, storage::sha256(joined));
  EXPECT_THAT(visits.warnings, ElementsAre(HasSubstr("the last event is at 2010-03-01 01:00:00")));
}

TEST_F(FormatsTest, HashesFiles) {
  EXPECT_EQ(storage::sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const std::string content = "uid,roi,datetime\nu,r,2010-03-01\n";
  const Visits visits = read(events(write("e.csv", content)), RoiIds{});
  ASSERT_EQ(visits.inputs.size(), 1U);
  EXPECT_EQ(visits.inputs[0].bytes, content.size());
  EXPECT_EQ(visits.inputs[0].sha256, storage::sha256(content));
}

TEST_F(FormatsTest, ReadsAwkwardText) {
  const Visits visits = read(events(write("e.csv",
                                          "\xEF\xBB\xBFuid,roi,datetime\r\n"
                                          "\"a, \"\"x\"\"\r\nb\",r,2010-03-01 00:00:00\r\n"
                                          "\r\n"
                                          "\xC3\xA9t\xC3\xA9,r,2010-03-01 00:00:00\r\n"
                                          "B,'r',2010-03-01 00:00:00\r\n"
                                          "b,r,2010-03-01 00:00:00")),
                             RoiIds{});
  EXPECT_THAT(visits.users, ElementsAre("B", "a, \"x\"\r\nb", "b", "\xC3\xA9t\xC3\xA9"));
  EXPECT_EQ(visits.rois[0].id, "'r'");
}

TEST_F(FormatsTest, ReadsFilesWithAwkwardNames) {
  for (const char* name : {"it's.csv", "a b.csv", "a;b.csv", "a[1].csv", "a*.csv", "a?.csv", "$1.csv"}) {
    SCOPED_TRACE(name);
    write("a1.csv", "other\n1\n");
    const Visits visits = read(events(write(name, "uid,roi,datetime\nu,r,2010-03-01\n")), RoiIds{});
    EXPECT_EQ(visits.tally.rows, 1U);
    EXPECT_EQ(visits.inputs.at(0).name, path(name));
  }
}

TEST_F(FormatsTest, MapsColumns) {
  const std::string text = "who,where to,when,uid\nu,r,2010-03-01,x\n";
  Source source = events(write("e.csv", text));
  source.columns = {{"uid", "who"}, {"roi", "WHERE TO"}, {"datetime", "when"}};
  EXPECT_EQ(triples(read(source, RoiIds{})), (Triples{{"u", "r", 0}}));
}

TEST_F(FormatsTest, ReportsProgress) {
  std::vector<std::uint64_t> seen;
  Options options;
  options.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(stage, "reading");
    EXPECT_EQ(total, 100U);
    seen.push_back(done);
  };
  read_visits(events(copy(kQuery, "e.csv")), grid(), march(), options);
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.back(), 100U);
}

}  // namespace
}  // namespace hearsay::ingest
