// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>

#include "ingest/test_files.h"

namespace hearsay::ingest {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class BadInputTest : public FilesTest {
 protected:
  static constexpr const char* kHeader = "uid,lat,lng,datetime\n";
  static constexpr const char* kGood = "u,0.5,0.5,2010-03-01 00:00:00\n";

  // The error of a file with this bad row after a good one, and what skipping it counts.
  void expect_bad(const std::string& row, const std::string& message, const std::string& reason) const {
    SCOPED_TRACE(row);
    Source source = events(write("e.csv", std::string(kHeader) + kGood + row + "\n" + kGood));
    EXPECT_EQ(error_of<InputError>(source), path("e.csv") + message);
    source.bad_rows = BadRows::kSkip;
    const Visits visits = read(source);
    EXPECT_EQ(visits.tally.bad_rows, (std::map<std::string, std::uint64_t>{{reason, 1}}));
    EXPECT_EQ(visits.tally.rows, 3U);
    EXPECT_EQ(visits.tally.events, 2U);
  }
};

TEST_F(BadInputTest, BadValues) {
  const std::string lat = "; expected degrees from -90 to 90";
  const std::string lng = "; expected degrees from -180 to 180";
  const std::string time = " is not a time; expected ISO 8601 such as 2010-03-01 08:30:00, or Unix seconds";
  expect_bad(",0.5,0.5,2010-03-01", ":3: column uid: no value; expected an id", "missing uid");
  expect_bad("u,,0.5,2010-03-01", ":3: column lat: no value" + lat, "missing lat");
  expect_bad("u,x,0.5,2010-03-01", ":3: column lat: \"x\" is not a latitude" + lat, "bad lat");
  expect_bad("u,nan,0.5,2010-03-01", ":3: column lat: \"nan\" is not a latitude" + lat, "bad lat");
  expect_bad("u,90.1,0.5,2010-03-01", ":3: column lat: \"90.1\" is out of range" + lat, "lat out of range");
  expect_bad("u,1e300,0.5,2010-03-01", ":3: column lat: \"1e300\" is out of range" + lat, "lat out of range");
  expect_bad("u,0.5,,2010-03-01", ":3: column lng: no value" + lng, "missing lng");
  expect_bad("u,0.5,1..2,2010-03-01", ":3: column lng: \"1..2\" is not a longitude" + lng, "bad lng");
  expect_bad("u,0.5,-inf,2010-03-01", ":3: column lng: \"-inf\" is out of range" + lng, "lng out of range");
  expect_bad("u,0.5,0.5,", ":3: column datetime: no value; expected a time", "missing datetime");
  for (const char* bad : {"yesterday", "infinity", "nan", "2010-02-30 00:00:00", "2010-03-01 25:00:00", "08:00:00",
                          "1e300", "01/03/2010 08:00", "2010-03-01 08:00:00 +x"}) {
    expect_bad(fmt::format("u,0.5,0.5,{}", bad), fmt::format(":3: column datetime: \"{}\"{}", bad, time),
               "bad datetime");
  }
}

TEST_F(BadInputTest, BadShape) {
  expect_bad("u,0.5,0.5", ":3: too few columns: Expected Number of Columns: 4 Found: 3", "too few columns");
  expect_bad("u,0.5,0.5,2010-03-01,x", ":3: too many columns: Expected Number of Columns: 4 Found: 5",
             "too many columns");
  expect_bad("u,\"0.5\"x,0.5,2010-03-01", ":3: bad quoting: Value with unterminated quote found.", "bad quoting");
  Source source = events(write("e.csv", std::string(kHeader) + kGood + "\"u,0.5,0.5,2010-03-01\n" + kGood));
  EXPECT_THAT(error_of<InputError>(source), StartsWith(path("e.csv") + ":3: bad quoting"));
  source = events(write("e.csv", std::string(kHeader) + kGood + "\xFF,0.5,0.5,2010-03-01\n" + kGood));
  EXPECT_THAT(error_of<InputError>(source), StartsWith(path("e.csv") + ":3: not UTF-8"));
}

TEST_F(BadInputTest, TheLineIsThatOfTheFile) {
  const std::string before = std::string(kHeader) + "\n\"a\nb\n\",0.5,0.5,2010-03-01\n\n";  // lines 1 to 6
  Source source = events(write("e.csv", before + "u,0.5,0.5,soon\nu,0.5\n"));
  EXPECT_THAT(error_of<InputError>(source), StartsWith(path("e.csv") + ":7: column datetime: \"soon\""));
  source = events(write("e.csv", before + "u,0.5\nu,0.5,0.5,soon\n"));
  EXPECT_THAT(error_of<InputError>(source), StartsWith(path("e.csv") + ":7: too few columns"));
  source = events(write("e.csv", before + "\xFF,0.5,0.5,2010-03-01\n"));
  EXPECT_THAT(error_of<InputError>(source), StartsWith(path("e.csv") + ":7: not UTF-8"));
}

TEST_F(BadInputTest, TheLineInALongFileAndACompressedOne) {
  const std::string query =
      "SELECT 'u' || i AS uid, 0.5 AS lat, 0.5 AS lng, CASE WHEN i IN (150000, 190000) THEN 'soon' ELSE "
      "'2010-03-01 00:00:00' END AS datetime FROM range(200000) AS r(i)";
  for (const char* name : {"e.csv", "e.csv.gz", "e.csv.zst", "e.json"}) {
    const int line = std::string(name) == "e.json" ? 150001 : 150002;
    EXPECT_THAT(error_of<InputError>(events(copy(query, name))),
                StartsWith(fmt::format("{}:{}: column datetime: \"soon\"", path(name), line)));
  }
  EXPECT_THAT(error_of<InputError>(events(copy(query, "e.parquet"))),
              StartsWith(path("e.parquet") + ":150001: column datetime: \"soon\""));
}

TEST_F(BadInputTest, TheFirstBadFileIsNamed) {
  Source source = events(write("good.csv", std::string(kHeader) + kGood));
  source.paths.push_back(write("b.csv", "user,lat,lng,datetime\n,0.5,0.5,2010-03-01\n"));
  source.paths.push_back(write("a.csv", std::string(kHeader) + "u,0.5\n"));
  EXPECT_EQ(error_of<InputError>(source), path("b.csv") + ":2: column user: no value; expected an id");
}

TEST_F(BadInputTest, ReasonsDoNotDependOnTheOrderOfColumns) {
  Source source = events(write("a.csv", std::string(kHeader) + kGood + "u,0.5,0.5,soon\n"));
  source.paths.push_back(write("b.csv", "datetime,lng,lat,uid\nsoon,0.5,0.5,u\n2010-03-01,0.5,0.5,\n"));
  source.bad_rows = BadRows::kSkip;
  EXPECT_EQ(read(source).tally.bad_rows,
            (std::map<std::string, std::uint64_t>{{"bad datetime", 2}, {"missing uid", 1}}));
}

TEST_F(BadInputTest, LongValuesAreCutAndKeptOnOneLine) {
  const std::string value = "a\nb" + std::string(100, 'x');
  const std::string message =
      error_of<InputError>(events(write("e.csv", std::string(kHeader) + "u,0.5,0.5,\"" + value + "\"\n")));
  EXPECT_THAT(message, HasSubstr("column datetime: \"a b" + std::string(57, 'x') + "...\" is not a time"));
}

TEST_F(BadInputTest, BadJson) {
  const std::string good = "{\"uid\": \"u\", \"roi\": \"r\", \"datetime\": \"2010-03-01\"}\n";
  Source source = events(write("e.jsonl", good + "\n{\"uid\": \n" + good));
  EXPECT_EQ(error_of<InputError>(source, RoiIds{}), path("e.jsonl") + ":3: not a JSON object; expected one a line");
  source.bad_rows = BadRows::kSkip;
  EXPECT_EQ(read(source, RoiIds{}).tally.bad_rows.at("not JSON"), 1U);
  source = events(write("e.jsonl", good + "{\"uid\": \"u\", \"datetime\": \"2010-03-01\"}\n"));
  EXPECT_EQ(error_of<InputError>(source, RoiIds{}), path("e.jsonl") + ":2: column roi: no value; expected an id");
  EXPECT_THAT(error_of<InputError>(events(write("e.jsonl", "[1]\n"))), HasSubstr("\"[1]\" is not a JSON object"));
}

TEST_F(BadInputTest, BadTrips) {
  const std::string header = "uid,start_time,start_roi,end_time,end_roi\n";
  Source source = trips(write("t.csv", header + "u,2010-03-01 08:00,a,2010-03-01 07:00,b\n"));
  EXPECT_EQ(error_of<InputError>(source, RoiIds{}),
            path("t.csv") +
                ":2: column end_time: \"2010-03-01 07:00\" is before the start of the trip; expected a later time");
  source = trips(write("t.csv", header + "u,yesterday,a,2010-03-01 07:00,b\nu,2010-03-01,a,2010-03-01,b\n"));
  EXPECT_THAT(error_of<InputError>(source, RoiIds{}), HasSubstr(":2: column start_time: \"yesterday\" is not a time"));
  source.bad_rows = BadRows::kSkip;
  EXPECT_EQ(read(source, RoiIds{}).tally.rows, 2U);
  EXPECT_EQ(read(source, RoiIds{}).tally.bad_rows.at("bad start_time"), 1U);
}

TEST_F(BadInputTest, BadCabs) {
  write("cabs/new_a.txt", "0.5 0.5 0 1267401600\n");
  write("cabs/new_b.txt", "0.5 0.5 0 1267401600\n0.5 0.5 0 then\n");
  Source source = events(path("cabs"));
  source.format = Format::kCabs;
  EXPECT_EQ(error_of<InputError>(source),
            path("cabs/new_b.txt") + ":2: column unixtime: \"then\" is not a time; expected Unix seconds");
  write("cabs/new_b.txt", "0.5 0.5 0\n");
  EXPECT_THAT(error_of<InputError>(source), StartsWith(path("cabs/new_b.txt") + ":1: too few columns"));
  source.paths = {path("absent")};
  EXPECT_EQ(error_of<InputError>(source), path("absent") + ": no such directory");
  std::filesystem::create_directory(path("empty"));
  source.paths = {path("empty")};
  EXPECT_EQ(error_of<InputError>(source), path("empty") + ": no file matches new_*.txt");
}

TEST_F(BadInputTest, FilesThatAreNotThere) {
  EXPECT_EQ(error_of<InputError>(events(path("absent.csv"))), path("absent.csv") + ": no such file");
  EXPECT_EQ(error_of<InputError>(events(path("*.csv"))), path("*.csv") + ": no file matches");
  EXPECT_THAT(error_of<InputError>(events(folder_.string())), HasSubstr(": is a directory"));
}

// Opening a pipe waits until somebody writes to it.
TEST_F(BadInputTest, PipesAreRefused) {
  ASSERT_EQ(mkfifo(path("pipe.csv").c_str(), 0600), 0);
  const std::string message = "this is a named pipe; name an ordinary file";
  EXPECT_EQ(error_of<InputError>(events(path("pipe.csv"))), path("pipe.csv") + ": " + message);
  EXPECT_EQ(error_of<InputError>(events(path("pipe.*"))), path("pipe.*") + ": no file matches");
  const Source source = events(write("e.csv", "uid,roi,lat,lng,datetime\nu,r,1,1,2010-03-01\n"));
  EXPECT_EQ(error_of<InputError>(source, RoiIds{path("pipe.csv")}), path("pipe.csv") + ": " + message);
  EXPECT_EQ(error_of<InputError>(source, Zones{path("pipe.csv")}), path("pipe.csv") + ": " + message);
  std::filesystem::create_directory(path("cabs"));
  ASSERT_EQ(mkfifo(path("cabs/new_a.txt").c_str(), 0600), 0);
  Source cabs = events(path("cabs"));
  cabs.format = Format::kCabs;
  EXPECT_EQ(error_of<InputError>(cabs), path("cabs/new_a.txt") + ": " + message);
}

TEST_F(BadInputTest, FilesThatAreNotWhatTheySay) {
  EXPECT_THAT(error_of<InputError>(events(write("e.parquet", "uid,lat\n"))), StartsWith(path("e.parquet") + ": "));
  EXPECT_THAT(error_of<InputError>(events(write("e.csv.gz", "uid,lat\n"))), StartsWith(path("e.csv.gz") + ": "));
  EXPECT_THAT(error_of<InputError>(events(write("e.csv", "a\xFF\nb\n"))), StartsWith(path("e.csv") + ":1: not UTF-8"));
}

TEST_F(BadInputTest, FilesWithNoRows) {
  for (const char* content : {"", "\n", "uid,lat,lng,datetime\n", "uid,lat,lng,datetime\n\n\n"}) {
    EXPECT_THAT(error_of<InputError>(events(write("e.csv", content))), StartsWith(path("e.csv") + ": no rows"));
  }
  EXPECT_THAT(error_of<InputError>(events(write("e.jsonl", "\n"))), EndsWith(": no rows"));
  const std::string query = "SELECT 'u' AS uid, 1 AS lat, 1 AS lng, 1 AS datetime WHERE false";
  EXPECT_THAT(error_of<InputError>(events(copy(query, "e.parquet"))), EndsWith(": no rows"));
  Source source = events(write("e.csv", std::string(kHeader) + "u,0.5,0.5,x\n"));
  source.bad_rows = BadRows::kSkip;
  EXPECT_THAT(error_of<InputError>(source), EndsWith(": all 1 rows are bad; bad datetime: 1"));
}

TEST_F(BadInputTest, Columns) {
  EXPECT_EQ(
      error_of<InputError>(events(write("e.csv", "uid,latt,lng,datetime\nu,1,1,2010-03-01\n"))),
      path("e.csv") + ": column lat: not found; the columns are uid, latt, lng, datetime; did you mean \"latt\"?");
  EXPECT_THAT(
      error_of<InputError>(events(write("e.csv", "user,card,roi,time\nu,1,1,2010-03-01\n")), RoiIds{}),
      AllOf(HasSubstr("column uid: ambiguous"), HasSubstr("\"user\" and \"card\""), HasSubstr("data.columns.uid")));
  Source source = events(write("e.csv", "uid,roi,datetime\nu,r,2010-03-01\n"));
  source.columns = {{"roi", "rio"}};
  EXPECT_THAT(error_of<InputError>(source, RoiIds{}),
              HasSubstr("column rio: not found, though data.columns.roi names it"));
  source.columns = {{"rois", "roi"}};
  EXPECT_THAT(error_of<ConfigError>(source, RoiIds{}),
              AllOf(StartsWith("data.columns.rois = \"roi\""), HasSubstr("\"roi\"?")));
}

TEST_F(BadInputTest, RoiLists) {
  const Source source = events(write("e.csv", "uid,roi,datetime\nu,r,2010-03-01\n"));
  const auto message = [&](const std::string& text) {
    return error_of<InputError>(source, RoiIds{write("l.csv", text)});
  };
  EXPECT_EQ(message("roi,name\na,x\nb,y\n\na,z\n"), path("l.csv") + ":5: \"a\" is in the list twice");
  EXPECT_EQ(message("roi,name\n"), path("l.csv") + ": no rows: the list of ROIs is empty");
  EXPECT_EQ(message("roi,lat\na,91\n"),
            path("l.csv") + ":2: \"91\" is not a latitude; expected degrees from -90 to 90, or nothing");
  EXPECT_THAT(message("roi,lat\na\n"), StartsWith(path("l.csv") + ":2: too few columns"));
  EXPECT_THAT(message("roi,lat\n,1\n"), StartsWith(path("l.csv") + ":2: no value"));
  EXPECT_THAT(message("x,lat\na,1\n"), StartsWith(path("l.csv") + ": column roi: not found"));
  EXPECT_EQ(error_of<InputError>(source, RoiIds{path("absent.csv")}), path("absent.csv") + ": no such file");
  EXPECT_THAT(error_of<ConfigError>(source, RoiIds{write("l.csv", "roi\nq\n")}), HasSubstr("none of the 1 ids"));
}

// Found by fuzzing: DuckDB takes a row that is both broken and not UTF-8 for a bug of its own.
TEST_F(BadInputTest, WhatDuckDbTakesForItsOwnBugIsBadInput) {
  using namespace std::string_literals;
  const std::string rows = "a;;;;;;;;;;;;;;;,Al\0ha  ,51.5,-0.1\x8A"s + "b,\"Be,ta\t\t\",,\n";
  const Source source = events(write("e.csv", "uid,roi,datetime\nu,r,2010-03-01\n"));
  EXPECT_THAT(error_of<InputError>(source, RoiIds{write("l.csv", "roi,name,lc',lng\n" + rows)}),
              StartsWith(path("l.csv") + ":"));
  EXPECT_THAT(error_of<InputError>(events(write("e.csv", "uid,roi,lc',datetime\n" + rows)), RoiIds{}),
              StartsWith(path("e.csv") + ":"));
}

// Found by fuzzing: lines were cut at the character that DuckDB is told to split at, and what was left could be a line.
TEST_F(BadInputTest, NoLineIsCutShort) {
  const std::string good = "uid,roi,datetime\nann,r1,2010-03-01 08:00:00\n";
  const Source whole = events(write("whole.csv", good + "bob,r1,2010-03-01 09:00:00\x01junk\n"));
  EXPECT_NE(error_of<InputError>(whole, RoiIds{}).find(":3: column datetime"), std::string::npos);
  const Visits visits = read(events(write("id.csv", good + "\x01,r1,2010-03-01 09:00:00\n")), RoiIds{});
  EXPECT_EQ(triples(visits), (Triples{{"ann", "r1", 8}, {"\x01", "r1", 9}}));
}

// Found by fuzzing: DuckDB's messages quote the row.
TEST_F(BadInputTest, RowsThatSpeakOfMemoryAndDiskAreBadInput) {
  Source source = events(path("cabs"));
  source.format = Format::kCabs;
  for (const char* words : {"File too large", "No space left on device", "std::bad_alloc", "Out of Memory Error: "}) {
    write("cabs/new_a.txt", std::string("0.5 \xD5.5 0 00 ") + words + " 1 \n");
    EXPECT_THAT(error_of<InputError>(source), StartsWith(path("cabs"))) << words;
  }
}

TEST_F(BadInputTest, Settings) {
  const Source source = events(write("e.csv", std::string(kHeader) + kGood));
  const auto message = [&](const RoiRule& rois, const Period& period) {
    return error_of<ConfigError>(source, rois, period);
  };
  EXPECT_THAT(message(Grid{0, 2, 0, 2, 0, 2}, march()), StartsWith("rois.rows = 0"));
  EXPECT_THAT(message(Grid{0, 2, 0, 2, 2, 0}, march()), StartsWith("rois.cols = 0"));
  EXPECT_THAT(message(Grid{2, 2, 0, 2, 2, 2}, march()), StartsWith("rois.north = 2"));
  EXPECT_THAT(message(Grid{0, 2, 3, 2, 2, 2}, march()), StartsWith("rois.east = 2"));
  EXPECT_THAT(message(Grid{-91, 2, 0, 2, 2, 2}, march()), StartsWith("rois.south = -91"));
  EXPECT_THAT(message(Grid{0, 2, 0, 181, 2, 2}, march()), StartsWith("rois.east = 181"));
  EXPECT_THAT(message(grid(), {"2010-03-01T00:00:00Z", 3600, 1}),
              StartsWith("period.start = \"2010-03-01T00:00:00Z\""));
  EXPECT_THAT(message(grid(), {"2010-03-01", 7000, 1}), StartsWith("period.epoch_seconds = 7000"));
  EXPECT_THAT(message(grid(), {"2010-03-01", 3600, 0}), StartsWith("period.epochs = 0"));
  EXPECT_THAT(message(grid(), {"2010-04-01", 3600, 24}),
              HasSubstr("no event in the study period, which ends 2010-04-02 00:00:00; the data goes from "
                        "2010-03-01 00:00:00 to 2010-03-01 00:00:00 (Europe/London)"));
  EXPECT_THAT(message(Grid{10, 12, 0, 2, 2, 2}, march()),
              AllOf(StartsWith("rois = 10..12 N, 0..2 E"), HasSubstr("from 0.5 to 0.5 N, 0.5 to 0.5 E")));
}

TEST_F(BadInputTest, SettingsOfTheSource) {
  Source source = events(write("e.csv", std::string(kHeader) + kGood));
  source.timezone = "Europe/Londn";
  EXPECT_THAT(error_of<ConfigError>(source),
              AllOf(StartsWith("data.timezone = \"Europe/Londn\""), HasSubstr("did you mean \"Europe/London\"?")));
  source.format = Format::kTrips;
  EXPECT_THAT(error_of<ConfigError>(source), StartsWith("rois = grid: trips"));
  source.format = Format::kCabs;
  EXPECT_THAT(error_of<ConfigError>(source, RoiIds{}), StartsWith("rois = ids: cab files"));
  source.columns = {{"uid", "x"}};
  EXPECT_THAT(error_of<ConfigError>(source), StartsWith("data.columns.uid = \"x\": cab files"));
  source.paths.clear();
  EXPECT_THAT(error_of<ConfigError>(source), StartsWith("data.paths: no file"));
}

}  // namespace
}  // namespace hearsay::ingest
