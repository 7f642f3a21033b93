// SPDX-License-Identifier: Apache-2.0
#include "report/document.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/errors.h"
#include "job/test_document.h"
#include "report/page.h"
#include "storage/database.h"

namespace hearsay::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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
  EXPECT_TRUE(document["membership"].is_null()) << "not asked";
  EXPECT_TRUE(document["adversaries"][0]["exposed"]["loss"]["ids"].is_null());
  EXPECT_EQ(document["adversaries"].size(), 4U) << "two goals, two priors";
  EXPECT_EQ(document["best"].size(), 4U);
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
  EXPECT_THAT(names("attacks"), ElementsAre("PRIOR", "AGGREGATES", "BAYES", "MAX_ROI", "MAX_ROI(ties=reports)",
                                            "MAX_USER", "NOWHERE", "TILT"));
  EXPECT_THAT(names("decisions"), ElementsAre("ALL", "POP", "POP(delta=0.7)", "ASSIGNED", "BEST", "COMMIT"));
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
      "SELECT error, visits::BIGINT FROM read_csv($1) WHERE roi = 'z' AND attack = 'PRIOR' AND decision IS NULL",
      {out_ + "/rois.csv"});
  ASSERT_TRUE(rows.next());
  EXPECT_NEAR(rows.number(0, 0), 1, 1e-9);
  EXPECT_EQ(rows.integer(1, 0), 1);
}

TEST_F(DocumentTest, WhatRestsOnFewPeopleIsHeldBack) {
  const results::Json document = run({"results.least_people=10"}, busy_and_quiet());
  const results::Json& places = document["rois"]["places"];
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0]["visits"], 24);
  EXPECT_TRUE(places[1]["visits"].is_null());
  const results::Json& her = adversary_of(document);
  for (const char* part : {"own", "loss"}) {
    EXPECT_TRUE(her["places"][part][0].is_number());
    EXPECT_TRUE(her["places"][part][1].is_null());
  }
  EXPECT_EQ(document["settings"]["least_people"], 10);
  // 24 people are two steps of 12; a mean each.
  EXPECT_EQ(document["cdf"]["probabilities"], results::Json({0.25, 0.75}));
  for (const results::Json& curve : document["cdf"]["curves"]) EXPECT_EQ(curve["errors"].size(), 2U);
  EXPECT_EQ(her["own_steps"].size(), 2U);
  for (const results::Json& by : her["by"]) {
    for (const results::Json& group : by["groups"]) EXPECT_GE(group["users"], 10);
  }
  // Two people above the 95th percentile, twelve above the median.
  EXPECT_TRUE(her["own_p95"].is_null());
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
  EXPECT_TRUE(adversary_of(all)["places"]["loss"][1].is_number());
  EXPECT_EQ(all["cdf"]["probabilities"].size(), 24U);
  EXPECT_TRUE(adversary_of(all)["own_p95"].is_number());
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
  const results::Json& her = adversary_of(document);
  EXPECT_TRUE(her["by"].empty());
  EXPECT_TRUE(her["own_steps"].empty());
  EXPECT_TRUE(her["worst_hour"].is_null());
  EXPECT_TRUE(her["worst_roi"].is_null());
  EXPECT_TRUE(her["own_p95"].is_null());
  EXPECT_TRUE(her["loss"].is_number());
  for (const results::Json& loss : her["places"]["loss"]) EXPECT_TRUE(loss.is_null());
  for (const results::Json& own : her["places"]["own"]) EXPECT_TRUE(own.is_null());
  const std::string epochs = results::read_text(out_ + "/epochs.csv");
  EXPECT_EQ(epochs.find('\n'), epochs.size() - 1) << epochs;
}

TEST_F(DocumentTest, UsersAreNamedOnlyIfTheStudySaysSo) {
  const results::Json hidden = run();
  EXPECT_THAT(hidden.dump(), Not(HasSubstr("\"ids\":[")));
  const results::Json shown = run({"results.show_users=true"});
  for (const char* part : {"own", "loss"}) {
    const results::Json& exposed = adversary_of(shown)["exposed"][part];
    ASSERT_TRUE(exposed["ids"].is_array());
    EXPECT_EQ(exposed["ids"].size(), exposed["users"].get<std::size_t>());
  }
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
  EXPECT_TRUE(defence["own"].is_number());
  EXPECT_TRUE(defence["own_raw"].is_number());
  EXPECT_TRUE(defence["own_bound"].is_null()) << "an event is less than a user";
}

TEST_F(DocumentTest, WhetherSomebodyWasCountedIsAnAnswerOfItsOwn) {
  const results::Json document = run({"study.goals=membership", "membership.groups=[2, 5]", "membership.trials=50",
                                      "membership.knows=[\"trace\", \"habits\"]", "results.least_people=10"},
                                     busy_and_quiet());
  EXPECT_TRUE(document["summary"].empty());
  EXPECT_TRUE(document["measured"].empty()) << "it has a part of its own";
  ASSERT_GE(document["findings"].size(), 2U);
  EXPECT_THAT(document["findings"][0].get<std::string>(), HasSubstr("Were you counted: somebody who knows where a"));
  const results::Json& membership = document["membership"];
  ASSERT_EQ(membership["lines"].size(), 2U);
  EXPECT_EQ(membership["attacks"].size(), 1U);
  EXPECT_EQ(membership["exposure"][0]["group"], 5);
  for (const results::Json& line : membership["lines"]) {
    EXPECT_EQ(line["raw"], true);
    ASSERT_EQ(line["points"].size(), 2U);
    const results::Json& point = line["points"][1];
    EXPECT_EQ(point["targets"], 24);
    EXPECT_EQ(point["trials"], 50);
    EXPECT_TRUE(point["auc"]["p50"].is_number());
    EXPECT_TRUE(point["auc"]["p25"].is_null()) << "six people below it";
    EXPECT_TRUE(point["tpr_01"].is_null()) << "fifty groups are too few";
  }
}

TEST_F(DocumentTest, PathsFromTheCountsAloneAreAnAnswerOfTheirOwn) {
  EXPECT_TRUE(run({})["trajectories"].is_null()) << "not asked";
  const results::Json document =
      run({"study.goals=trajectories", "trajectories.methods=[\"memory\", \"published\"]"}, busy_and_quiet());
  EXPECT_TRUE(document["measured"].empty()) << "it has a part of its own";
  ASSERT_EQ(document["findings"].size(), 1U);
  EXPECT_THAT(document["findings"][0].get<std::string>(), HasSubstr("Paths: from the counts alone, with no knowledge"));
  const results::Json& trajectories = document["trajectories"];
  ASSERT_EQ(trajectories["methods"].size(), 2U);
  ASSERT_EQ(trajectories["lines"].size(), 2U);
  for (const results::Json& line : trajectories["lines"]) {
    EXPECT_EQ(line["raw"], true);
    EXPECT_EQ(line["people"], 24);
    for (const char* share : {"right", "shuffled"}) {
      EXPECT_GT(line[share], 0) << share;
      EXPECT_LE(line[share], 1) << share;
    }
  }
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
