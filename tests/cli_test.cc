// SPDX-License-Identifier: Apache-2.0
//
// The program as its users meet it: commands, exit codes, messages, and that a refused run writes nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

namespace hearsay {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
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

  // Ann and Bob, and others who are somewhere every eighth hour.
  void write_events(int others = 0) const {
    std::string text = "uid,roi,datetime\n";
    for (int user = 0; user < others; ++user) {
      for (int hour = user % 8; hour < 48; hour += 8) {
        text += fmt::format("u{},r2,2010-03-{:02} {:02}:30:00\n", user, 1 + hour / 24, hour % 24);
      }
    }
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

// Also where both files have the same name and are run from the same folder.
TEST_F(CliTest, TwoStudiesDoNotShareAFolderOfResults) {
  for (const char* city : {"london", "paris"}) {
    fs::create_directory(folder_ / city);
    write_events();
    write_study();
    fs::rename(folder_ / "events.csv", folder_ / city / "events.csv");
    fs::rename(folder_ / "study.toml", folder_ / city / "study.toml");
    const Ran ran = hearsay(fmt::format("study {}/study.toml --set data.name={}", city, city));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr(fmt::format("{}/results/study", city)));
  }
  for (const char* city : {"london", "paris"}) {
    EXPECT_THAT(read_text(folder_ / city / "results/study/summary.csv"), HasSubstr(fmt::format("\n{},", city)));
  }
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  // Nor do files of one folder that differ in the ending only.
  fs::copy_file(folder_ / "paris/study.toml", folder_ / "paris/study.txt");
  EXPECT_EQ(hearsay("study paris/study.txt --quiet").code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "paris/results/study.txt/summary.csv"));
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
  write_events(10);
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

TEST_F(CliTest, DataThatMeasuresNothingIsAWarning) {
  std::string dates = "uid,roi,day\n";
  for (int user = 0; user < 12; ++user) dates += fmt::format("u{0},r1,2010-03-01\nu{0},r1,2010-03-02\n", user);
  write("events.csv", dates);
  write_study();
  const Ran dated = hearsay("study study.toml --quiet --set data.columns.datetime=day");
  EXPECT_EQ(dated.code, 0) << dated.err;
  EXPECT_THAT(dated.err, HasSubstr("warning: 100% of the events used are at midnight exactly"));
  EXPECT_THAT(dated.err, HasSubstr("data.columns.datetime"));

  write_events();
  const Ran two = hearsay(
      "study study.toml --set period.length='30 hours' --set period.observe='6 hours' "
      "--set study.priors=FREQ_ROI");
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_THAT(two.err, HasSubstr("warning: only 2 users"));
  EXPECT_THAT(two.out, HasSubstr("60 events: 38 used, 22 outside the study period, 0 outside the places\n"));
}

// The table as printed, from the rows of summary.csv: errors of the reading that errs least, and what they are below
// the prior's of the same row.
TEST_F(CliTest, TheTableComparesLikeWithLike) {
  const Ran ran = hearsay(fmt::format("study '{}/examples/small/study.toml' --out out", HEARSAY_SOURCE_DIR));
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::map<std::string, double> least;  // by goal, prior and attack
  std::istringstream rows(read_text(folder_ / "out/summary.csv"));
  std::string line;
  std::getline(rows, line);
  while (std::getline(rows, line)) {
    std::vector<std::string> cells;
    std::istringstream cut(line);
    for (std::string cell; std::getline(cut, cell, ',');) cells.push_back(cell);
    const auto [found, added] = least.emplace(cells[1] + cells[2] + cells[3], std::stod(cells[10]));
    if (!added) found->second = std::min(found->second, std::stod(cells[10]));
  }
  std::size_t compared = 0;
  for (const std::string goal : {"profiling", "localization"}) {
    for (const std::string prior : {"FREQ_ROI", "ROI_DAY", "TIME_DAY", "LAST_WEEK"}) {
      const double before = least.at(goal + prior + "PRIOR");
      std::string wanted = fmt::format("{} {:.3f}", prior, before);
      for (const std::string attack : {"AGGREGATES", "BAYES", "MAX_ROI", "MAX_USER"}) {
        const double error = least.at(goal + prior + attack);
        wanted += fmt::format(" {:.3f} {:.0f}%", error, std::round((1 - error / before) * 100) + 0.0);
      }
      std::istringstream printed(ran.out.substr(ran.out.find(goal + " ")));
      while (std::getline(printed, line) && !line.starts_with(prior + " ")) {
      }
      std::istringstream words(line);
      std::string shown;
      for (std::string word; words >> word;) shown += (shown.empty() ? "" : " ") + word;
      EXPECT_EQ(shown, wanted) << goal;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 8U);
  EXPECT_THAT(ran.out, HasSubstr("by how much it is below the PRIOR of its row"));
  EXPECT_THAT(ran.out, Not(HasSubstr("largest profiling error")));
  EXPECT_THAT(hearsay(fmt::format("study '{}/examples/small/study.toml' --out e --set study.log_base=e "
                                  "--set study.priors=FREQ_ROI",
                                  HEARSAY_SOURCE_DIR))
                  .out,
              HasSubstr("The largest profiling error possible is 0.83"));
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
  const std::vector<std::pair<std::string, std::string>> entries = {
      {"FREQ_ROI", "prior"},   {"LAST_HOUR", "prior"}, {"PRIOR", "attack"},  {"MAX_USER", "attack"},
      {"PROFILING", "metric"}, {"LOSS", "metric"},     {"SCM", "mechanism"}, {"SPOTME", "mechanism"}};
  for (const auto& [name, kind] : entries) {
    EXPECT_THAT(list.out, ContainsRegex(fmt::format("\n *{} +[A-Z].+\\.", name)));
    const Ran explained = hearsay("explain " + name);
    EXPECT_EQ(explained.code, 0);
    EXPECT_TRUE(explained.out.starts_with(fmt::format("{} ({})\n", name, kind))) << explained.out;
    EXPECT_THAT(explained.out, HasSubstr("\n  Source: ")) << name;
  }
  EXPECT_THAT(hearsay("explain SPOTME").out, HasSubstr("No epsilon is printed for it"));
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
      "release study.toml --set rois.list=places.csv --mechanism SCM --parameter sensitivity=event --ledger state "
      "--yes ";
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
  for (const char* line :
       {"users +2", "ROIs +3", "reports \\(user, ROI, epoch\\) +60", "reports per user +30\\.0 \\+- 18\\.0",
        "unique ROIs per user +2\\.0 \\+- 1\\.0", "most reports by a user, inference period +24", "time zone +UTC",
        "events used +60", "events outside the study period +0", "bad rows skipped +0"}) {
    EXPECT_THAT(ran.out, ContainsRegex(fmt::format("\n{}\n", line)));
  }
  const Ran json = hearsay("describe study.toml --json --quiet");
  EXPECT_THAT(json.err, ContainsRegex("^hearsay: warning: only 2 users: [^\n]*\n$"));
  for (const char* pair : {"\"users\": 2", "\"visits\": 60", "\"timezone\": \"UTC\"", "\"used\": 60"}) {
    EXPECT_THAT(json.out, HasSubstr(pair));
  }
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
  // Ten cabs for three weeks, once an hour, in the form of the cab data.
  for (int cab = 0; cab < 10; ++cab) {
    std::string text;
    for (long hour = 0; hour < 504; ++hour) {
      text += fmt::format("{} {} 0 {}\n", 37.73 + 0.0001 * static_cast<double>((hour * (cab + 7)) % 600),
                          -122.43 + 0.0001 * static_cast<double>((hour * 5) % 600), 1211180400 + 3600 * hour);
    }
    write(fmt::format("taxis/new_cab{}.txt", cab), text);
  }
  const std::string cabs = run_example("cabs", fmt::format("--set 'data.path={}/taxis'", folder_.string()));
  EXPECT_THAT(cabs, HasSubstr("SFC,localization,LAST_HOUR,PRIOR,ASSIGNED,RAW,,0,,10,"));
}

TEST_F(CliTest, TheDemoKeepsAStudyThatWasChanged) {
  write("try/data/study.toml", "# mine\n");
  const Ran ran = hearsay("demo --users 300 --out try");
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("data/study.toml in it is not the demo's"));
  EXPECT_EQ(read_text(folder_ / "try/data/study.toml"), "# mine\n");
}

TEST_F(CliTest, AlternativesAreNotBothRequired) {
  const std::string text = hearsay("explain SCM").out;
  EXPECT_THAT(text, HasSubstr("sensitivity (required, unless bound is given)"));
  EXPECT_THAT(text, HasSubstr("bound (required, unless sensitivity is given)"));
  EXPECT_THAT(text, HasSubstr("epsilon (required)"));
}

TEST_F(CliTest, AReleaseSaysWhatItIsWorthBeforeItIsMade) {
  write_events();
  write_study();
  write("places.csv", "roi\nr1\nr2\n");
  const std::string release =
      "release study.toml --set rois.list=places.csv --mechanism SCM --parameter bound=20 --parameter epsilon=0.5 "
      "--account riders --ledger state --budget 20 --out published/counts.csv";
  const Ran refused = hearsay(release);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.out, HasSubstr("noise: Laplace noise of scale 40 on every count"));
  EXPECT_THAT(refused.out, HasSubstr("total of all counts: true "));
  EXPECT_THAT(refused.err, HasSubstr("mostly noise"));
  EXPECT_THAT(refused.err, HasSubstr("--post-process projected"));
  EXPECT_THAT(refused.err, HasSubstr("--yes"));
  EXPECT_FALSE(fs::exists(folder_ / "published/counts.csv"));
  const Ran made = hearsay(release + " --yes --post-process projected");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("what these counts will be worth"));
  EXPECT_THAT(read_text(folder_ / "published/counts.csv.guarantee.json"), HasSubstr("\"post_process\": \"projected\""));
  const std::string answers =
      "release study.toml --set rois.list=places.csv --mechanism KRR --parameter p=0.1 --yes "
      "--account riders --ledger state --budget 20 --mix-units --out published/krr.csv";
  EXPECT_THAT(hearsay(answers).err, HasSubstr("data.population"));
  EXPECT_EQ(hearsay(answers + " --population 50").code, 0);
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
