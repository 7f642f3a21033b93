// SPDX-License-Identifier: Apache-2.0
//
// The parts of the document about adversaries: with and without each person.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "job/test_document.h"

namespace hearsay::job {
namespace {

using testing::HasSubstr;
using testing::Not;

// Of every goal and prior the attack that errs least; the sentences are about the one to whom the counts add most.
TEST_F(DocumentTest, OneAdversaryForAll) {
  const results::Json document = run({"study.priors=[\"FREQ_ROI\", \"LAST_HOUR\", \"ROI_DAY\"]"}, busy_and_quiet());
  ASSERT_EQ(document["adversaries"].size(), 6U);
  double most = 0;
  for (const results::Json& her : document["adversaries"]) {
    double least = 1;
    double before = 1;
    for (const results::Json& row : document["summary"]) {
      if (row["goal"] != her["goal"] || row["prior"] != her["prior"]) continue;
      double& error = row["attack"] == "PRIOR" || row["attack"] == "NOWHERE" ? before : least;
      error = std::min(error, row["error_mean"].get<double>());
    }
    EXPECT_EQ(her["with"], least) << her["prior"];
    EXPECT_EQ(her["before"], before) << her["prior"];
    if (her["goal"] == "profiling") most = std::max(most, before - least);
  }
  const results::Json& her = adversary_of(document);
  EXPECT_EQ(her["before"].get<double>() - her["with"].get<double>(), most);
  EXPECT_THAT(document["findings"][0].get<std::string>(),
              HasSubstr(fmt::format("({}, {})", her["prior"].get<std::string>(), her["attack"].get<std::string>())));
}

TEST_F(DocumentTest, PartsAddUp) {
  const results::Json document = run({}, busy_and_quiet());
  std::size_t use_counts = 0;
  for (const results::Json& row : document["summary"]) {
    const double own = row["own_mean"];
    EXPECT_NEAR(row["without_mean"].get<double>() - row["error_mean"].get<double>(), own, 1e-12);
    EXPECT_TRUE(row["active_mean"].is_number());
    if (row["attack"] == "PRIOR" || row["attack"] == "NOWHERE") {
      EXPECT_EQ(own, 0) << row;
    } else {
      ++use_counts;
    }
  }
  EXPECT_GT(use_counts, 0U);
  for (const results::Json& her : document["adversaries"]) {
    const auto number = [&](const char* name) { return her[name].get<double>(); };
    EXPECT_NEAR(number("crowd"), number("before") - number("without"), 1e-12);
    EXPECT_NEAR(number("own"), number("without") - number("with"), 1e-12);
    // Everybody is in the steps and in the groups.
    double sum = 0;
    for (const results::Json& own : her["own_steps"]) sum += own.get<double>();
    EXPECT_NEAR(sum / 24, number("own"), 1e-5);
    for (const results::Json& by : her["by"]) {
      double all = 0;
      for (const results::Json& group : by["groups"]) all += group["own"].get<double>() * group["users"].get<double>();
      EXPECT_NEAR(all / 24, number("own"), 1e-5) << by["title"];
    }
  }
  for (const results::Json& best : document["best"]) {
    EXPECT_LE(best["without"]["error"], best["before"]["error"]);
    EXPECT_LE(best["with"]["error"], best["before"]["error"]);
    EXPECT_LE(best["with"]["error"], best["paper"]["error"]) << "the paper's are among those tried";
  }
}

// What her hours and places say is in the errors by epoch, and in rois.csv.
TEST_F(DocumentTest, TheWorstHourIsThatOfTheLargestOwnPart) {
  const results::Json document = run({}, busy_and_quiet());
  for (const results::Json& her : document["adversaries"]) {
    double most = 0;
    for (const results::Json& series : document["hours"]["series"]) {
      if (series["goal"] != her["goal"] || series["prior"] != her["prior"] || series["attack"] != her["attack"] ||
          series["decision"] != her["decision"]) {
        continue;
      }
      for (std::size_t e = 0; e < series["errors"].size(); ++e) {
        most = std::max(most, series["without"][e].get<double>() - series["errors"][e].get<double>());
      }
    }
    const results::Json& hour = her["worst_hour"];
    if (hour.is_null()) {
      EXPECT_LE(most, 1e-6);
      continue;
    }
    EXPECT_NEAR(hour["without"].get<double>() - hour["with"].get<double>(), most, 1e-5);
  }
}

// Alone at a place at night, for the first time: whom the counts help to assign places finds her because she is
// counted.
TEST_F(DocumentTest, ARareTravellerLosesByBeingCounted) {
  std::string events = "uid,roi,datetime\n";
  for (int user = 0; user < 20; ++user) {
    for (int day = 1; day <= 2; ++day) events += fmt::format("u{:02},busy,2024-01-0{} 00:30:00\n", user, day);
  }
  events += "rare,busy,2024-01-01 00:30:00\nrare,night,2024-01-01 12:30:00\nrare,night,2024-01-02 01:30:00\n";
  const results::Json document = run({"study.priors=FREQ_ROI", "study.attacks=[\"MAX_ROI\", \"MAX_USER\"]"}, events);
  for (const results::Json& her : document["adversaries"]) {
    if (her["goal"] != "profiling") continue;
    const results::Json& steps = her["own_steps"];
    EXPECT_GT(steps.back().get<double>(), 5 * std::fabs(steps[10].get<double>()));
  }
}

// Without a control the page shows what the paper has.
TEST_F(DocumentTest, WithoutAControl) {
  const results::Json document = run({"study.control=false"}, busy_and_quiet());
  for (const results::Json& row : document["summary"]) {
    for (const char* name : {"without_mean", "own_mean", "own_loss_mean", "counted", "loss_without_mean"}) {
      EXPECT_TRUE(row[name].is_null()) << name;
    }
  }
  for (const results::Json& best : document["best"]) EXPECT_TRUE(best["without"].is_null());
  for (const results::Json& her : document["adversaries"]) {
    for (const char* name : {"without", "crowd", "own", "own_loss", "counted", "own_p95"}) {
      EXPECT_TRUE(her[name].is_null()) << name;
    }
    EXPECT_TRUE(her["own_steps"].empty());
    EXPECT_TRUE(her["exposed"]["own"].is_null());
    EXPECT_TRUE(her["loss_p95"].is_number());
    EXPECT_TRUE(her["by"][0]["groups"][0]["own"].is_null());
    EXPECT_TRUE(her["by"][0]["groups"][0]["loss"].is_number());
  }
  for (const results::Json& series : document["hours"]["series"]) EXPECT_TRUE(series["without"].is_null());
  EXPECT_THAT(document["findings"].dump(), Not(HasSubstr("For how many")));
}

// 12 people are at x for ten observed hours and both inferred ones, 36 for one observed hour only: read by POP,
// FREQ_ROI says that nobody is ever at x and errs less than by ALL; read by BEST it errs least.
TEST_F(DocumentTest, LossesAreAgainstTheReadingOfThePriorThatErrsLeast) {
  std::string events = "uid,roi,datetime\n";
  for (int user = 0; user < 48; ++user) {
    for (int hour = 5; hour < (user < 12 ? 15 : 6); ++hour) {
      events += fmt::format("u{},x,2024-01-01 {:02}:10:00\n", user, hour);
    }
    if (user < 12) events += fmt::format("u{0},x,2024-01-02 00:10:00\nu{0},x,2024-01-02 01:10:00\n", user);
  }
  const results::Json document =
      run({"study.goals=localization", "study.priors=FREQ_ROI", "study.attacks=MAX_ROI"}, events);
  const results::Json& her = adversary_of(document);
  EXPECT_EQ(her["baseline"], "PRIOR/BEST");
  double least = 1;
  for (const results::Json& row : document["summary"]) {
    if (row["attack"] == "PRIOR") least = std::min(least, row["error_mean"].get<double>());
    if (row["attack"] == "MAX_ROI" && row["baseline"] == her["baseline"]) {
      EXPECT_EQ(row["loss_mean"], her["loss"]);
    }
  }
  for (const results::Json& row : document["summary"]) {
    if (row["attack"] == "PRIOR" && row["decision"] == "BEST") {
      EXPECT_EQ(row["error_mean"], least);
    }
  }
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
  for (const results::Json& her : document["adversaries"]) {
    if (her["goal"] != "profiling") continue;
    for (const results::Json& loss : her["places"]["loss"]) EXPECT_EQ(loss.is_number(), her["prior"] == "FREQ_ROI");
  }
  const results::Json only = run({"study.priors=LAST_DAY"}, events);
  for (const results::Json& loss : adversary_of(only)["places"]["loss"]) EXPECT_TRUE(loss.is_null()) << loss;
  EXPECT_THAT(only["findings"][0].get<std::string>(), HasSubstr("is never wrong about people's habits"));
}

}  // namespace
}  // namespace hearsay::job
