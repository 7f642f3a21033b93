// SPDX-License-Identifier: Apache-2.0
#include "studio/settings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.h"

namespace hearsay::studio {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kStudy = R"toml(
[data]
path = "events.csv"
timezone = "UTC"
[rois]
kind = "grid"
south = 0
north = 1
west = 0
east = 1
rows = 4
cols = 4
[period]
start = 2024-01-01
length = "14 days"
observe = "7 days"
[study]
log_base = "e"
[membership]
trials = 20
[[release]]
steps = ["BOUND(at_most=20)", "LAPLACE(epsilon=1|2)"]
[[release]]
preset = "ine-spain"
)toml";

class StudioSettingsTest : public testing::Test {
 protected:
  experiment::Study study(const std::string& settings) const { return study_of(base_, results::Json::parse(settings)); }
  // What is wrong with settings.
  std::string refusal(const std::string& settings) const {
    try {
      study(settings);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
  experiment::Study base_ = experiment::parse_study(kStudy, "city.toml", "", {});
};

TEST_F(StudioSettingsTest, StartsWithWhatTheStudyHas) {
  const results::Json first = first_settings(base_);
  EXPECT_EQ(first["priors"], results::Json::parse(R"j(["FREQ_ROI"])j"));
  EXPECT_EQ(first["goals"], results::Json::parse(R"j(["profiling"])j"));
  EXPECT_EQ(first["attacks"], results::Json::parse(R"j(["TILT"])j"));
  EXPECT_EQ(first["publish"],
            results::Json::parse(
                R"j({"steps": ["BOUND(at_most=20)", "LAPLACE(epsilon=1)"], "post_process": "nonnegative"})j"));
  const experiment::Study made = study_of(base_, first);
  ASSERT_TRUE(made.published);
  EXPECT_EQ(made.published->chain.steps(), "BOUND(at_most=20), LAPLACE(epsilon=1)");
  EXPECT_TRUE(made.defences.empty());
}

TEST_F(StudioSettingsTest, ChangesTheStudyAndKeepsTheRest) {
  const experiment::Study made =
      study(R"j({"priors": ["ROI_DAY"], "attacks": ["TILT"], "goals": ["profiling"], "seed": 7,
    "publish": {"preset": "ine-spain"}})j");
  EXPECT_EQ(made.adversary.priors.size(), 1U);
  EXPECT_EQ(made.adversary.priors.front()->info.name, "ROI_DAY");
  EXPECT_EQ(made.adversary.goals.size(), 1U);
  EXPECT_EQ(made.seed, 7U);
  EXPECT_EQ(made.published->chain.name(), "ine-spain");
  EXPECT_EQ(made.adversary.metric.log_base, base_.adversary.metric.log_base);
}

TEST_F(StudioSettingsTest, PlaysForMembershipWhereAsked) {
  const auto goals_of = [](const experiment::Study& made) {
    std::vector<std::string> names;
    for (const goal::GoalEntry* goal : made.goals) names.push_back(goal->info.name);
    return names;
  };
  EXPECT_THAT(goals_of(study("{}")), ElementsAre("inference"));
  const experiment::Study asked = study(R"j({"membership": true})j");
  EXPECT_THAT(goals_of(asked), testing::Contains("membership"));
  EXPECT_EQ(asked.adversary.membership.trials, 20U);
}

// What the page saves as a file is the study that was run, as `hearsay study` takes it.
TEST_F(StudioSettingsTest, IsAStudyFile) {
  const experiment::Study made = study(R"j({"priors": ["ROI_DAY"], "publish": {"steps": ["ROUND(base=5)"]}})j");
  const experiment::Study again = experiment::parse_study(made.as_run, "saved.toml", "", {});
  EXPECT_EQ(again.adversary.priors.front()->info.name, "ROI_DAY");
  ASSERT_EQ(again.defences.size(), 1U);
  EXPECT_EQ(again.defences.front().chain.steps(), "ROUND(base=5)");
  EXPECT_EQ(again.data.source.paths, base_.data.source.paths);
  EXPECT_THAT(made.as_run, testing::StartsWith(fmt::format("schema = {}\n", experiment::kStudySchema)));
}

TEST_F(StudioSettingsTest, RefusesWithTheKey) {
  EXPECT_THAT(refusal(R"j({"priors": ["FREQ"]})j"), HasSubstr("priors = FREQ: is not known"));
  EXPECT_THAT(refusal(R"j({"priors": []})j"), HasSubstr("priors: must be a list"));
  EXPECT_THAT(refusal(R"j({"attacks": [1]})j"), HasSubstr("attacks"));
  EXPECT_THAT(refusal(R"j({"seed": -1})j"), HasSubstr("seed"));
  EXPECT_THAT(refusal(R"j({"membership": 1})j"), HasSubstr("membership"));
  EXPECT_THAT(refusal(R"j({"publish": {"steps": ["LAPLACE(epsilon=0)"]}})j"), HasSubstr("publish"));
  EXPECT_THAT(refusal(R"j({"publish": {"steps": ["LAPLACE(epsilon=1|2)"]}})j"), HasSubstr("one release"));
  EXPECT_THAT(refusal(R"j({"publish": {"repeats": 100000}})j"), HasSubstr("publish = repeats: is not known"));
  EXPECT_THAT(refusal(R"j([])j"), HasSubstr("must be an object"));
}

// A study may have goals that the page has no place for; whoever asks for one is told so.
TEST_F(StudioSettingsTest, RefusesGoalsThatItDoesNotShow) {
  EXPECT_EQ(refusal(R"j({"goals": ["trajectories"]})j"),
            "goals = trajectories: is not shown in the studio; hearsay study measures it");
  EXPECT_EQ(refusal(R"j({"goals": ["profiling", "audit"], "membership": true})j"),
            "goals = audit: is not shown in the studio; hearsay study measures it");
  EXPECT_EQ(refusal(R"j({"goals": ["membership"]})j"), "goals = membership: is asked for by the setting membership");
  EXPECT_EQ(refusal(R"j({"goals": ["profile"]})j"), "goals = profile: is not known; did you mean \"profiling\"?");
  base_ = experiment::parse_study(std::string(kStudy) + "[trajectories]\n", "city.toml", "", {});
  EXPECT_EQ(study("{}").goals.size(), 1U);
}

// Also where the base has what its file does not say.
TEST_F(StudioSettingsTest, HoldsBackWhatTheStudyHoldsBack) {
  base_.results.least_people = 25;
  base_.results.user_rows = 3;
  const experiment::Study made = study(R"j({"publish": {"steps": ["ROUND(base=5)"]}})j");
  EXPECT_EQ(made.results.least_people, 25U);
  EXPECT_EQ(made.results.user_rows, 3U);
  EXPECT_FALSE(made.results.show_users);
}

// Settings come from a page: they must reach neither files nor what is held back of people.
TEST_F(StudioSettingsTest, ReachesNoFile) {
  for (const char* key : {"data.path", "data", "rois.list", "results.show_users", "results", "study.priors"}) {
    EXPECT_THAT(refusal(results::Json{{key, "/etc/passwd"}}.dump()), HasSubstr("is not known")) << key;
  }
  // Text that would end its place in the file is text all the same.
  EXPECT_THAT(refusal(R"j({"publish": {"post_process": "x\"\n[data]\npath=\"y", "steps": ["ROUND(base=2)"]}})j"),
              HasSubstr("must be none, round"));
}

}  // namespace
}  // namespace hearsay::studio
