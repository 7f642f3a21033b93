// SPDX-License-Identifier: Apache-2.0
#include "advice/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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
    study_ = experiment::parse_study(
        "[data]\nformat = \"events\"\npath = \"events.csv\"\ntimezone = \"UTC\"\n"
        "[rois]\nkind = \"ids\"\nlist = \"places.csv\"\n"
        "[period]\nstart = 2024-01-01\nlength = \"4 days\"\nobserve = \"2 days\"\n"
        "[study]\npriors = [\"FREQ_ROI\", \"ROI_DAY\"]\nattacks = [\"BAYES\", \"MAX_ROI\"]\n"
        "[membership]\ngroups = [10]\ntargets = 8\ntrials = 20\n",
        "", folder_.path(), {});
    StageClock clock;
    engine_ = std::make_unique<engine::Engine>(engine::load(study_, {}, folder_.path(), clock));
  }

  Candidate candidate(const std::vector<std::string>& steps) const {
    return {experiment::chain_of("steps", steps, study_.registry.steps)};
  }
  Options few() const {
    Options options;
    options.budget_seconds = 600;
    for (const char* epsilon : {"0.05", "0.2", "0.5", "1", "3", "10"}) {
      options.candidates.push_back(candidate({std::string("LAPLACE(epsilon=") + epsilon + ",unit=event)"}));
    }
    options.candidates.push_back(candidate({"SUPPRESS(at_most=8)"}));
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
  const results::Json first = advice_json(advised(limits, options));
  options.load.threads = 3;
  EXPECT_EQ(advice_json(advised(limits, options)), first);
  options.seed = 2;
  EXPECT_NE(advice_json(advised(limits, options)), first);
}

TEST_F(AdviceTest, SaysWhichLimitCannotBeMetAndWhatIsNearest) {
  Limits limits;
  limits.mae = 0;
  limits.membership = 0.6;
  Options options = few();
  options.candidates.pop_back();
  const Advice advice = advised(limits, options);
  EXPECT_FALSE(advice.chosen);
  ASSERT_TRUE(advice.nearest);
  EXPECT_THAT(advice.impossible, ElementsAre("mae"));
  EXPECT_THAT(advice.sentences.front(), HasSubstr("The limit on MAE cannot be met"));
  ASSERT_FALSE(advice.misses.empty());
  for (const Miss& miss : advice.misses) EXPECT_GT(miss.found, miss.allowed);
  EXPECT_THAT(advice.command, HasSubstr("hearsay release"));
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
  advice.priors = {"FREQ_ROI"};
  EXPECT_THAT(answer_of(advice), testing::Contains(HasSubstr("own loss says nothing here: name stronger attacks")));
  advice.attacks = {"TILT"};
  advice.last_by_all = true;
  EXPECT_THAT(answer_of(advice), testing::Contains(HasSubstr("against TILT with FREQ_ROI")));
  EXPECT_THAT(answer_of(advice), testing::Contains(HasSubstr("against all of its adversaries")));
  EXPECT_THAT(answer_of(advice).back(), HasSubstr("What may be is the file"));
  advice.unmeasured = 1;
  EXPECT_THAT(answer_of(advice), testing::Contains(HasSubstr("1 candidate was left out")));
  advice.unmeasured = 2000;
  EXPECT_THAT(answer_of(advice), testing::Contains(HasSubstr("2,000 candidates were left out")));
  advice.reasons = {"Nothing is hidden."};
  EXPECT_THAT(answer_of(advice).back(), HasSubstr("and that has no guarantee."));
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
