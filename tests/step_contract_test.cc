// SPDX-License-Identifier: Apache-2.0
//
// What every registered mechanism promises, checked over all of them, a new one included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiment/study.h"
#include "goal/releases.h"
#include "release/aggregate.h"
#include "release/post_process.h"
#include "release/test_town.h"
#include "release/utility.h"

namespace hearsay {
// Of CONTRIBUTING.md.
namespace release {
extern const StepEntry hush_step;
}

namespace {

using release::CountMatrix;
using release::Prepared;
using Values = std::vector<std::pair<std::string, std::string>>;

// A mechanism with parameters that suit 24 epochs.
struct Setting {
  std::string name;
  Values values;
  Values without_noise = {};    // parameters that leave the counts as they are
  bool one_place_only = false;  // it counts a person once an epoch, so only where nobody is in two places
  bool noisy = true;
  std::size_t epochs = 24;  // that come out
  std::size_t places = 6;   // that come out of 6, a grid of 2 x 3
};

const std::vector<Setting>& settings() {
  static const std::vector<Setting> list = {
      {"SCM", {{"sensitivity", "event"}, {"epsilon", "0.5"}}, {{"sensitivity", "event"}, {"epsilon", "1e12"}}},
      {"SCM", {{"sensitivity", "roi"}, {"epsilon", "2"}}, {{"sensitivity", "roi"}, {"epsilon", "1e12"}}},
      {"SCM", {{"sensitivity", "delta"}, {"epsilon", "2"}}, {{"sensitivity", "delta"}, {"epsilon", "1e12"}}},
      {"SCM", {{"sensitivity", "user"}, {"epsilon", "3"}}, {{"sensitivity", "user"}, {"epsilon", "1e12"}}},
      {"SCM", {{"bound", "1000"}, {"epsilon", "5"}}, {{"bound", "1000"}, {"epsilon", "1e12"}}},
      {"FPA",
       {{"form", "sound"}, {"k", "13"}, {"epsilon", "3"}},
       {{"form", "sound"}, {"k", "13"}, {"epsilon", "1e12"}}},
      {"FPA", {{"k", "24"}, {"epsilon", "3"}}, {{"k", "24"}, {"epsilon", "1e12"}}},
      {"FPA",
       {{"form", "sound"}, {"k", "best"}, {"epsilon", "3"}},
       {{"form", "sound"}, {"k", "best"}, {"epsilon", "1e12"}}},
      {"SPOTME", {{"p", "0.3"}}, {{"p", "1e-12"}}},
      {"KRR", {{"p", "0.3"}}, {{"p", "1e-12"}}, true},
      {"KRR", {{"p", "0.3"}, {"simplex", "yes"}}, {{"p", "1e-12"}, {"simplex", "yes"}}, true},
      {"OUE", {{"epsilon", "1"}}},  // noise is left however large epsilon is
      {"OUE", {{"epsilon", "1"}, {"simplex", "no"}}},
      {"SUBSET", {{"epsilon", "1"}}, {{"epsilon", "1e9"}}, true},
      {"SUBSET", {{"epsilon", "0.4"}, {"simplex", "no"}}, {{"epsilon", "1e9"}, {"simplex", "no"}}, true},
      {"SAMPLE", {{"rate", "0.5"}}, {{"rate", "0.999999999999"}}},
      {"BOUND", {{"at_most", "3"}, {"per", "day"}, {"choice", "first"}}, {{"at_most", "1000"}}, false, false},
      {"BOUND", {{"at_most", "3"}}, {{"at_most", "24"}, {"per", "epoch"}}},
      {"EPOCHS", {{"of", "5"}}, {}, false, false, 5},
      {"PLACES", {{"of", "2"}}, {}, false, false, 24, 2},
      {"PLACES", {{"of", "zone"}}, {}, false, false, 24, 2},
      {"LAPLACE", {{"epsilon", "5"}}, {{"epsilon", "1e12"}}},
      {"LAPLACE", {{"epsilon", "1"}, {"unit", "user_day"}}, {{"epsilon", "1e12"}, {"unit", "user_day"}}},
      {"GAUSSIAN", {{"epsilon", "5"}}, {{"rho", "1e20"}}},
      {"TREE", {{"epsilon", "5"}}, {{"epsilon", "1e12"}}},
      {"TREE",
       {{"noise", "gaussian"}, {"epsilon", "1"}, {"unit", "user_day"}},
       {{"noise", "gaussian"}, {"rho", "1e20"}}},
      {"SQUARE_ROOT", {{"epsilon", "5"}}, {{"rho", "1e20"}}},
      {"SQUARE_ROOT", {{"rho", "0.5"}, {"unit", "event"}}, {{"rho", "1e20"}, {"unit", "event"}}},
      {"EFPA", {{"epsilon", "3"}}, {{"epsilon", "1e12"}}},
      {"EFPA", {{"epsilon", "20"}, {"unit", "user"}}, {{"epsilon", "1e12"}, {"unit", "user"}}},
      {"W_EVENT", {{"epsilon", "50"}, {"w", "3"}}, {{"epsilon", "1e12"}, {"w", "3"}}},
      {"W_EVENT",
       {{"epsilon", "50"}, {"w", "3"}, {"form", "distribution"}},
       {{"epsilon", "1e12"}, {"w", "3"}, {"form", "distribution"}}},
      {"PEGASUS", {{"epsilon", "5"}}, {{"epsilon", "1e12"}}},
      {"PEGASUS",
       {{"epsilon", "1"}, {"unit", "event"}, {"smoother", "average"}},
       {{"epsilon", "1e12"}, {"smoother", "average"}}},
      {"TOP_CODE", {{"at_least", "5"}}, {{"at_least", "1000"}}, false, false},
      {"SUPPRESS", {{"at_most", "5"}}, {{"at_most", "0"}}, false, false},
      {"ROUND", {{"base", "4"}}, {}, false, false},
  };
  return list;
}

CountMatrix draw(const Setting& setting, const Values& values, const Prepared& town, std::uint64_t seed,
                 std::size_t repeat) {
  const auto mechanism = release::make(setting.name, values);
  mechanism->check({town.counts.epochs(), 3, true});
  return mechanism->apply(town.draft, *release::evaluation_noise(seed, setting.name, "", repeat)).counts();
}

bool same(const CountMatrix& a, const CountMatrix& b) {
  return std::equal(a.all().begin(), a.all().end(), b.all().begin(), b.all().end());
}

// Everybody in one place at most.
release::Town orderly_town() {
  release::Town town{30, 4, 24, {}};
  SeededBits bits(8);
  for (std::uint32_t e = 0; e < town.epochs; ++e) {
    for (std::uint32_t u = 0; u < town.users; ++u) {
      const auto roi = static_cast<std::uint32_t>(bits.below(6));
      if (roi < town.rois) town.visits.push_back({e, u, roi});
    }
  }
  return town;
}

TEST(StepContractTest, EveryStepIsTried) {
  for (const release::StepEntry* entry : release::all_steps()) {
    EXPECT_TRUE(std::any_of(settings().begin(), settings().end(),
                            [&](const Setting& setting) { return setting.name == entry->info.name; }))
        << "add parameters for " << entry->info.name << " to settings()";
  }
}

TEST(StepContractTest, NoiseFollowsSeedAndRepeatAndKeepsTheShape) {
  const Prepared town(release::busy_town(), 50);
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name + " " + setting.values.front().second);
    const CountMatrix once = draw(setting, setting.values, town, 1, 1);
    EXPECT_EQ(once.rois(), setting.places + 1);
    EXPECT_EQ(once.epochs(), setting.epochs);
    EXPECT_TRUE(same(once, draw(setting, setting.values, town, 1, 1)));
    EXPECT_NE(same(once, draw(setting, setting.values, town, 1, 2)), setting.noisy);
    EXPECT_NE(same(once, draw(setting, setting.values, town, 2, 1)), setting.noisy);
    EXPECT_TRUE(std::all_of(once.all().begin(), once.all().end(), [](double x) { return std::isfinite(x); }));
  }
}

TEST(StepContractTest, WithoutNoiseCountsAreExact) {
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name + " " + setting.values.front().second);
    if (setting.without_noise.empty()) continue;
    const Prepared town(setting.one_place_only ? orderly_town() : release::busy_town());
    CountMatrix counts = draw(setting, setting.without_noise, town, 1, 1);
    release::post_process(counts, release::PostProcess::kRound, 0);
    EXPECT_TRUE(same(counts, town.counts));
  }
}

TEST(StepContractTest, NobodyAndASinglePersonAreHandled) {
  for (const release::Town& small : {release::Town{0, 2, 24, {}}, release::Town{1, 2, 24, {{3, 0, 1}}}}) {
    for (const std::optional<std::size_t> population : {std::optional<std::size_t>(), std::optional<std::size_t>(1)}) {
      const Prepared town(small, population);
      for (const Setting& setting : settings()) {
        SCOPED_TRACE(setting.name + " " + setting.values.front().second);
        const CountMatrix counts = draw(setting, setting.values, town, 1, 1);
        EXPECT_EQ(counts.rois(), setting.name == "PLACES" && setting.values.front().second == "2" ? 2U : 3U);
        EXPECT_TRUE(std::all_of(counts.all().begin(), counts.all().end(), [](double x) { return std::isfinite(x); }));
      }
    }
  }
}

TEST(StepContractTest, APromiseIsFiniteOrExplained) {
  for (const std::optional<std::size_t> population : {std::optional<std::size_t>(), std::optional<std::size_t>(60)}) {
    const Prepared town(release::busy_town(), population);
    for (const Setting& setting : settings()) {
      SCOPED_TRACE(setting.name + " " + setting.values.front().second);
      const release::Guarantee promise = release::make(setting.name, setting.values)->guarantee(town.draft);
      EXPECT_EQ(promise.epsilon.has_value(), promise.epsilon_with_null.has_value());
      if (promise.epsilon) {
        EXPECT_TRUE(std::isfinite(*promise.epsilon) && *promise.epsilon > 0);
        EXPECT_GE(*promise.epsilon_with_null, *promise.epsilon);
        EXPECT_NE(promise.unit, "none");
      } else {
        EXPECT_GT(promise.note.size(), 20U);
        EXPECT_EQ(promise.unit, "none");
      }
    }
  }
}

// What a mechanism says of its noise, against the noise: at a place where nobody ever is.
TEST(StepContractTest, NoiseIsAsLargeAsStated) {
  release::Town town = orderly_town();
  town.rois += 1;
  const std::size_t empty = town.rois - 1;
  const Prepared prepared(town, 40);
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name + " " + setting.values.front().second);
    const std::optional<release::Noise> stated = release::make(setting.name, setting.values)->noise(prepared.draft);
    if (!stated) continue;
    ASSERT_GT(stated->deviation, 0);
    double squares = 0;
    double distances = 0;
    double n = 0;
    for (std::size_t repeat = 1; repeat <= 400; ++repeat) {
      const CountMatrix counts = draw(setting, setting.values, prepared, 1, repeat);
      for (const double count : counts.series(empty)) {
        squares += count * count;
        distances += std::fabs(count);
        ++n;
      }
    }
    EXPECT_NEAR(std::sqrt(squares / n) / stated->deviation, 1, 0.05);
    EXPECT_NEAR(distances / n / stated->absolute_error, 1, 0.1);
    EXPECT_EQ(stated->scale.has_value(), setting.name == "SCM" || setting.name == "LAPLACE");
  }
}

// Parameters, places, epochs and the declared population: what is stated of noise must not change with the visits.
TEST(StepContractTest, WhatIsStatedOfNoiseIsNotReadOffTheData) {
  release::Town other = release::busy_town();
  other.visits.resize(other.visits.size() / 3);
  other.users = 25;
  std::erase_if(other.visits, [&](const ingest::Visit& visit) { return visit.user >= other.users; });
  for (const std::optional<std::size_t> population : {std::optional<std::size_t>(), std::optional<std::size_t>(60)}) {
    const Prepared here(release::busy_town(), population);
    const Prepared there(other, population);
    for (const Setting& setting : settings()) {
      const auto mechanism = release::make(setting.name, setting.values);
      const std::optional<release::Noise> a = mechanism->noise(here.draft);
      const std::optional<release::Noise> b = mechanism->noise(there.draft);
      ASSERT_EQ(a.has_value(), b.has_value());
      EXPECT_EQ(a ? a->description : "", b ? b->description : "");
      EXPECT_EQ(mechanism->guarantee(here.draft).epsilon, mechanism->guarantee(there.draft).epsilon);
    }
  }
}

TEST(StepContractTest, PostProcessingHoldsForEveryMechanism) {
  const Prepared town(release::busy_town(), 50);
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name + " " + setting.values.front().second);
    const CountMatrix noisy = draw(setting, setting.values, town, 1, 1);
    for (const release::PostProcess how : {release::PostProcess::kNonnegative, release::PostProcess::kProjected}) {
      CountMatrix counts = noisy;
      release::post_process(counts, how, 50);
      for (const double count : counts.all()) {
        EXPECT_GE(count, 0);
        EXPECT_EQ(count, std::round(count));
      }
      if (how != release::PostProcess::kProjected) continue;
      for (std::size_t epoch = 0; epoch < counts.epochs(); ++epoch) {
        double before = 0;
        double after = 0;
        for (std::size_t roi = 0; roi + 1 < counts.rois(); ++roi) {
          before += noisy.series(roi)[epoch];
          after += counts.series(roi)[epoch];
        }
        EXPECT_NEAR(after, std::max(0.0, before), 0.5 + 1e-9);
      }
    }
  }
}

TEST(StepContractTest, SmallCountsAreLeftOutAndOthersRounded) {
  const Prepared town(release::busy_town());
  const auto noise = release::evaluation_noise(1, "test", "", 1);
  const release::Draft hushed = release::make("SUPPRESS", {{"at_most", "7"}})->apply(town.draft, *noise);
  const release::Draft rounded = release::make("ROUND", {{"base", "4"}})->apply(town.draft, *noise);
  std::size_t missing = 0;
  for (std::size_t roi = 0; roi + 1 < town.counts.rois(); ++roi) {
    for (std::size_t epoch = 0; epoch < town.counts.epochs(); ++epoch) {
      const double count = town.counts.series(roi)[epoch];
      missing += count <= 7 ? 1 : 0;
      EXPECT_EQ(hushed.counts().series(roi)[epoch], count <= 7 ? 0 : count);
      const double nearest = rounded.counts().series(roi)[epoch];
      EXPECT_EQ(std::fmod(nearest, 4), 0);
      EXPECT_TRUE(nearest - count <= 2 && count - nearest < 2) << count << ' ' << nearest;
    }
  }
  EXPECT_GT(missing, 0U);
  EXPECT_EQ(hushed.missing().size(), missing);
  // What is known of it: the largest true count that may be missing.
  release::Chain chain = release::chain_of("ROUND", {{"base", "4"}});
  chain.add(release::step_named("SUPPRESS"), release::parameters_of("SUPPRESS", {{"at_most", "4"}}));
  EXPECT_EQ(chain.rule(town.draft).hidden, 5U) << "4 and 5 are rounded to 4, which is left out";
  EXPECT_EQ(chain.rule(town.draft).base, 4U);
  EXPECT_TRUE(chain.rule(town.draft).exact);
  const release::Chain noisy = release::chain_of("SCM", {{"sensitivity", "event"}, {"epsilon", "0.5"}});
  EXPECT_FALSE(noisy.rule(town.draft).exact);
  EXPECT_NEAR(noisy.rule(town.draft).variance, 0.5 / std::pow(std::sinh(0.25), 2), 1e-12);  // of whole numbers
}

// The step that CONTRIBUTING.md adds, as it says there.
TEST(StepContractTest, TheExampleIsFreeAfterNoiseAndPromisesNothingBefore) {
  const Prepared town(release::busy_town());
  Parameters parameters("HUSH");
  parameters.set("least", "9");
  const auto noise = release::evaluation_noise(1, "test", "", 1);
  release::Chain alone;
  alone.add(release::hush_step, parameters);
  EXPECT_FALSE(alone.guarantee(town.draft).epsilon);
  release::Chain after_noise = release::chain_of("SCM", {{"sensitivity", "event"}, {"epsilon", "1"}});
  after_noise.add(release::hush_step, parameters);
  EXPECT_EQ(after_noise.guarantee(town.draft).epsilon, 1);
  for (const release::Chain& chain : {alone, after_noise}) {
    const release::Draft draft = chain.run(town.draft, *noise);
    std::size_t left = 0;
    for (std::size_t roi = 0; roi + 1 < draft.counts().rois(); ++roi) {
      for (const double count : draft.counts().series(roi)) left += count >= 9 ? 1 : 0;
    }
    EXPECT_GT(left, 0U);
    EXPECT_EQ(left + draft.missing().size(), (town.counts.rois() - 1) * town.counts.epochs());
  }
}

// A study's errors are those of the file that would be published, and of the paper's counts only where it says so.
TEST(StepContractTest, AStudyMeasuresWhatWouldBePublished) {
  const Prepared town(release::busy_town());
  experiment::Study study;
  const Values values = {{"bound", "1300"}, {"epsilon", "1"}};
  double errors[2] = {};
  for (const release::PostProcess how : {release::kDefaultPostProcess, release::PostProcess::kPaper}) {
    goal::Defence defence;
    defence.chain = release::chain_of("SCM", values);
    defence.post_process = how;
    study.defences = {defence};
    double& mre = errors[how == release::PostProcess::kPaper ? 1 : 0];
    const auto take = [&](const goal::ReleaseResult& result) {
      if (result.baseline.empty()) mre = result.utility.mre;
    };
    const goal::Ground ground = study.ground(town.data);
    goal::Releases(ground).measure(take);
    const auto make_noise = how == release::PostProcess::kPaper ? release::paper_noise : release::evaluation_noise;
    const auto noise = make_noise(study.seed, "SCM", "bound=1300,epsilon=1", 1);
    CountMatrix published = release::make("SCM", values)->apply(town.draft, *noise).counts();
    release::post_process(published, how, town.data.crowd().users);
    EXPECT_EQ(mre, release::measure_utility(town.counts, published).mre);
  }
  EXPECT_GT(errors[0], 10 * errors[1]) << "counts may exceed the number of people, which is not known to the reader";
}

}  // namespace
}  // namespace hearsay
