// SPDX-License-Identifier: Apache-2.0
//
// The program as its users meet it: commands, exit codes, messages, and that a refused run writes nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hearsay {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

struct Ran {
  int code = -1;
  std::string out;
  std::string err;
};

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class CliTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "hearsay-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  Ran hearsay(const std::string& arguments) const {
    const fs::path out = folder_ / ".out";
    const fs::path err = folder_ / ".err";
    const std::string command = fmt::format("cd '{}' && '{}' {} >'{}' 2>'{}' </dev/null", folder_.string(),
                                            HEARSAY_BINARY, arguments, out.string(), err.string());
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_text(out), read_text(err)};
  }

  // A study over events.csv, with two days of which one is observed.
  fs::path write_study(const std::string& more = "") const {
    return write("study.toml", R"([data]
path = "events.csv"
timezone = "UTC"
[rois]
kind = "ids"
[period]
start = "2010-03-01"
length = "2 days"
observe = "1 day"
[study]
priors = ["FREQ_ROI", "LAST_DAY"]
)" + more);
  }

  void write_events() const {
    std::string text = "uid,roi,datetime\n";
    for (int hour = 0; hour < 48; ++hour) {
      text += fmt::format("ann,r{},2010-03-{:02} {:02}:10:00\n", hour % 3, 1 + hour / 24, hour % 24);
      if (hour % 4 == 0) text += fmt::format("bob,r1,2010-03-{:02} {:02}:20:00\n", 1 + hour / 24, hour % 24);
    }
    write("events.csv", text);
  }

  // Refused: exit code 2, one line on standard error with `message`, and no results.
  void expect_refusal(const std::string& arguments, const std::string& message) const {
    const Ran ran = hearsay(arguments);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(message));
    // One line, after the lines that tell of progress.
    const std::size_t error = ran.err.find("hearsay: ");
    ASSERT_NE(error, std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find('\n', error), ran.err.size() - 1) << ran.err;
    EXPECT_FALSE(fs::exists(folder_ / "results"));
    EXPECT_TRUE(ran.out.empty()) << ran.out;
  }

  fs::path folder_;
};

TEST_F(CliTest, AStudyLeavesItsResults) {
  write_events();
  write_study();
  const Ran ran = hearsay("study study.toml");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("results/study"));
  EXPECT_THAT(ran.out, HasSubstr("UTC"));
  for (const char* name : {"summary.csv", "epochs.csv", "users.parquet", "manifest.json"}) {
    EXPECT_TRUE(fs::exists(folder_ / "results/study" / name)) << name;
  }
  const std::string summary = read_text(folder_ / "results/study/summary.csv");
  EXPECT_TRUE(
      summary.starts_with("dataset,goal,prior,attack,decision,release,parameter,repeat,baseline,users,error_mean,error_"
                          "sd,error_p05,error_p25,"
                          "error_p50,error_p75,error_p95,loss_mean,loss_signed_mean,gain_mean,improved\n"));
  EXPECT_THAT(summary, HasSubstr("data,localization,FREQ_ROI,MAX_ROI,ASSIGNED,RAW,,0,PRIOR/ALL,2,"));
  EXPECT_THAT(summary, HasSubstr("data,localization,FREQ_ROI,MAX_ROI,ASSIGNED,RAW,,0,PRIOR/POP,2,"));
  EXPECT_THAT(summary, HasSubstr("data,localization,LAST_DAY,PRIOR,ASSIGNED,RAW,,0,,2,"));
  EXPECT_THAT(summary, HasSubstr("data,profiling,FREQ_ROI,BAYES,,RAW,,0,PRIOR,2,"));
}

TEST_F(CliTest, ThreadsDoNotChangeAByteOfTheResults) {
  write_events();
  write_study("[[release]]\nmechanism = \"SCM\"\nsensitivity = \"event\"\nepsilon = 1\nrepeats = 2\n");
  for (const char* threads : {"1", "2", "7"}) {
    ASSERT_EQ(hearsay(fmt::format("study study.toml --quiet --threads {0} --out out{0}", threads)).code, 0);
  }
  for (const char* name : {"summary.csv", "epochs.csv", "users.parquet", "utility.csv"}) {
    const std::string one = read_text(folder_ / "out1" / name);
    EXPECT_FALSE(one.empty()) << name;
    EXPECT_EQ(one, read_text(folder_ / "out2" / name)) << name;
    EXPECT_EQ(one, read_text(folder_ / "out7" / name)) << name;
  }
}

TEST_F(CliTest, QuietIsQuiet) {
  write_events();
  write_study();
  const Ran ran = hearsay("study study.toml --quiet");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out + ran.err, "");
}

TEST_F(CliTest, AMissingTimeZoneIsAWarning) {
  write_events();
  write_study();
  const Ran ran = hearsay("study study.toml --set data.timezone=''");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("warning"));
  EXPECT_THAT(ran.err, HasSubstr("data.timezone"));
}

TEST_F(CliTest, BadInputIsRefused) {
  write_study();
  expect_refusal("study study.toml", "events.csv");  // missing file
  write("events.csv", "uid,place_of_work,datetime\nann,r1,2010-03-01 08:00:00\n");
  expect_refusal("study study.toml", "column roi");
  write("events.csv", "uid,roi,datetime\nann,r1,2010-03-01 08:00:00\nbob,r1,yesterday\n");
  expect_refusal("study study.toml", "events.csv:3: column datetime: \"yesterday\"");
  write("events.csv", "uid,roi,datetime\n");
  expect_refusal("study study.toml", "no rows");
  write_events();
  expect_refusal("study study.toml --set period.start=2011-01-01", "period.start");  // empty study period
  expect_refusal("study study.toml --set period.length='9 days' --set period.observe='8 days'", "period.observe");
  expect_refusal("study study.toml --set data.users=0", "data.users = 0");
  expect_refusal("study study.toml --set period.epoch='7 min'", "must divide a day");
  expect_refusal("study study.toml --set study.priors='[\"FREQ_RIO\"]'", "did you mean \"FREQ_ROI\"?");
  expect_refusal("study study.toml --set study.prior=x", "did you mean \"study.priors\"?");
  expect_refusal("study study.toml --set study.priors=LAST_WEEK", "LAST_WEEK looks 168 epochs back");
  expect_refusal("study nowhere.toml", "no such study file");
  expect_refusal("study study.toml --threads 0", "--threads");
  expect_refusal("study", "FILE");
  expect_refusal("sdudy x", "study");
}

TEST_F(CliTest, ABoxWithNoEventsIsRefused) {
  write("events.csv", "uid,lat,lng,datetime\nann,51.5,-0.1,2010-03-01 08:00:00\nann,51.5,-0.1,2010-03-02 08:00:00\n");
  write_study();
  const std::string box =
      "--set rois.kind=grid --set rois.west=3 --set rois.east=4 --set rois.rows=2 --set rois.cols=2";
  expect_refusal("study study.toml " + box + " --set rois.south=1 --set rois.north=2", "rois");
}

TEST_F(CliTest, BadRowsCanBeSkippedAndAreCounted) {
  write_events();
  std::ofstream(folder_ / "events.csv", std::ios::app) << "bob,r1,yesterday\n,r1,2010-03-01 08:00:00\n";
  write_study();
  const Ran ran = hearsay("study study.toml --set data.bad_rows=skip");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("bad rows skipped: 2"));
  EXPECT_THAT(read_text(folder_ / "results/study/manifest.json"), HasSubstr("bad_rows"));
}

TEST_F(CliTest, ResultsOfOthersAreNotOverwritten) {
  write_events();
  write_study();
  write("mine/thesis.txt", "years of work");
  const Ran ran = hearsay("study study.toml --out mine");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--out"));
  EXPECT_EQ(read_text(folder_ / "mine/thesis.txt"), "years of work");
}

TEST_F(CliTest, EveryEntryIsListedAndExplained) {
  const Ran list = hearsay("list");
  EXPECT_EQ(list.code, 0);
  for (const char* name : {"FREQ_ROI", "LAST_HOUR", "PRIOR", "MAX_USER", "PROFILING", "LOSS", "SCM", "SPOTME"}) {
    EXPECT_THAT(list.out, HasSubstr(name));
    const Ran explained = hearsay(fmt::format("explain {}", name));
    EXPECT_EQ(explained.code, 0);
    EXPECT_GT(explained.out.size(), 100U);
  }
  EXPECT_THAT(hearsay("explain SPOTME").out, HasSubstr("no"));
  expect_refusal("explain FREQ_RIO", "did you mean \"FREQ_ROI\"?");
}

TEST_F(CliTest, HelpHasExamplesAndExitCodes) {
  for (const char* command : {"", "demo", "study", "describe", "list", "explain", "reproduce", "release", "ledger",
                              "generate", "generate commuters", "generate cabs"}) {
    const Ran ran = hearsay(fmt::format("{} --help", command));
    EXPECT_EQ(ran.code, 0) << command;
    EXPECT_THAT(ran.out, HasSubstr("Example")) << command;
    EXPECT_THAT(ran.out, HasSubstr("Exit codes")) << command;
  }
  EXPECT_THAT(hearsay("--version").out, HasSubstr("hearsay 0."));
}

TEST_F(CliTest, ReleasesAreInTheLedger) {
  write_events();
  write_study();
  write("places.csv", "roi\nr0\nr1\nr2\n");
  expect_refusal("ledger --ledger state", "nothing was published");
  EXPECT_FALSE(fs::exists(folder_ / "state"));
  const std::string release =
      "release study.toml --set rois.list=places.csv --mechanism SCM --parameter sensitivity=event --ledger state ";
  expect_refusal(release + "--parameter epsilon=0.6 --out one.csv", "data.account: is not set");
  expect_refusal(release + "--parameter epsilon=0.6 --account riders --out one.csv", "account riders has none yet");
  const Ran ran = hearsay(release + "--parameter epsilon=0.6 --set data.account=riders --budget 1 --out one.csv");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("account riders has spent 0.6 of 1 for one event (ledger in "));
  expect_refusal(release + "--parameter epsilon=0.6 --account riders --out elsewhere/two.csv", "has spent 0.6 of 1");
  const Ran shown = hearsay("ledger riders --ledger state");
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("account riders has spent 0.6 of 1 for one event\n"));
  EXPECT_THAT(shown.out, HasSubstr("0.6  one event  SCM"));
  EXPECT_THAT(shown.out, HasSubstr("one.csv"));
  expect_refusal("ledger rider --ledger state", "did you mean \"riders\"?");
}

TEST_F(CliTest, DescribeGivesThePapersStatistics) {
  write_events();
  write_study();
  const Ran ran = hearsay("describe study.toml");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("UTC"));
  EXPECT_THAT(ran.out, HasSubstr("2"));
  EXPECT_THAT(hearsay("describe study.toml --json").out, HasSubstr("\"timezone\""));
  EXPECT_FALSE(fs::exists(folder_ / "results"));
}

TEST_F(CliTest, TheExamplesRun) {
  const auto run_example = [&](const std::string& name, const std::string& more) {
    const Ran ran =
        hearsay(fmt::format("study '{}/examples/{}/study.toml' --out {} {}", HEARSAY_SOURCE_DIR, name, name, more));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.err, Not(HasSubstr("warning")));
    return read_text(folder_ / name / "summary.csv");
  };
  EXPECT_THAT(run_example("small", ""), HasSubstr("small,profiling,FREQ_ROI,BAYES,,RAW"));
  EXPECT_THAT(run_example("gps", ""),
              HasSubstr("phones,profiling,FREQ_ROI,MAX_USER,,SCM,\"bound=30,epsilon=1\",5,RAW"));
  // Two cabs for three weeks, once an hour, in the form of the cab data.
  for (int cab = 0; cab < 2; ++cab) {
    std::string text;
    for (long hour = 0; hour < 504; ++hour) {
      text += fmt::format("{} {} 0 {}\n", 37.73 + 0.0001 * static_cast<double>((hour * (cab + 7)) % 600),
                          -122.43 + 0.0001 * static_cast<double>((hour * 5) % 600), 1211180400 + 3600 * hour);
    }
    write(fmt::format("taxis/new_cab{}.txt", cab), text);
  }
  const std::string cabs = run_example("cabs", fmt::format("--set 'data.path={}/taxis'", folder_.string()));
  EXPECT_THAT(cabs, HasSubstr("SFC,localization,LAST_HOUR,PRIOR,ASSIGNED,RAW,,0,,2,"));
}

TEST_F(CliTest, TheDemoExplainsItself) {
  const Ran ran = hearsay("demo --users 300 --out try");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("What leaks:"));
  EXPECT_THAT(ran.out, HasSubstr("To whom:"));
  EXPECT_THAT(ran.out, HasSubstr("What a defence would change:"));
  EXPECT_THAT(ran.out, HasSubstr("results in try/results"));
  EXPECT_TRUE(fs::exists(folder_ / "try/data/study.toml"));
  EXPECT_TRUE(fs::exists(folder_ / "try/results/utility.csv"));
  EXPECT_EQ(hearsay("demo --users 300 --out try --quiet").code, 0);  // again, over its own results
}

TEST_F(CliTest, GeneratedDataCanBeStudied) {
  EXPECT_EQ(hearsay("generate cabs --cabs 3 --weeks 1 --out cabs.csv").code, 0);
  EXPECT_TRUE(read_text(folder_ / "cabs.csv").starts_with("uid,lat,lng,datetime\n"));
  EXPECT_EQ(hearsay("generate commuters --population 200 --out city/trips.csv").code, 0);
  EXPECT_TRUE(read_text(folder_ / "city/trips.csv").starts_with("uid,start_time,start_roi,end_time,end_roi\n"));
  EXPECT_TRUE(fs::exists(folder_ / "city/stations.csv"));
  expect_refusal("generate commuters --users 0 --out x.csv", "--users = 0");
  expect_refusal("generate commuters --users 5 --population 5 --out x.csv", "excludes");
  expect_refusal("generate commuters --out x.xml", ".parquet or .csv");
}

}  // namespace
}  // namespace hearsay
