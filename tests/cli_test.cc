// SPDX-License-Identifier: Apache-2.0
//
// The program as its users meet it: studies, exit codes, messages, and that a refused run writes nothing.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "cli_fixture.h"

namespace hearsay {
namespace {

using testing::ContainsRegex;
using testing::Not;

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
                          "error_p50,error_p75,error_p95,loss_mean,loss_signed_mean,gain_mean,improved,without_mean,"));
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

TEST_F(CliTest, AStudySaysWhatAYearOfADefenceComesTo) {
  write_events();
  write_study("[[release]]\nmechanism = \"SCM\"\nsensitivity = \"user\"\nepsilon = 0.5\n");
  const Ran ran = hearsay("study study.toml");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("a user +182\\.5 "));  // a day, 365 times
  EXPECT_THAT(ran.out, HasSubstr("a year: epsilon for the same unit where counts of every such period of 1 day are"));
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
  std::map<std::string, double> least;   // by goal, prior and attack
  std::map<std::string, double> papers;  // of the paper's adversaries, by goal and prior
  std::map<std::string, double> of_all;
  const auto keep = [](std::map<std::string, double>& errors, const std::string& key, double error) {
    const auto [found, added] = errors.emplace(key, error);
    if (!added) found->second = std::min(found->second, error);
  };
  std::istringstream rows(read_text(folder_ / "out/summary.csv"));
  std::string line;
  std::getline(rows, line);
  while (std::getline(rows, line)) {
    std::vector<std::string> cells;
    std::istringstream cut(line);
    for (std::string cell; std::getline(cut, cell, ',');) cells.push_back(cell);
    const double error = std::stod(cells[10]);
    keep(least, cells[1] + cells[2] + cells[3], error);
    keep(of_all, cells[1] + cells[2], error);
    const bool is_papers = cells[3] != "NOWHERE" && cells[3] != "TILT" && cells[4] != "BEST" && cells[4] != "COMMIT";
    if (is_papers) keep(papers, cells[1] + cells[2], error);
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
      wanted += fmt::format(" {:.3f}", least.at(goal + prior + "NOWHERE"));            // no counts took anything there
      if (const auto tilt = least.find(goal + prior + "TILT"); tilt != least.end()) {  // where there are rates
        wanted += fmt::format(" {:.3f} {:.0f}%", tilt->second, std::round((1 - tilt->second / before) * 100) + 0.0);
      }
      wanted += fmt::format(" {:.3f} {:.3f}", papers.at(goal + prior), of_all.at(goal + prior));
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

}  // namespace
}  // namespace hearsay
