// SPDX-License-Identifier: Apache-2.0
#include "job/run_study.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/errors.h"
#include "job/description.h"
#include "job/extras.h"
#include "results/manifest.h"
#include "results/result_tables.h"
#include "results/test_data.h"
#include "storage/database.h"

namespace hearsay::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

class RunStudyTest : public testing::Test {
 protected:
  Outcome run(const experiment::Study& study, std::size_t threads = 1) const {
    return run_study(study, options(threads));
  }
  RunOptions options(std::size_t threads) const {
    RunOptions made;
    made.load.threads = threads;
    made.out = out_;
    made.study_name = "tiny.toml";
    return made;
  }
  // First column of a query on one of the files, as text.
  std::vector<std::string> query(const std::string& sql, const std::string& file) {
    storage::QueryRows rows =
        database_.execute(fmt::format("SELECT CAST(x AS VARCHAR) FROM ({}) AS t(x)", sql), {out_ + "/" + file});
    std::vector<std::string> values;
    while (rows.next()) {
      for (std::size_t row = 0; row < rows.rows(); ++row) {
        values.push_back(rows.is_null(0, row) ? "null" : std::string(rows.text(0, row)));
      }
    }
    return values;
  }
  results::Json manifest() const { return results::Json::parse(results::read_text(out_ + "/manifest.json")); }

  TemporaryFolder place_{"", "hearsay-test-"};
  std::string out_ = place_.path() + "/out";
  storage::Database database_{{1, 0, place_.path()}};
};

TEST_F(RunStudyTest, SummaryHasTheColumnsOfTheDocumentation) {
  const Outcome outcome = run(results::tiny_study(place_.path()));
  const std::string text = results::read_text(out_ + "/summary.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "dataset,goal,prior,attack,decision,release,parameter,repeat,baseline,users,error_mean,error_sd,error_p05,"
            "error_p25,error_p50,error_p75,error_p95,loss_mean,loss_signed_mean,gain_mean,improved,"
            "without_mean,without_sd,without_p05,without_p25,without_p50,without_p75,without_p95,"
            "own_mean,own_sd,own_p05,own_p25,own_p50,own_p75,own_p95,own_clipped,own_loss_mean,counted,"
            "loss_without_mean,control_users,control_half_width,active_users,active_mean,active_without_mean");
  EXPECT_THAT(text, Not(HasSubstr("\"\"")));
  // By attack: its readings, or those of the prior it is compared with; LAST_DAY offers no rates and has one reading.
  EXPECT_EQ(outcome.summary.size(), (7U + 2) + (6 + 1) + (3 + 2 + 3 + 1 + 3 * 3) + (1 + 2 + 3 + 3));
  EXPECT_THAT(query("SELECT count(*) FROM read_csv($1)", "summary.csv"), ElementsAre("43"));
  EXPECT_THAT(query("SELECT DISTINCT baseline FROM read_csv($1) WHERE attack = 'MAX_ROI' AND prior = 'FREQ_ROI' AND "
                    "decision = 'ASSIGNED'",
                    "summary.csv"),
              UnorderedElementsAre("PRIOR/ALL", "PRIOR/POP", "PRIOR/BEST"));
}

TEST_F(RunStudyTest, BestResponsesAreTheLeastErrorsOfTheSummary) {
  run(results::tiny_study(place_.path()));
  const std::string text = results::read_text(out_ + "/best.csv");
  EXPECT_EQ(
      text.substr(0, text.find('\n')),
      "dataset,goal,prior,release,parameter,repeat,before,before_attack,before_decision,without,"
      "without_attack,without_decision,without_half_width,with,with_attack,with_decision,loss,crowd_part,own_part,"
      "paper,paper_attack,paper_decision");
  EXPECT_THAT(query("SELECT count(*) FROM read_csv($1)", "best.csv"), ElementsAre("4"));
  const std::string before = "(SELECT min(error_mean) FROM read_csv('" + out_ +
                             "/summary.csv') s WHERE s.goal = b.goal AND s.prior = b.prior AND s.attack IN ('PRIOR', "
                             "'NOWHERE'))";
  const std::string all = "(SELECT min(error_mean) FROM read_csv('" + out_ +
                          "/summary.csv') s WHERE s.goal = b.goal AND s.prior = b.prior)";
  EXPECT_THAT(query("SELECT DISTINCT before = " + before + " AND \"with\" = " + all +
                        " AND \"with\" <= before FROM read_csv($1) b",
                    "best.csv"),
              ElementsAre("true"));
  const std::string papers = "(SELECT min(error_mean) FROM read_csv('" + out_ +
                             "/summary.csv') s WHERE s.goal = b.goal AND s.prior = b.prior AND s.attack NOT IN "
                             "('NOWHERE', 'TILT') AND coalesce(s.decision, '') NOT IN ('BEST', 'COMMIT'))";
  EXPECT_THAT(query("SELECT DISTINCT paper = " + papers + " AND \"with\" <= paper FROM read_csv($1) b", "best.csv"),
              ElementsAre("true"));
}

TEST_F(RunStudyTest, EpochsComeOnceACombination) {
  run(results::tiny_study(place_.path()));
  const std::string text = results::read_text(out_ + "/epochs.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "dataset,goal,prior,attack,decision,release,parameter,repeat,epoch,time,error,without");
  EXPECT_THAT(query("SELECT DISTINCT time FROM read_csv($1, all_varchar = true) ORDER BY time", "epochs.csv"),
              ElementsAre("2024-01-02 00:00:00", "2024-01-02 01:00:00"));
  EXPECT_THAT(
      query("SELECT max(n) FROM (SELECT count(*) AS n FROM read_csv($1) GROUP BY goal, prior, attack, decision, epoch)",
            "epochs.csv"),
      ElementsAre("1"));
  EXPECT_THAT(
      query("SELECT count(*) FROM read_csv($1) WHERE attack = 'MAX_ROI' AND goal = 'localization'", "epochs.csv"),
      ElementsAre("4"));
}

TEST_F(RunStudyTest, UsersAreNumberedUnlessTheStudyNamesThem) {
  run(results::tiny_study(place_.path()));
  EXPECT_THAT(query("SELECT DISTINCT uid FROM read_parquet($1) ORDER BY uid", "users.parquet"),
              ElementsAre("1", "2", "3", "4"));
}

TEST_F(RunStudyTest, UsersAreByIdWithinACombination) {
  run(results::tiny_study(place_.path(), {"results.show_users=true"}));
  const std::string of_prior =
      "FROM read_parquet($1) WHERE goal = 'profiling' AND prior = 'FREQ_ROI' AND attack = 'PRIOR' AND "
      "decision IS NULL";
  EXPECT_THAT(query("SELECT uid " + of_prior, "users.parquet"), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(query("SELECT loss " + of_prior, "users.parquet"), ElementsAre("null", "null", "null", "null"));
  EXPECT_THAT(query("SELECT string_agg(column_name) FROM (DESCRIBE FROM read_parquet($1))", "users.parquet"),
              ElementsAre("dataset,goal,prior,attack,decision,release,parameter,repeat,baseline,uid,error,active,"
                          "without,own,active_without,loss,loss_signed,loss_without,gain,gain_signed,own_loss"));
  EXPECT_THAT(query("SELECT DISTINCT compression FROM parquet_metadata($1)", "users.parquet"), ElementsAre("ZSTD"));
}

// Twelve people with habits, all of whom stay away in the inference period.
TEST_F(RunStudyTest, CountsOfNobodyGiveNothingAway) {
  std::string events = "uid,roi,datetime\n";
  for (int day = 1; day <= 2; ++day) {
    for (int user = 0; user < 12; ++user)
      events += fmt::format("p{:02},x,2024-01-0{} 0{}:10:00\n", user, day, 1 + user % 3);
  }
  results::write_file(place_.path() + "/quiet.csv", events + "p00,elsewhere,2024-01-03 01:00:00\n");
  results::write_file(place_.path() + "/places.csv", "roi\nx\n");
  const Outcome outcome = run(results::tiny_study(
      place_.path(), {"data.path=quiet.csv", "rois.kind=ids", "rois.list=places.csv", "period.length=3 days",
                      "period.observe=2 days", "study.priors=[\"FREQ_ROI\", \"ROI_DAY\", \"LAST_DAY\"]"}));
  ASSERT_FALSE(outcome.findings.empty());
  EXPECT_THAT(outcome.findings.front(), HasSubstr("nothing"));
  EXPECT_THAT(outcome.findings.front(), HasSubstr("anybody"));
  EXPECT_THAT(outcome.provenance.warnings, testing::Contains(HasSubstr("nobody was at any of the places")));
  for (const results::SummaryRow& row : outcome.summary) {
    ASSERT_TRUE(row.control) << row.combination.attack;
    EXPECT_EQ(row.control->own_loss, 0) << row.combination.attack;
    EXPECT_FALSE(row.active) << row.combination.attack;
  }
}

TEST_F(RunStudyTest, UsersAddUpToTheSummary) {
  const Outcome outcome = run(results::tiny_study(place_.path()));
  storage::QueryRows rows = database_.execute(
      "SELECT avg(error), avg(loss) FROM (SELECT *, (row_number() OVER () - 1) // 4 AS block FROM read_parquet($1)) "
      "GROUP "
      "BY block ORDER BY block",
      {out_ + "/users.parquet"});
  std::size_t block = 0;
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.rows(); ++row, ++block) {
      EXPECT_NEAR(rows.number(0, row), outcome.summary.at(block).error.mean, 1e-12);
      EXPECT_EQ(rows.is_null(1, row), !outcome.summary.at(block).loss_mean);
      if (outcome.summary.at(block).loss_mean) {
        EXPECT_NEAR(rows.number(1, row), *outcome.summary.at(block).loss_mean, 1e-12);
      }
    }
  }
  EXPECT_EQ(block, outcome.summary.size());
}

TEST_F(RunStudyTest, FilesDoNotDependOnThreads) {
  std::vector<std::string> before;
  for (const std::size_t threads : {1, 2, 7}) {
    run(results::tiny_study(place_.path()), threads);
    std::vector<std::string> now;
    for (const char* name : {"summary.csv", "epochs.csv", "users.parquet"})
      now.push_back(results::read_text(out_ + "/" + name));
    if (!before.empty()) {
      EXPECT_EQ(now, before);
    }
    before = now;
  }
}

TEST_F(RunStudyTest, ManifestSaysWhatWasRun) {
  run(results::tiny_study(place_.path(), {"study.seed=7", "data.bad_rows=skip"}));
  const results::Json json = manifest();
  EXPECT_EQ(json.at("hearsay"), version());
  EXPECT_EQ(json.at("schema"), results::kManifestSchema);
  EXPECT_EQ(json.at("study").at("name"), "tiny.toml");
  EXPECT_THAT(json.at("study").at("toml").get<std::string>(), HasSubstr("seed = 7"));
  EXPECT_EQ(json.at("settings").at("seed"), 7);
  EXPECT_EQ(json.at("settings").at("log_base"), 2.0);
  EXPECT_EQ(json.at("dataset").at("users"), 4);
  EXPECT_EQ(json.at("dataset").at("rois"), 3);
  EXPECT_EQ(json.at("dataset").at("visits"), 8);
  EXPECT_EQ(json.at("dataset").at("inference"), 2);
  EXPECT_EQ(json.at("input").at("timezone"), "Europe/London");
  EXPECT_EQ(json.at("input").at("first_event"), "2024-01-01 00:10:00");
  EXPECT_EQ(json.at("input").at("rows"), 8);
  EXPECT_EQ(json.at("input").at("files").at(0).at("name"), "events.csv");
  EXPECT_EQ(json.at("input").at("files").at(0).at("bytes"), std::string(results::kEvents).size());
  EXPECT_EQ(json.at("input").at("files").at(0).at("sha256").get<std::string>().size(), 64U);
  EXPECT_EQ(json.at("users_file").at("users"), 4);
  EXPECT_EQ(json.at("files").size(), 7U);
  EXPECT_EQ(json.at("files").at(0).at("rows"), 43);
  EXPECT_EQ(json.at("stages").size(), 4U);
  EXPECT_GT(json.at("peak_bytes").get<std::uint64_t>(), 0U);
  EXPECT_THAT(json.dump(), Not(HasSubstr(place_.path())));
}

TEST_F(RunStudyTest, UserRowsCanBeOffOrASample) {
  run(results::tiny_study(place_.path(), {"results.users=none"}));
  EXPECT_THAT(results::names_in(out_), UnorderedElementsAre("summary.csv", "epochs.csv", "best.csv", "rois.csv",
                                                            "report.json", "report.html", "manifest.json"));
  EXPECT_FALSE(manifest().at("users_file").at("written").get<bool>());
  run(results::tiny_study(place_.path(), {"results.users=2", "results.show_users=true"}));
  EXPECT_THAT(query("SELECT DISTINCT uid FROM read_parquet($1) ORDER BY uid", "users.parquet"), ElementsAre("a", "c"));
  EXPECT_EQ(manifest().at("users_file").at("users"), 2);
}

TEST_F(RunStudyTest, WritesNothingForBadInput) {
  experiment::Study study = results::tiny_study(place_.path());
  results::write_file(place_.path() + "/events.csv", "uid,roi,datetime\na,x,yesterday\n");
  EXPECT_THROW(run(study), InputError);
  EXPECT_THAT(results::names_in(place_.path()), Not(testing::Contains(HasSubstr("out"))));
}

TEST_F(RunStudyTest, KeepsEarlierResultsWhenWritingFails) {
  const experiment::Study study = results::tiny_study(place_.path());
  run(study);
  const std::string before = results::read_text(out_ + "/manifest.json");
  const auto fail = [](const auto&, const auto&, const auto&) -> Extras { throw std::runtime_error("disk on fire"); };
  EXPECT_THROW(run_study(study, options(1), fail), std::runtime_error);
  EXPECT_EQ(results::read_text(out_ + "/manifest.json"), before);
  for (const std::string& name : results::names_in(place_.path())) EXPECT_THAT(name, Not(HasSubstr("partial")));
}

TEST_F(RunStudyTest, DescriptionHasStatisticsAndOrigin) {
  const Description description = describe_study(results::tiny_study(place_.path()), {});
  EXPECT_THAT(describe_as_text(description), HasSubstr("Europe/London"));
  const results::Json json = results::Json::parse(describe_as_json(description));
  EXPECT_EQ(json.at("statistics").at("reports_per_user").at("mean"), 2.0);
  EXPECT_EQ(json.at("dataset").at("users"), 4);
  ASSERT_EQ(json.at("warnings").size(), 1U);
  EXPECT_THAT(json.at("warnings")[0].get<std::string>(), HasSubstr("only 4 users"));
}

TEST(UserChoice, SamplesEvenlyByIdNotByActivity) {
  const dataset::Dataset dataset = results::some_users({"a", "b", "c", "d", "e"});
  const auto chosen = [&](std::optional<std::size_t> rows) {
    std::vector<std::string> ids;
    for (const std::uint32_t user : results::choose_users(dataset.crowd().users, rows).users)
      ids.push_back(dataset.user_ids()[user]);
    return ids;
  };
  EXPECT_EQ(dataset.crowd().ranks.front(), 4U);
  EXPECT_THAT(chosen(std::nullopt), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(chosen(0), IsEmpty());
  EXPECT_THAT(chosen(2), ElementsAre("a", "c"));
  EXPECT_THAT(chosen(4), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(chosen(99), ElementsAre("a", "b", "c", "d", "e"));
}

TEST(UserChoice, IsOffForManyUsersUnlessAskedFor) {
  const std::size_t users = experiment::kManyUsers + 1;
  EXPECT_THAT(results::choose_users(users, std::nullopt).users, IsEmpty());
  EXPECT_THAT(results::choose_users(users, std::nullopt).reason, HasSubstr("more than 100000 users"));
  EXPECT_EQ(results::choose_users(users, 10).users.size(), 10U);
}

TEST_F(RunStudyTest, StopsOnRequestAndLeavesNothing) {
  const experiment::Study study = results::tiny_study(place_.path());
  RunOptions stopped = options(2);
  std::stop_source stop;
  stopped.load.stop = stop.get_token();
  stopped.load.progress = [&](std::string_view stage, std::uint64_t, std::uint64_t) {
    if (stage == "attacking") stop.request_stop();
  };
  const std::set<std::string> before = results::names_in(place_.path());
  EXPECT_THROW(run_study(study, stopped), Cancelled);
  EXPECT_EQ(results::names_in(place_.path()), before);
}

// Groups of so many people, and how many of them there are.
class SizesGoal final : public goal::Goal {
 public:
  SizesGoal(const goal::Ground& ground, double most) : users_(ground.dataset.crowd().users), most_(most) {}
  std::vector<std::string> parts() const override { return {"small", "large"}; }
  void run(const std::string& part, const goal::Emit& emit) override {
    ++runs;
    const std::size_t size = part == "small" ? 1 : users_;
    const std::vector<double> groups(users_ / size, most_);
    emit({{{"size", std::to_string(size), true}, {"what", part}}, goal::Unit::kGroup, {{"score", groups}}});
  }
  static inline int runs = 0;

 private:
  std::size_t users_;
  double most_;
};

experiment::Registry with_sizes() {
  experiment::Registry registry;
  goal::GoalEntry entry;
  entry.info.name = "sizes";
  entry.info.parameters = {{"most", "5", ""}};
  entry.make = [](const goal::Ground& ground, const Parameters& parameters) {
    return std::make_unique<SizesGoal>(ground, parameters.number("most"));
  };
  registry.add(entry);
  return registry;
}

TEST_F(RunStudyTest, AnotherGoalIsMeasuredKeptAndWritten) {
  const experiment::Study study =
      results::tiny_study(place_.path(), {"study.goals=[\"sizes\", \"profiling\", \"sizes(most=7)\"]"}, with_sizes());
  SizesGoal::runs = 0;
  run(study);
  EXPECT_EQ(SizesGoal::runs, 4);
  const std::string text = results::read_text(out_ + "/sizes.csv");
  EXPECT_THAT(text, HasSubstr("dataset,goal,size,what,unit,count,score_mean,score_sd,score_p05,score_p25,score_p50,"
                              "score_p75,score_p95\n"));
  EXPECT_THAT(
      query("SELECT goal || ' ' || size || what || count || score_mean FROM read_csv($1)", "sizes.csv"),
      ElementsAre("sizes 1small45.0", "sizes 4large15.0", "sizes(most=7) 1small47.0", "sizes(most=7) 4large17.0"));
  EXPECT_THAT(query("SELECT DISTINCT goal FROM read_csv($1)", "summary.csv"), ElementsAre("profiling"));
  const results::Json measured = results::Json::parse(results::read_text(out_ + "/report.json")).at("measured").at(0);
  EXPECT_EQ(measured.at("name"), "sizes");
  EXPECT_EQ(measured.at("fields"), results::Json({"goal", "size", "what"}));
  EXPECT_EQ(measured.at("rows").at(1).at("key"), results::Json({"sizes", "4", "large"}));
  EXPECT_EQ(measured.at("rows").at(1).at("numbers").at(0).at("mean"), 5);
  // Parts of an earlier run are not run again.
  RunOptions resumed = options(1);
  resumed.resume = true;
  const auto fail = [](const auto&, const auto&, const auto&) -> Extras { throw std::runtime_error("killed"); };
  EXPECT_THROW(run_study(study, resumed, fail), std::runtime_error);
  SizesGoal::runs = 0;
  run_study(study, resumed);
  EXPECT_EQ(SizesGoal::runs, 0);
  EXPECT_EQ(results::read_text(out_ + "/sizes.csv"), text);
}

TEST_F(RunStudyTest, AStudyMayHaveNoErrorsToMeasure) {
  const Outcome outcome = run(results::tiny_study(place_.path(), {"study.goals=sizes"}, with_sizes()));
  EXPECT_TRUE(outcome.summary.empty());
  EXPECT_THAT(query("SELECT count(*) FROM read_csv($1)", "sizes.csv"), ElementsAre("2"));
}

TEST_F(RunStudyTest, AStudyOfOtherDataIsRefused) {
  const experiment::Study study = results::tiny_study(place_.path());
  StageClock clock;
  engine::Engine engine(engine::load(study, {}, place_.path(), clock));
  const auto refused_for = [&](const std::function<void(experiment::DataSpec&)>& change) -> std::string {
    experiment::Study other = study;
    change(other.data);
    try {
      run_study(other, engine, options(1));
    } catch (const ConfigError& error) {
      return error.parameter();
    }
    return "nothing";
  };
  EXPECT_EQ(refused_for([](experiment::DataSpec& data) { data.source.paths = {"elsewhere.csv"}; }), "data");
  EXPECT_EQ(refused_for([](experiment::DataSpec& data) { data.rois = ingest::Grid{0, 1, 0, 1, 2, 2}; }), "rois");
  EXPECT_EQ(refused_for([](experiment::DataSpec& data) { data.period.epochs += 24; }), "period");
  EXPECT_EQ(refused_for([](experiment::DataSpec& data) { data.observe += 1; }), "period.observe");
  EXPECT_EQ(refused_for([](experiment::DataSpec& data) { data.user_limit = 2; }), "data.users");
  EXPECT_EQ(refused_for([](experiment::DataSpec& data) { data.name = "another label"; }), "nothing");
}

}  // namespace
}  // namespace hearsay::job
