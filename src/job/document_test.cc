// SPDX-License-Identifier: Apache-2.0
#include "report/document.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/errors.h"
#include "job/run_study.h"
#include "report/page.h"
#include "results/test_data.h"
#include "storage/database.h"

namespace hearsay::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class DocumentTest : public testing::Test {
 protected:
  results::Json run(const std::vector<std::string>& overrides = {}, const std::string& events = results::kEvents) {
    const experiment::Study study = results::tiny_study(place_.path(), overrides);
    results::write_file(place_.path() + "/events.csv", events);
    RunOptions options;
    options.out = out_;
    options.study_name = "tiny.toml";
    run_study(study, options);
    return results::Json::parse(results::read_text(out_ + "/report.json"));
  }
  TemporaryFolder place_{"", "hearsay-test-"};
  std::string out_ = place_.path() + "/out";
};

TEST_F(DocumentTest, HasEverythingThePageNeeds) {
  const results::Json document = run();
  EXPECT_EQ(document["schema"], report::kDocumentSchema);
  EXPECT_EQ(document["title"], "tiny");
  EXPECT_EQ(document["dataset"]["users"], 4);
  EXPECT_EQ(document["dataset"]["timezone"], "Europe/London");
  EXPECT_EQ(document["inputs"][0]["name"], "events.csv");
  EXPECT_EQ(document["hours"]["times"].size(), 2U);
  EXPECT_EQ(document["hours"]["times"][0], "2024-01-02 00:00:00");
  EXPECT_EQ(document["rois"]["places"].size(), 3U);
  EXPECT_TRUE(document["paper"].is_null());
  EXPECT_TRUE(document["who"]["exposed"]["ids"].is_null());
  EXPECT_EQ(document["entries"]["priors"].size(), prior::all_priors().size());
  // Every combination has one curve, of as many points as there are users where nothing is held back, rising.
  EXPECT_EQ(document["cdf"]["probabilities"].size(), 4U);
  for (const results::Json& curve : document["cdf"]["curves"]) {
    ASSERT_EQ(curve["errors"].size(), 4U);
    EXPECT_TRUE(std::is_sorted(curve["errors"].begin(), curve["errors"].end()));
  }
}

// The page knows no entry by name.
TEST_F(DocumentTest, SaysWhatThePageMustKnowOfEntries) {
  const results::Json document = run({"study.attacks=[\"MAX_ROI(ties=reports)\", \"MAX_USER\"]", "study.delta=0.3",
                                      "study.decisions=[\"POP\", \"POP(delta=0.7)\"]", "study.log_base=e"});
  const results::Json& goals = document["goals"];
  ASSERT_EQ(goals.size(), 2U);
  EXPECT_EQ(goals[0]["name"], document["summary"][0]["goal"]);
  EXPECT_NEAR(goals[0]["largest"].get<double>(), 0.8326, 1e-4);
  EXPECT_EQ(goals[1]["largest"], 1);
  EXPECT_EQ(goals[0]["decides"], false);
  EXPECT_EQ(goals[1]["decides"], true);

  const results::Json& entries = document["entries"];
  const auto names = [&](const char* kind) {
    std::vector<std::string> list;
    for (const results::Json& entry : entries[kind]) list.push_back(entry["name"]);
    return list;
  };
  // A form with parameters follows its entry.
  EXPECT_THAT(names("attacks"),
              ElementsAre("PRIOR", "AGGREGATES", "BAYES", "MAX_ROI", "MAX_ROI(ties=reports)", "MAX_USER", "NOWHERE"));
  EXPECT_THAT(names("decisions"), ElementsAre("ALL", "POP", "POP(delta=0.7)", "ASSIGNED"));
  for (const results::Json& entry : entries["attacks"]) {
    EXPECT_EQ(entry["uses_release"], entry["name"] != "PRIOR" && entry["name"] != "NOWHERE");
    EXPECT_EQ(entry["uses_prior"], entry["name"] != "AGGREGATES" && entry["name"] != "NOWHERE");
  }
  EXPECT_EQ(entries["decisions"][1]["parameters"][0]["value"], "0.3");
  EXPECT_EQ(entries["decisions"][2]["parameters"][0]["value"], "0.7");
  EXPECT_EQ(entries["decisions"][2]["of_assignments"], false);
  EXPECT_EQ(entries["decisions"][3]["of_assignments"], true);
  for (const results::Json& entry : entries["metrics"]) {
    const std::string name = entry["name"];
    EXPECT_EQ(entry["compares_with"], name == "LOSS"   ? results::Json("prior")
                                      : name == "GAIN" ? results::Json("raw")
                                                       : results::Json());
  }
  for (const results::Json& row : document["summary"]) {
    const std::string reading = row["baseline_decision"];
    EXPECT_TRUE(reading.empty() || row["baseline"] == "PRIOR/" + reading) << row;
  }
}

TEST_F(DocumentTest, SummaryIsThatOfTheFile) {
  const results::Json document = run();
  storage::Database database({});
  storage::QueryRows rows =
      database.execute("SELECT count(*), sum(loss_mean) FROM read_csv($1)", {out_ + "/summary.csv"});
  ASSERT_TRUE(rows.next());
  double loss = 0;
  for (const results::Json& row : document["summary"])
    loss += row["loss_mean"].is_null() ? 0 : row["loss_mean"].get<double>();
  EXPECT_EQ(rows.integer(0, 0), static_cast<std::int64_t>(document["summary"].size()));
  EXPECT_NEAR(rows.number(1, 0), loss, 1e-9);
}

TEST_F(DocumentTest, LossByPlaceComparesErrorsWhereTheTruthIs) {
  run({"study.priors=FREQ_ROI"});
  storage::Database database({});
  // d is in z in the second inferred hour and nobody else ever: FREQ_ROI says null, so its error there is 1.
  storage::QueryRows rows = database.execute(
      "SELECT error, visits::BIGINT FROM read_csv($1) WHERE roi = 'z' AND attack = 'PRIOR'", {out_ + "/rois.csv"});
  ASSERT_TRUE(rows.next());
  EXPECT_NEAR(rows.number(0, 0), 1, 1e-9);
  EXPECT_EQ(rows.integer(1, 0), 1);
}

// 24 people at `busy`, of whom 3 also go to `quiet`, on both days.
std::string busy_and_quiet() {
  std::string events = "uid,roi,datetime\n";
  for (int day = 1; day <= 2; ++day) {
    for (int user = 0; user < 24; ++user) {
      events += fmt::format("u{:02},busy,2024-01-0{} 0{}:30:00\n", user, day, (user + day) % 2);
      if (user < 3) events += fmt::format("u{:02},quiet,2024-01-0{} 01:40:00\n", user, day);
    }
  }
  return events;
}

TEST_F(DocumentTest, WhatRestsOnFewPeopleIsHeldBack) {
  const results::Json document = run({"results.least_people=10"}, busy_and_quiet());
  const results::Json& places = document["rois"]["places"];
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0]["visits"], 24);
  EXPECT_TRUE(places[0]["loss"].is_number());
  EXPECT_TRUE(places[1]["visits"].is_null());
  EXPECT_TRUE(places[1]["loss"].is_null());
  EXPECT_EQ(document["settings"]["least_people"], 10);
  // 24 people are two steps of 12; a mean each.
  EXPECT_EQ(document["cdf"]["probabilities"], results::Json({0.25, 0.75}));
  for (const results::Json& curve : document["cdf"]["curves"]) EXPECT_EQ(curve["errors"].size(), 2U);
  for (const results::Json& by : document["who"]["by"]) {
    for (const results::Json& group : by["groups"]) EXPECT_GE(group["users"], 10);
  }
  // Two people above the 95th percentile, twelve above the median.
  EXPECT_TRUE(document["tiles"]["p95_user"].is_null());
  EXPECT_TRUE(document["summary"][0]["error_p95"].is_null());
  EXPECT_TRUE(document["summary"][0]["error_p50"].is_number());
  EXPECT_EQ(document["hours"]["times"].size(), 2U);

  storage::Database database({});
  storage::QueryRows rows = database.execute("SELECT DISTINCT roi FROM read_csv($1)", {out_ + "/rois.csv"});
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.rows(), 1U);
  EXPECT_EQ(rows.text(0, 0), "busy");

  const results::Json all = run({"results.least_people=1"}, busy_and_quiet());
  EXPECT_EQ(all["rois"]["places"][1]["visits"], 3);
  EXPECT_TRUE(all["rois"]["places"][1]["loss"].is_number());
  EXPECT_EQ(all["cdf"]["probabilities"].size(), 24U);
  EXPECT_TRUE(all["tiles"]["p95_user"]["value"].is_number());
}

TEST_F(DocumentTest, ManyVisitsOfOnePersonAreOnePerson) {
  std::string events = busy_and_quiet();
  for (int day = 1; day <= 2; ++day) {
    for (int hour = 0; hour < 2; ++hour) events += fmt::format("u05,home,2024-01-0{} 0{}:10:00\n", day, hour);
  }
  EXPECT_TRUE(run({"results.least_people=2"}, events)["rois"]["places"][1]["visits"].is_null());
  EXPECT_EQ(run({"results.least_people=2"}, events)["rois"]["places"][2]["visits"], 3);
}

TEST_F(DocumentTest, AStudyOfFewPeopleHasOnlyMeansOfAll) {
  const results::Json document = run({"results.least_people=10"});
  EXPECT_TRUE(document["cdf"]["curves"].empty());
  EXPECT_TRUE(document["hours"]["series"].empty());
  EXPECT_TRUE(document["who"]["by"].empty());
  EXPECT_TRUE(document["tiles"]["worst_hour"].is_null());
  EXPECT_TRUE(document["tiles"]["mean_loss"]["value"].is_number());
  for (const results::Json& place : document["rois"]["places"]) EXPECT_TRUE(place["loss"].is_null());
  const std::string epochs = results::read_text(out_ + "/epochs.csv");
  EXPECT_EQ(epochs.find('\n'), epochs.size() - 1) << epochs;
}

TEST_F(DocumentTest, OneAdversaryForAllTiles) {
  const results::Json document = run({"study.priors=[\"FREQ_ROI\", \"LAST_HOUR\", \"ROI_DAY\"]"}, busy_and_quiet());
  const results::Json& tile = document["tiles"]["mean_loss"];
  EXPECT_THAT(document["findings"][0].get<std::string>(),
              HasSubstr(fmt::format("({}, {})", tile["prior"].get<std::string>(), tile["attack"].get<std::string>())));
  // The largest of her losses by place in rois.csv.
  storage::Database database({});
  storage::QueryRows rows = database.execute(
      "SELECT roi, loss FROM read_csv($1) WHERE prior = $2 AND attack = $3 AND visits >= 20 AND loss > 0 ORDER BY loss "
      "DESC",
      {out_ + "/rois.csv", tile["prior"].get<std::string>(), tile["attack"].get<std::string>()});
  const results::Json& place = document["tiles"]["worst_roi"];
  if (!rows.next()) {
    EXPECT_TRUE(place.is_null()) << place;
    return;
  }
  EXPECT_EQ(place["id"], std::string(rows.text(0, 0)));
  EXPECT_NEAR(place["loss"].get<double>(), rows.number(1, 0), 1e-6);
}

TEST_F(DocumentTest, TheWorstHourReadsThePriorAsTheMeanLossDoes) {
  // 12 people are at x for ten observed hours and both inferred ones, 36 for one observed hour only: read by POP,
  // FREQ_ROI says that nobody is ever at x and errs less than by ALL.
  std::string events = "uid,roi,datetime\n";
  for (int user = 0; user < 48; ++user) {
    for (int hour = 5; hour < (user < 12 ? 15 : 6); ++hour) {
      events += fmt::format("u{},x,2024-01-01 {:02}:10:00\n", user, hour);
    }
    if (user < 12) events += fmt::format("u{0},x,2024-01-02 00:10:00\nu{0},x,2024-01-02 01:10:00\n", user);
  }
  const results::Json document = run({"study.goals=localization", "study.priors=FREQ_ROI"}, events);
  const results::Json& tile = document["tiles"]["mean_loss"];
  const std::string reading = tile["baseline"].get<std::string>().substr(std::string("PRIOR/").size());
  EXPECT_EQ(reading, "POP");
  const auto errors = [&](const results::Json& attack, const std::string& decision) {
    for (const results::Json& series : document["hours"]["series"]) {
      if (series["attack"] == attack && series["decision"] == decision) return series["errors"];
    }
    return results::Json();
  };
  const results::Json before = errors("PRIOR", reading);
  const results::Json after = errors(tile["attack"], tile["decision"].get<std::string>());
  double most = 0;
  for (std::size_t e = 0; e < before.size(); ++e) {
    if (before[e].get<double>() > 0.01) most = std::max(most, 1 - after[e].get<double>() / before[e].get<double>());
  }
  ASSERT_GT(most, 0);
  EXPECT_NEAR(document["tiles"]["worst_hour"]["loss"].get<double>(), most, 1e-5);
  // And it is the reading of the prior that errs least.
  double least = 1;
  double compared = 1;
  for (const results::Json& row : document["summary"]) {
    if (row["attack"] != "PRIOR") continue;
    least = std::min(least, row["error_mean"].get<double>());
    if (row["decision"] == reading) compared = row["error_mean"].get<double>();
  }
  EXPECT_EQ(compared, least);
}

// Everybody does today what they did yesterday: LAST_DAY never errs, and nothing can be taken from it.
TEST_F(DocumentTest, APriorWithoutErrorWinsNothing) {
  std::string events = "uid,roi,datetime\n";
  for (int day = 1; day <= 2; ++day) {
    for (int user = 0; user < 12; ++user) {
      events += fmt::format("u{0},r{1},2024-01-0{2} 0{3}:30:00\n", user, user % 3, day, user % 2);
    }
  }
  const results::Json document = run({"study.priors=[\"FREQ_ROI\", \"LAST_DAY\"]"}, events);
  EXPECT_EQ(document["tiles"]["mean_loss"]["prior"], "FREQ_ROI");
  EXPECT_EQ(document["rois"]["adversary"]["prior"], "FREQ_ROI");
  EXPECT_EQ(document["rois"]["adversary"]["goal"], "profiling");
  for (const results::Json& place : document["rois"]["places"]) EXPECT_TRUE(place["loss"].is_number()) << place;
  const results::Json only = run({"study.priors=LAST_DAY"}, events);
  for (const results::Json& place : only["rois"]["places"]) EXPECT_TRUE(place["loss"].is_null()) << place;
  EXPECT_TRUE(only["rois"]["adversary"].is_null());
  EXPECT_TRUE(only["tiles"]["worst_roi"].is_null());
  EXPECT_THAT(only["findings"][0].get<std::string>(), HasSubstr("nothing about people's habits"));
  EXPECT_THAT(only["findings"][1].get<std::string>(), HasSubstr("no less"));
}

TEST_F(DocumentTest, UsersAreNamedOnlyIfTheStudySaysSo) {
  const results::Json hidden = run();
  EXPECT_THAT(hidden.dump(), Not(HasSubstr("\"ids\":[")));
  const results::Json shown = run({"results.show_users=true"});
  ASSERT_TRUE(shown["who"]["exposed"]["ids"].is_array());
  EXPECT_EQ(shown["who"]["exposed"]["ids"].size(), shown["who"]["exposed"]["users"].get<std::size_t>());
}

TEST_F(DocumentTest, DefencesCarryTheirGuarantees) {
  const experiment::Study study = experiment::parse_study(
      std::string(results::kStudyText) +
          "[[release]]\nmechanism = \"SCM\"\nsensitivity = \"event\"\nepsilon = 1\nrepeats = 3\n",
      "tiny.toml", place_.path(), {});
  results::write_file(place_.path() + "/events.csv", results::kEvents);
  RunOptions options;
  options.out = out_;
  run_study(study, options);
  const results::Json document = results::Json::parse(results::read_text(out_ + "/report.json"));
  ASSERT_EQ(document["defences"].size(), 1U);
  const results::Json& defence = document["defences"][0];
  EXPECT_EQ(defence["epsilon"], 1.0);
  EXPECT_EQ(defence["epsilon_with_null"], 2.0);
  EXPECT_EQ(defence["unit"], "one event");
  EXPECT_EQ(defence["repeats"], 3);
  EXPECT_TRUE(defence["mre_half_width"].is_number());
  EXPECT_FALSE(defence["adversaries"].empty());
}

TEST_F(DocumentTest, NoTextOfTheDataCanEndItsElement) {
  std::string events = results::kEvents;
  events += "e,</script><img src=x onerror=alert(1)>,2024-01-02 00:00:00\n";
  run({}, events);
  const std::string page = results::read_text(out_ + "/report.html");
  EXPECT_THAT(page, Not(HasSubstr("</script><img")));
  EXPECT_THAT(page, HasSubstr("\\u003c/script\\u003e\\u003cimg src=x"));
}

TEST_F(DocumentTest, ThePageCanBeMadeAnew) {
  run();
  const std::string page = results::read_text(out_ + "/report.html");
  std::filesystem::remove(out_ + "/report.html");
  EXPECT_EQ(report::write_page(out_), out_ + "/report.html");
  EXPECT_EQ(results::read_text(out_ + "/report.html"), page);
  results::write_file(out_ + "/report.json", "{}");
  EXPECT_THROW(report::write_page(out_), InputError);
  EXPECT_THROW(report::write_page(place_.path()), InputError);
}

}  // namespace
}  // namespace hearsay::job
