// SPDX-License-Identifier: Apache-2.0
//
// Data and studies made to hurt: absurd sizes, damaged files, and results that must not name anybody.
#include <sys/stat.h>

#include "hostile_fixture.h"

namespace hearsay {
namespace {

using testing::HasSubstr;
using testing::Not;

// A terminal obeys escape characters: what is printed must have none, whatever users, places and columns are called.
TEST_F(HostileTest, NamesDoNotCommandTheTerminal) {
  const std::string red = "\x1b[31m";
  write_events("a" + red + "nn", "r" + red + "1");
  write("study.toml", "[data]\nname = \"\\u001b[31mred\"" + std::string(kStudy).substr(6));
  write("odd.csv", red + "note,uid,roi,datetime\n" + red + ",ann,r" + red + "1,2010-03-01 08:00:00\n");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"describe", "study.toml"}, std::vector<std::string>{"describe", "odd.csv"},
        std::vector<std::string>{"study", "study.toml", "--out", "out"}}) {
    SCOPED_TRACE(arguments[1]);
    const Ended ended = run_program(folder_, arguments);
    EXPECT_FALSE(ended.out.empty());
    EXPECT_EQ(ended.out.find('\x1b'), std::string::npos) << ended.out;
    EXPECT_EQ(ended.err.find('\x1b'), std::string::npos) << ended.err;
  }
}

TEST_F(HostileTest, AbsurdStudiesAreRefused) {
  const std::vector<std::string> box = {"rois.kind=grid", "rois.south=0", "rois.north=1", "rois.west=0", "rois.east=1"};
  const auto grid = [&](const std::string& rows, const std::string& cols) {
    std::vector<std::string> sets = box;
    sets.push_back("rois.rows=" + rows);
    sets.push_back("rois.cols=" + cols);
    return study(sets);
  };
  expect_refusal(grid("31623", "31623"), "more than 1000000 cells");
  expect_refusal(grid("1000000000", "1"), "between 1 and 100000");
  expect_refusal(grid("-1", "1"), "whole number");
  expect_refusal(grid("inf", "1"), "rois.rows");
  expect_refusal(study({"period.length=8589934592"}), "period.length");
  expect_refusal(study({"period.epoch=1 s", "period.length=8589934592"}), "period.length");
  expect_refusal(study({"period.epoch=1 s", "period.length=20 days"}), "more than 1000000 epochs");
  expect_refusal(study({"period.length=9223372036854775807"}), "period.length");
  expect_refusal(study({"period.start=9999-12-31"}), "before the year 10000");
  expect_refusal(study({"period.start=99999-01-01"}), "period.start");
  expect_refusal(study({"study.log_base=inf"}), "study.log_base");
  expect_refusal(study({"study.delta=nan"}), "study.delta");
  expect_refusal(study({"data.name=" + std::string(100000, 'x'), "nothing.here=1"}), "no such setting");
  expect_refusal(study({"data.timezone=" + std::string(100000, 'x')}), "data.timezone");
}

TEST_F(HostileTest, AbsurdDefencesAreRefused) {
  const auto release = [&](const std::string& text) {
    write("study.toml", std::string(kStudy) + "[[release]]\nmechanism = \"SCM\"\nsensitivity = \"event\"\n" + text);
    return study();
  };
  expect_refusal(release("epsilon = inf\n"), "epsilon");
  expect_refusal(release("epsilon = nan\n"), "epsilon");
  expect_refusal(release("epsilon = -1\n"), "epsilon");
  expect_refusal(release("epsilon = 1\nrepeats = 1000000000000\n"), "between 1 and 10000");
  std::string many = "epsilon = [";
  for (int i = 1; i <= 20000; ++i) many += fmt::format("{},", i);
  expect_refusal(release(many + "]\n"), "choices of parameters");
}

TEST_F(HostileTest, AbsurdDataIsRefused) {
  const auto write_row = [&](const std::string& user, const std::string& place) {
    write("events.csv", "uid,roi,datetime\n" + user + "," + place + ",2010-03-01 08:00:00\nbob,r1,2010-03-02\n");
  };
  write_row(std::string(10 << 20, 'u'), "r1");
  expect_refusal(study(), "events.csv:2: line too long");
  write_row(std::string(1 << 20, 'u'), "r1");
  expect_refusal(study(), "is too long; expected an id of at most 1000 bytes");
  write_row("ann", std::string(100000, 'r'));
  expect_refusal(study(), "is too long; expected an id of at most 1000 bytes");
  std::string columns = "uid,roi,datetime";
  for (int i = 0; i < 500000; ++i) columns += ",x";
  write("events.csv", columns + "\n");
  expect_refusal(study(), "columns; at most 10000 are read");
  columns.resize(columns.size() + 19'500'000, ',');  // 10^7 of them
  for (std::size_t i = columns.size() - 19'500'000; i < columns.size(); i += 2) columns[i] = 'y';
  write("events.csv", columns + "\n");
  expect_refusal(study(), "events.csv");
}

TEST_F(HostileTest, TimesFarAwayAreOutsideTheStudyAndNoTimesAreBad) {
  write_events();
  std::ofstream(folder_ / "events.csv", std::ios::app)
      << "eve,r1,9999-12-31 23:59:59\neve,r1,0001-01-01 00:00:00\neve,r1,253402300799\n";
  EXPECT_EQ(study().code, 0);
  EXPECT_THAT(read_file(folder_ / "out/manifest.json"), HasSubstr("\"outside_period\": 3"));
  fs::remove_all(folder_ / "out");
  for (const char* time :
       {"10000-01-01 00:00:00", "infinity", "-infinity", "inf", "nan", "1e300", "99999999999999999999999999"}) {
    write_events();
    std::ofstream(folder_ / "events.csv", std::ios::app) << "eve,r1," << time << "\n";
    expect_refusal(study(), "is not a time");
  }
}

TEST_F(HostileTest, InfiniteCoordinatesAreBadRows) {
  for (const char* lat : {"inf", "-inf", "nan", "1e308", "1e999"}) {
    write("events.csv",
          fmt::format("uid,lat,lng,datetime\nann,0.5,0.5,2010-03-01 08:00:00\nann,{},0.5,2010-03-02\n", lat));
    expect_refusal(study({"rois.kind=grid", "rois.south=0", "rois.north=1", "rois.west=0", "rois.east=1", "rois.rows=2",
                          "rois.cols=2"}),
                   "events.csv:3: column lat");
  }
}

TEST_F(HostileTest, ParquetWithAHugeFooterOrIdIsRefused) {
  std::string file = "PAR1" + std::string(70 << 20, '\x15');
  const std::uint32_t length = 65 << 20;
  file.append(reinterpret_cast<const char*>(&length), 4);
  write("events.parquet", file + "PAR1");
  expect_refusal(study({"data.path=events.parquet"}), "at most 67108864 are read");
  {
    storage::Database database({});
    database.execute("COPY (SELECT repeat('u', 10485760) AS uid, 'r' AS roi, TIMESTAMP '2010-03-01' AS datetime) TO $1",
                     {(folder_ / "id.parquet").string()});
    database.execute("COPY (SELECT 'u' AS uid, 'r' AS roi, 'infinity'::TIMESTAMP AS datetime) TO $1",
                     {(folder_ / "infinity.parquet").string()});
  }
  expect_refusal(study({"data.path=id.parquet"}), "is too long; expected an id of at most 1000 bytes");
  expect_refusal(study({"data.path=infinity.parquet"}), "is not a time");
}

TEST_F(HostileTest, ErrorsQuoteAtMostTheValueAndNoControls) {
  write_events();
  std::ofstream(folder_ / "events.csv", std::ios::app) << "secret-person,secret-place,\x1b[2J\xE2\x80\xAEyesterday\n";
  const Ended ended = study();
  expect_refusal(ended, "<U+202E>yesterday");
  EXPECT_THAT(ended.err, Not(HasSubstr("secret")));
  EXPECT_THAT(ended.err, Not(HasSubstr("\x1b")));
  write_events();
  std::ofstream(folder_ / "events.csv", std::ios::app) << "secret-person,secret-place\n";
  const Ended short_row = study();
  expect_refusal(short_row, "too few columns");
  EXPECT_THAT(short_row.err, Not(HasSubstr("secret")));
}

TEST_F(HostileTest, NoUserIdIsInTheResultsUnlessAskedFor) {
  const std::string id = "person-7f3a9c";
  write_events(id);
  write("study.toml", std::string(kStudy) + "[[release]]\nmechanism = \"SCM\"\nsensitivity = \"event\"\nepsilon = 1\n");
  const Ended ended = run_program(folder_, {"study", "study.toml", "--out", "out"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_GE(names_in(folder_ / "out").size(), 8U);
  for (const std::string& text : {all_results(), ended.out, ended.err}) {
    EXPECT_THAT(text, Not(HasSubstr(id)));
    EXPECT_THAT(text, Not(HasSubstr("bob")));
  }
  const Ended described = run_program(folder_, {"describe", "study.toml"});
  EXPECT_THAT(described.out + described.err, Not(HasSubstr(id)));
  ASSERT_EQ(study({"results.show_users=true"}).code, 0);
  EXPECT_THAT(all_results(), HasSubstr(id));
}

TEST_F(HostileTest, ReleasesAreNeverSeeded) {
  write("places.csv", "roi\nr1\nr2\n");
  const auto release = [&](const std::string& name) {
    const Ended ended = run_program(
        folder_,
        release_of({"--set", "rois.list=places.csv", "--set", "study.seed=7", "--yes", "--out", name}, "0.01"));
    EXPECT_EQ(ended.code, 0) << ended.err;
    return read_file(folder_ / name);
  };
  EXPECT_NE(release("one.csv"), release("two.csv"));
  EXPECT_EQ(run_program(folder_, {"release", "study.toml", "--seed", "7"}).code, 2);
  EXPECT_THAT(run_program(folder_, {"release", "--help"}).out, Not(HasSubstr("--seed")));
  for (const char* file : {"publication.cc", "publication.h", "release_files.cc", "ledger.cc"}) {
    const std::string source = read_file(fs::path(HEARSAY_SOURCE_DIR) / "src/publication" / file);
    EXPECT_FALSE(source.empty());
    for (const char* seeded : {"evaluation_noise", "SeededBits", ".seed", "mt19937"}) {
      EXPECT_THAT(source, Not(HasSubstr(seeded))) << file;
    }
  }
}

TEST_F(HostileTest, DocumentsThatAreNoReportAreRefused) {
  fs::create_directory(folder_ / "results");
  const auto levels = [](int depth) {
    return "{\"schema\":4,\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  const std::string other(R"({"schema":"2"})");
  for (const std::string& document : {levels(100), levels(1'000'000), std::string(1'000'000, '['), other}) {
    write("results/report.json", document);
    expect_refusal(run_program(folder_, {"report", "results"}), "results/report.json: not a report document");
    EXPECT_FALSE(fs::exists(folder_ / "results/report.html"));
  }
  write("results/report.json", levels(10));
  EXPECT_EQ(run_program(folder_, {"report", "results"}).code, 0);
}

// Opening a named pipe waits for somebody who writes into it.
TEST_F(HostileTest, NamedPipesAreRefused) {
  const auto expect_pipe_refused = [&](const std::vector<std::string>& arguments, const std::string& name) {
    Program program(folder_, arguments);
    ASSERT_TRUE(program.ends_within(std::chrono::seconds(60))) << arguments.front() << " waits for ever";
    expect_refusal(program.wait(), name + ": this is a named pipe; name an ordinary file");
  };
  fs::create_directories(folder_ / "results");
  for (const char* name : {"pipe.toml", "results/report.json", "results/manifest.json", "ledger.json"}) {
    ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0);
  }
  expect_pipe_refused({"study", "pipe.toml", "--out", "out"}, "pipe.toml");
  expect_pipe_refused({"report", "results"}, "results/report.json");
  expect_pipe_refused({"study", "study.toml", "--out", "results"}, "results/manifest.json");
  expect_pipe_refused({"ledger", "--ledger", "."}, "ledger.json");
  expect_pipe_refused(release_of({"--ledger", ".", "--out", "new/counts.csv"}), "ledger.json");
}

}  // namespace
}  // namespace hearsay
