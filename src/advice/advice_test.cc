// SPDX-License-Identifier: Apache-2.0
#include "advice/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "advice/choice.h"
#include "advice/words.h"
#include "base/errors.h"
#include "base/temporary_folder.h"
#include "experiment/presets.h"
#include "results/result_folder.h"

namespace hearsay::advice {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Sixty people of two days, each with a home and a work place of their own rhythm.
class AdviceTest : public testing::Test {
 protected:
  AdviceTest() : folder_("", "hearsay-") {
    std::string text = "uid,roi,datetime\n";
    for (int user = 0; user < 60; ++user) {
      for (int hour = 0; hour < 96; ++hour) {
        if ((hour * 7 + user * 13) % 5 > 1) continue;
        const int place = hour % 24 < 9 ? user % 4 : (user + hour % 24 / 12) % 4;
        text += "u" + std::to_string(100 + user) + ",p" + std::to_string(place) + ",2024-01-0" +
                std::to_string(1 + hour / 24) + " " + (hour % 24 < 10 ? "0" : "") + std::to_string(hour % 24) +
                ":30:00\n";
      }
    }
    results::write_text_file(folder_.path() + "/events.csv", text);
    results::write_text_file(folder_.path() + "/places.csv", "id\np0\np1\np2\np3\n");
    open("list = \"places.csv\"\n", "targets = 8\n");
  }

  void open(const std::string& places, const std::string& membership) {
    study_ = experiment::parse_study(
        "[data]\nformat = \"events\"\npath = \"events.csv\"\ntimezone = \"UTC\"\n"
        "[rois]\nkind = \"ids\"\n" +
            places +
            "[period]\nstart = 2024-01-01\nlength = \"4 days\"\nobserve = \"2 days\"\n"
            "[study]\npriors = [\"FREQ_ROI\", \"ROI_DAY\"]\nattacks = [\"BAYES\", \"MAX_ROI\"]\n"
            "[membership]\ngroups = [10]\ntrials = 20\n" +
            membership,
        "", folder_.path(), {});
    StageClock clock;
    engine_ = std::make_unique<engine::Engine>(engine::load(study_, {}, folder_.path(), clock));
  }

  Candidate laplace(const std::string& epsilon) const {
    return candidate({"LAPLACE(epsilon=" + epsilon + ",unit=event)"});
  }
  Candidate candidate(const std::vector<std::string>& steps) const {
    return {experiment::chain_of("steps", steps, study_.registry.steps)};
  }
  // With time enough.
  Options among(const std::vector<Candidate>& candidates) const {
    Options options;
    options.budget_seconds = 600;
    options.candidates = candidates;
    return options;
  }
  Options few() const {
    Options options = among({});
    for (const char* epsilon : {"0.05", "0.2", "0.5", "1", "3", "10"}) {
      options.candidates.push_back(laplace(epsilon));
    }
    options.candidates.push_back(candidate({"LAPLACE(epsilon=0.5,unit=event)", "SUPPRESS(at_most=8)"}));
    options.candidates.push_back(candidate({"EPOCHS(of=24)"}));
    return options;
  }
  Advice advised(const Limits& limits, const Options& options) const {
    return advise(*engine_, study_, limits, options);
  }

  TemporaryFolder folder_;
  experiment::Study study_;
  std::unique_ptr<engine::Engine> engine_;
};

// Every candidate by itself, as well as it can be measured: what the search may leave out is left out of nothing here.
TEST_F(AdviceTest, ChoosesAsAnExhaustiveSearchDoes) {
  Limits limits;
  limits.membership = 0.7;
  const Options all = few();
  const Advice advice = advised(limits, all);
  ASSERT_TRUE(advice.chosen);
  EXPECT_FALSE(advice.cut_short);
  std::optional<Priced> best;
  for (const Candidate& one : all.candidates) {
    Options alone = all;
    alone.candidates = {one};
    const Advice single = advised(limits, alone);
    ASSERT_EQ(single.frontier.size(), 1U);
    EXPECT_EQ(single.frontier[0].rung, 3U);
    EXPECT_EQ(single.chosen.has_value(), keeps_to(single.frontier[0], limits));
    if (single.chosen && (!best || single.frontier[0].mae->mean < best->mae->mean)) best = single.frontier[0];
  }
  ASSERT_TRUE(best);
  EXPECT_EQ(advice.frontier[*advice.chosen].candidate.label(), best->candidate.label());
  EXPECT_EQ(advice.frontier[*advice.chosen].membership->mean, best->membership->mean);
  EXPECT_EQ(advice.frontier[*advice.chosen].own_loss->mean, best->own_loss->mean);
}

TEST_F(AdviceTest, IsTheSameForTheSameSeedAndAnyNumberOfThreads) {
  Limits limits;
  limits.membership = 0.65;
  limits.own_loss = 0.05;
  Options options = few();
  results::Json first = advice_json(advised(limits, options));
  options.load.threads = 3;
  EXPECT_EQ(advice_json(advised(limits, options)), first);
  options.seed = 2;
  results::Json second = advice_json(advised(limits, options));
  EXPECT_EQ(first.erase("seed"), 1U);
  EXPECT_EQ(second.erase("seed"), 1U);
  EXPECT_NE(second, first);
}

TEST_F(AdviceTest, SaysWhichLimitCannotBeMetAndWhatIsNearest) {
  Limits limits;
  limits.mae = 0;
  limits.membership = 0.6;
  Options options = few();
  // At epsilon 10 the noise of whole numbers moves 1 count in 11,000, which is none here.
  std::erase_if(options.candidates,
                [](const Candidate& one) { return one.label().find("epsilon=10") != std::string::npos; });
  const Advice advice = advised(limits, options);
  EXPECT_FALSE(advice.chosen);
  ASSERT_TRUE(advice.nearest);
  EXPECT_THAT(advice.impossible, ElementsAre("mae"));
  EXPECT_THAT(advice.sentences.front(), HasSubstr("No candidate that was measured keeps to the limit on MAE"));
  ASSERT_FALSE(advice.misses.empty());
  for (const Miss& miss : advice.misses) EXPECT_GT(miss.found, miss.allowed);
  EXPECT_THAT(advice.command, HasSubstr("hearsay release STUDY.toml"));
  EXPECT_THAT(advice.command_notes.front(), HasSubstr("yet to write"));
  EXPECT_THAT(advice.sentences.back(), HasSubstr("It does not keep to your limits."));
  options.study_name = "town.toml";
  EXPECT_THAT(advised(limits, options).command_notes, Not(Contains(HasSubstr("yet to write"))));
}

// Within the MAE limit everything tells who was counted; with a little more noise than that, much less is told.
TEST_F(AdviceTest, TheNearestMayBeBeyondTheLimitOnMae) {
  Limits limits;
  limits.membership = 0.6;
  limits.mae = 1.5;
  Options options = among({});
  for (const char* epsilon : {"0.02", "0.2", "0.3", "0.5", "1", "2", "3", "6", "7", "8", "9", "10", "12", "14"}) {
    options.candidates.push_back(laplace(epsilon));
  }
  const Advice advice = advised(limits, options);
  EXPECT_FALSE(advice.chosen);
  ASSERT_TRUE(advice.nearest);
  EXPECT_EQ(advice.unmeasured, 0U);
  double least = std::numeric_limits<double>::infinity();
  std::string nearest;
  for (const Candidate& one : options.candidates) {
    Options alone = options;
    alone.candidates = {one};
    const Advice single = advised(limits, alone);
    ASSERT_EQ(single.frontier.size(), 1U);
    const double distance = distance_from(single.frontier[0], limits);
    if (distance < least) nearest = one.label();
    least = std::min(least, distance);
  }
  const Priced& found = advice.frontier[*advice.nearest];
  EXPECT_EQ(found.rung, kLastRung);
  EXPECT_GT(found.mae->mean, *limits.mae);
  EXPECT_EQ(found.candidate.label(), nearest);
}

TEST_F(AdviceTest, WhatPublishesNothingIsNotAdvised) {
  Limits limits;
  limits.mae = 1000;
  limits.membership = 1;
  const Candidate noisy = candidate({"LAPLACE(epsilon=1,unit=event)", "SUPPRESS(at_most=8)"});
  Options options = among({candidate({"SUPPRESS(at_most=8)"}), noisy});  // everything is 6
  const Advice some = advised(limits, options);
  ASSERT_TRUE(some.chosen);
  const Priced& chosen = some.frontier[*some.chosen];
  EXPECT_EQ(chosen.candidate.label(), noisy.label());
  EXPECT_GT(chosen.left_out, 0);
  EXPECT_LT(chosen.left_out, 1);
  EXPECT_THAT(some.sentences, Contains(HasSubstr("% are 0 in it or left out.")));
  EXPECT_THAT(some.sentences, Contains(HasSubstr("1 candidate was dropped because nothing but zeros")));
  options.candidates.pop_back();
  const Advice none = advised(limits, options);
  EXPECT_FALSE(none.chosen || none.nearest);
  EXPECT_THAT(none.frontier, IsEmpty());
  EXPECT_THAT(none.sentences.front(), HasSubstr("every candidate publishes nothing but zeros"));
}

TEST_F(AdviceTest, WhatNoAttackCanBePlayedAgainstIsSaid) {
  open("list = \"places.csv\"\n", "targets = 8\nattacks = [\"LIKELIHOOD\"]\n");  // of counts without noise
  Limits limits;
  limits.membership = 0.7;
  const Options options = among({laplace("0.1"), laplace("1")});
  const Advice advice = advised(limits, options);
  EXPECT_FALSE(advice.chosen || advice.nearest);
  EXPECT_EQ(advice.unplayable, 2U);
  EXPECT_EQ(advice.rungs, (std::vector<std::size_t>{2, 2}));
  EXPECT_THAT(advice.sentences.front(), HasSubstr("have nothing to say of them"));
  EXPECT_THAT(advice.sentences, Contains(HasSubstr("2 candidates were not measured for membership")));
}

TEST_F(AdviceTest, TargetsAreThosePlayed) {
  open("list = \"places.csv\"\n", "targets = 50\n");
  Limits limits;
  limits.membership = 1;
  const Options options = among({candidate({"BOUND(at_most=5)"})});  // groups cost a release for every target
  const Advice advice = advised(limits, options);
  ASSERT_TRUE(advice.chosen);
  EXPECT_EQ(advice.frontier[*advice.chosen].targets, 30U);
  EXPECT_EQ(advice.frontier[*advice.chosen].trials, 20U);
}

TEST_F(AdviceTest, AGuaranteeThatDoesNotHoldIsNotStated) {
  open("", "targets = 8\n");  // places are read off the data
  Limits limits;
  limits.mae = 1000;
  const Options options = among({laplace("1"), laplace("0.1")});
  const Advice advice = advised(limits, options);
  ASSERT_FALSE(advice.frontier.empty());
  for (const Priced& one : advice.frontier) {
    EXPECT_FALSE(one.guarantee.epsilon);
    EXPECT_THAT(one.guarantee.note, HasSubstr("read off the data"));
  }
  EXPECT_THAT(advice.command, HasSubstr("--unsafe"));
  EXPECT_THAT(advice.sentences, Contains(HasSubstr("It promises nothing: The places are read off the data")));
}

TEST_F(AdviceTest, BudgetsThatNoClockCanAddAreRefused) {
  Limits limits;
  limits.mae = 1000;
  Options options = few();
  for (const double seconds : {0.0, -1.0, 1e9, std::numeric_limits<double>::infinity(), std::nan("")}) {
    options.budget_seconds = seconds;
    EXPECT_THROW(advised(limits, options), ConfigError) << seconds;
  }
}

TEST_F(AdviceTest, ALimitLeftOutDoesNotBind) {
  Limits limits;
  limits.mae = 1000;
  Options options = few();
  const Advice useful = advised(limits, options);
  ASSERT_TRUE(useful.chosen);
  // The least error of all, whatever it gives away.
  for (const Priced& one : useful.frontier) EXPECT_LE(useful.frontier[*useful.chosen].mae->mean, one.mae->mean);
  EXPECT_GT(useful.frontier[*useful.chosen].membership->mean, 0.7);
  EXPECT_THROW(advised({}, options), ConfigError);
  limits.membership = 0.4;
  EXPECT_THROW(advised(limits, options), ConfigError);
}

// A study of games alone names no errors, and being counted costs as much as in any other.
TEST_F(AdviceTest, OwnLossNeedsNoGoalOfTheStudyButAnAttackThatUsesCounts) {
  Limits limits;
  limits.own_loss = 0.05;
  const results::Json advice = advice_json(advised(limits, few()));
  study_.adversary.goals.clear();
  EXPECT_EQ(advice_json(advised(limits, few())), advice);
  std::erase_if(study_.adversary.attacks, [](const attack::AttackEntry* entry) { return entry->uses_release; });
  EXPECT_THROW(advised(limits, few()), ConfigError);
}

TEST_F(AdviceTest, SaysWhereOwnLossSaysNothing) {
  Advice advice;
  advice.candidates = 3;
  advice.rungs = {3, 3};
  advice.priors = {"FREQ_ROI"};
  EXPECT_THAT(answer_of(advice), testing::Contains(HasSubstr("own loss says nothing here: name stronger attacks")));
  advice.attacks = {"TILT"};
  advice.last_by_all = true;
  EXPECT_THAT(answer_of(advice), testing::Contains(HasSubstr("against TILT with FREQ_ROI")));
  EXPECT_THAT(answer_of(advice), testing::Contains(HasSubstr("against all of its adversaries")));
  EXPECT_THAT(answer_of(advice).back(), testing::EndsWith("must not be published."));  // there is no command
  advice.command = "hearsay release";
  EXPECT_THAT(answer_of(advice).back(), HasSubstr("What may be is the file"));
  advice.unmeasured = 1;
  EXPECT_THAT(answer_of(advice), testing::Contains(HasSubstr("1 candidate was left out")));
  advice.unmeasured = 2000;
  EXPECT_THAT(answer_of(advice), testing::Contains(HasSubstr("2,000 candidates were left out")));
  advice.reasons = {"Nothing is hidden."};
  EXPECT_THAT(answer_of(advice).back(), HasSubstr("and has no guarantee"));
}

TEST_F(AdviceTest, SaysHowWellTheChosenIsKnown) {
  Advice advice;
  advice.rungs = {1, 1};
  advice.chosen = 0;
  Priced& one = advice.frontier.emplace_back();
  one.candidate = laplace("1");
  one.guarantee.epsilon = 1;
  one.guarantee.unit = "one event";
  one.guarantee.note = "It rests on this.";
  one.mae = Value{1, 1, 1};
  one.own_loss = Value{0.01, 0.01, 0.02};
  one.draws = 1;
  one.people = 1200;
  one.rung = 1;
  EXPECT_THAT(answer_of(advice), Contains(HasSubstr("on 1 draw and 1,200 people. That is little, and other draws")));
  EXPECT_THAT(answer_of(advice), Contains(HasSubstr("It promises epsilon 1 for one event. It rests on this.")));
  EXPECT_THAT(answer_of(advice).front(), HasSubstr("on average over people and against the adversaries tried"));
  one.rung = kLastRung;
  EXPECT_THAT(answer_of(advice), Contains(HasSubstr("people. Other draws of its noise may differ.")));
  one.draws = 3;
  EXPECT_THAT(answer_of(advice), Contains("Own loss was measured on 3 draws and 1,200 people."));
  one.worse_than = "LAST_WEEK_COUNTS";
  EXPECT_THAT(answer_of(advice), Contains(HasSubstr("without counting anybody in the period to be published")));
}

TEST_F(AdviceTest, StopsOnRequestAndWhenTimeIsOver) {
  Limits limits;
  limits.membership = 0.7;
  Options options = few();
  std::stop_source source;
  options.load.stop = source.get_token();
  options.load.progress = [&](std::string_view stage, std::uint64_t, std::uint64_t) {
    if (stage == "who was counted") source.request_stop();
  };
  EXPECT_THROW(advised(limits, options), Cancelled);

  options.load = {};
  options.budget_seconds = 1e-9;
  const Advice advice = advised(limits, options);
  EXPECT_TRUE(advice.cut_short);
  EXPECT_FALSE(advice.chosen || advice.nearest);
  EXPECT_THAT(advice.frontier, IsEmpty());
  EXPECT_THAT(advice.command, IsEmpty());
  EXPECT_THAT(advice.sentences.front(), HasSubstr("Nothing can be advised"));
}

TEST_F(AdviceTest, CandidatesFitTheDataAndAreDifferent) {
  const std::vector<Candidate> all = candidates_for(study_);
  EXPECT_GT(all.size(), 100U);
  std::set<std::string> seen;
  for (const Candidate& one : all) {
    EXPECT_TRUE(seen.insert(one.chain.steps()).second) << one.label();
    EXPECT_THAT(one.chain.steps(), testing::Not(HasSubstr("PLACES")));  // no grid, no zones
  }
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const Candidate& one) { return !one.preset.empty(); }), 6);
  EXPECT_EQ(candidate({"BOUND(at_most=10)", "LAPLACE(epsilon=0.5,unit=user)"}).family(),
            candidate({"BOUND(at_most=10)", "LAPLACE(epsilon=2,unit=user)"}).family());
  EXPECT_EQ(candidate({"LAPLACE(epsilon=0.5,unit=event)"}).epsilon(), 0.5);
}

TEST_F(AdviceTest, ThoseMeasuredBestAreAskedFirst) {
  std::vector<Priced> all(2);
  for (Priced& one : all) one.mae = one.own_loss = Value{1, 1, 1};
  all[0].rung = 1;
  all[0].mae = Value{0.5, 0.5, 0.5};
  all[1].rung = kLastRung;
  Limits limits;
  limits.mae = 2;
  EXPECT_EQ(most_useful(all, limits), 1U);
  EXPECT_THAT(met_by_none(all, limits), IsEmpty());
  limits.mae = 0.1;
  EXPECT_EQ(nearest_to(all, limits), 1U);
  EXPECT_THAT(met_by_none(all, limits), ElementsAre("mae"));
  all[1].publishes_nothing = true;
  EXPECT_EQ(nearest_to(all, limits), 0U);
}

TEST_F(AdviceTest, AFrontierHasNothingThatAnotherIsBetterThan) {
  std::vector<Priced> all(3);
  const auto set = [](Priced& one, double mae, double own, double auc) {
    one.mae = Value{mae, mae, mae};
    one.own_loss = Value{own, own, own};
    one.membership = Value{auc, auc, auc};
  };
  set(all[0], 2, 0.1, 0.6);
  set(all[1], 1, 0.1, 0.6);
  set(all[2], 0.5, 0.3, 0.6);
  EXPECT_THAT(frontier_of(all, true), ElementsAre(2, 1));
  Limits limits;
  limits.own_loss = 0.2;
  EXPECT_TRUE(keeps_to(all[0], limits));
  EXPECT_TRUE(clearly_over(all[2], limits));
  all[0].own_loss->high = 0.25;
  EXPECT_FALSE(keeps_to(all[0], limits));
  EXPECT_FALSE(clearly_over(all[0], limits));
  EXPECT_NEAR(distance_from(all[0], limits), 0.25, 1e-12);
}

}  // namespace
}  // namespace hearsay::advice
