// SPDX-License-Identifier: Apache-2.0
#include "studio/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "job/test_document.h"

namespace hearsay::studio {
namespace {

class StudioSessionTest : public testing::Test {
 protected:
  StudioSessionTest() {
    results::tiny_study(place_.path());
    results::write_file(place_.path() + "/events.csv", job::busy_and_quiet());
    study_ = experiment::parse_study(results::kStudyText, "tiny.toml", place_.path(), {});
  }

  engine::Loaded load() const {
    StageClock clock;
    return engine::load(study_, {}, place_.path(), clock);
  }

  static std::vector<results::Json> ask(Session& session, Wish wish, const std::string& body,
                                        const std::stop_token& stop = {}) {
    std::vector<results::Json> told;
    session.run(
        wish, body, [&](const results::Json& event) { told.push_back(event); }, stop);
    return told;
  }
  // The answer, without the time it took.
  static results::Json answer(Session& session, const std::string& body) {
    results::Json last = ask(session, Wish::kReport, body).back();
    last.erase("seconds");
    return last;
  }

  TemporaryFolder place_{"", "hearsay-test-"};
  experiment::Study study_;
};

// What the engine keeps from answer to answer (priors, errors that no release changes) changes none of them.
TEST_F(StudioSessionTest, AnswersAsIfAskedForTheFirstTime) {
  const std::vector<std::string> asked = {
      R"j({"priors": ["FREQ_ROI"], "attacks": ["MAX_ROI", "TILT"], "publish": null})j",
      R"j({"priors": ["FREQ_ROI"], "attacks": ["MAX_ROI", "TILT"], "publish": {"steps": ["ROUND(base=3)"]}})j",
      R"j({"priors": ["LAST_DAY"], "attacks": ["MAX_ROI"], "goals": ["localization"]})j",
      R"j({"priors": ["FREQ_ROI"], "attacks": ["TILT"], "goals": ["localization"]})j",
      R"j({"priors": ["FREQ_ROI", "LAST_DAY"], "attacks": ["AGGREGATES"]})j",
      R"j({"priors": ["FREQ_ROI"], "attacks": ["BAYES"], "goals": ["profiling"],
         "publish": {"steps": ["KRR(p=0.2)"]}})j",
      R"j({"priors": ["FREQ_ROI"], "attacks": ["BAYES"],
         "publish": {"steps": ["EPOCHS(of=2)", "LAPLACE(epsilon=1)"]}})j"};
  engine::Engine kept(load());
  Session studio(kept, study_, "tiny.toml", {});
  for (int round = 0; round < 2; ++round) {
    for (const std::string& body : asked) {
      engine::Engine anew(load(), false);
      Session fresh(anew, study_, "tiny.toml", {});
      const results::Json first = answer(fresh, body);
      EXPECT_EQ(first["event"], "report") << first.dump().substr(0, 300);
      EXPECT_EQ(answer(studio, body), first) << body;
    }
  }
}

// With what the command asks for before it does it; run from where the studio was started.
TEST_F(StudioSessionTest, ShowsACommandThatIsNotRefused) {
  study_.overrides = {"data.name=two words"};
  engine::Engine engine(load());
  Session studio(engine, study_, "data of/tiny.toml", {});
  const auto command = [&](const std::string& step) {
    return answer(studio, R"j({"publish": {"steps": [")j" + step + R"j("]}})j")["command"].get<std::string>();
  };
  EXPECT_THAT(command("LAPLACE(epsilon=0.01)"), testing::HasSubstr(" --yes "));
  EXPECT_THAT(command("EFPA(epsilon=0.01)"), testing::HasSubstr(" --yes "));
  EXPECT_THAT(command("LAPLACE(epsilon=20)"), testing::Not(testing::HasSubstr("--yes")));
  EXPECT_THAT(command("LAPLACE(epsilon=20)"),
              testing::StartsWith("hearsay release 'data of/tiny.toml' --set 'data.name=two words' --step "));
}

TEST_F(StudioSessionTest, SaysWhatToMend) {
  engine::Engine engine(load());
  Session studio(engine, study_, "tiny.toml", {});
  const results::Json told = ask(studio, Wish::kReport, R"j({"priors": ["FREQ"]})j").back();
  EXPECT_EQ(told["event"], "error");
  EXPECT_EQ(told["key"], "priors");
  EXPECT_THAT(told["message"].get<std::string>(), testing::HasSubstr("known: FREQ_ROI"));
  EXPECT_EQ(ask(studio, Wish::kAdvice, R"j({"limits": {}})j").back()["event"], "error");
  EXPECT_EQ(ask(studio, Wish::kAdvice, R"j({"limits": {"mae": "x"}})j").back()["key"], "mae");
  const auto refusal = [&](const std::string& body) {
    return ask(studio, Wish::kAdvice, body).back()["message"].get<std::string>();
  };
  EXPECT_EQ(refusal(R"j({"limits": {"mea": 5}})j"),
            "limits = mea: is not known; there are own_loss, membership and mae");
  EXPECT_EQ(refusal(R"j({"limits": 5})j"), "limits = 5: must be an object");
  EXPECT_EQ(refusal("5"), "advise: must be an object");
  EXPECT_EQ(refusal(R"j({"limit": {}})j"), "advise = limit: is not known; there are settings, limits and seconds");
}

// A study of something else alone, such as trajectories.
TEST_F(StudioSessionTest, OffersErrorsToAStudyThatNamesNone) {
  study_ = experiment::parse_study(std::string(results::kStudyText) + "[trajectories]\n", "tiny.toml", place_.path(),
                                   {"study.goals=trajectories"});
  engine::Engine engine(load());
  const Session studio(engine, study_, "tiny.toml", {});
  EXPECT_EQ(studio.about()["goals"].size(), 2U);
  EXPECT_EQ(studio.about()["settings"]["goals"], results::Json({"profiling"}));
}

TEST_F(StudioSessionTest, Advises) {
  engine::Engine engine(load());
  Session studio(engine, study_, "tiny.toml", {});
  const std::string body =
      R"j({"settings": {"priors": ["FREQ_ROI"], "attacks": ["BAYES"]}, "limits": {"mae": 5}, "seconds": 60})j";
  const results::Json told = ask(studio, Wish::kAdvice, body).back();
  ASSERT_EQ(told["event"], "advice") << told.dump().substr(0, 300);
  EXPECT_THAT(told["advice"]["command"].get<std::string>(), testing::StartsWith("hearsay release tiny.toml"));
}

// That of the study file, also where the page does not play it.
TEST_F(StudioSessionTest, AdvisesByTheStudysOwnGame) {
  study_ = experiment::parse_study(
      std::string(results::kStudyText) + "[membership]\ngroups = [5]\ntargets = 4\ntrials = 6\n", "tiny.toml",
      place_.path(), {});
  engine::Engine engine(load());
  Session studio(engine, study_, "tiny.toml", {});
  const std::string body =
      R"j({"settings": {"priors": ["FREQ_ROI"], "attacks": ["BAYES"], "membership": false}, "limits": {"mae": 5}})j";
  const results::Json told = ask(studio, Wish::kAdvice, body).back();
  ASSERT_EQ(told["event"], "advice") << told.dump().substr(0, 300);
  const results::Json& frontier = told["advice"]["frontier"];
  ASSERT_FALSE(frontier.empty());
  for (const results::Json& one : frontier) {
    EXPECT_EQ(one["targets"], 4);
    EXPECT_EQ(one["trials"], 6);
  }
}

TEST_F(StudioSessionTest, SaysNothingAfterARequestToStop) {
  engine::Engine engine(load());
  Session studio(engine, study_, "tiny.toml", {});
  std::stop_source stop;
  stop.request_stop();
  for (const results::Json& event : ask(studio, Wish::kReport, "{}", stop.get_token())) {
    EXPECT_EQ(event["event"], "progress");
  }
}

}  // namespace
}  // namespace hearsay::studio
