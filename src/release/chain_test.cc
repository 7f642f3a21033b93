// SPDX-License-Identifier: Apache-2.0
#include "release/chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/errors.h"
#include "release/test_town.h"

namespace hearsay::release {
namespace {

using testing::HasSubstr;

// Pairs of neighbouring places and epochs become one.
class PairsStep final : public Step {
 public:
  explicit PairsStep(bool harmless) : harmless_(harmless) {}
  bool gives_visits() const override { return true; }
  Draft apply(const Draft& draft, const NoiseSource&) const override {
    const auto halves = [](std::size_t all) {
      std::vector<std::uint32_t> map(all);
      for (std::uint32_t i = 0; i < all; ++i) map[i] = i / 2;
      return map;
    };
    const Geometry& fine = draft.geometry();
    return draft.merged(halves(fine.places), (fine.places + 1) / 2, halves(fine.epochs), (fine.epochs + 1) / 2);
  }
  Guarantee carried(const Guarantee& later) const override { return harmless_ ? later : Step::carried(later); }

 private:
  bool harmless_;
};

// Every odd count is not published.
class OddStep final : public Step {
 public:
  Draft apply(const Draft& draft, const NoiseSource&) const override {
    CountMatrix counts = draft.counts();
    std::vector<Missing> missing;
    for (std::uint32_t place = 0; place + 1 < counts.rois(); ++place) {
      for (std::uint32_t epoch = 0; epoch < counts.epochs(); ++epoch) {
        if (std::llround(counts.series(place)[epoch]) % 2 == 0) continue;
        counts.series(place)[epoch] = 0;
        missing.push_back({place, epoch, 1, 99});
      }
    }
    return draft.with_counts(std::move(counts), std::move(missing));
  }
};

// Adds something to every count that leaves no usable number.
class AddingStep final : public Step {
 public:
  explicit AddingStep(double added) : added_(added) {}
  Draft apply(const Draft& draft, const NoiseSource&) const override {
    CountMatrix counts = draft.counts();
    for (double& count : counts.all()) count += added_;
    return draft.with_counts(std::move(counts));
  }

 private:
  double added_;
};

StepEntry entry_of(const std::string& name, const std::function<std::unique_ptr<Step>()>& make_step) {
  StepEntry entry;
  entry.info.name = name;
  entry.make = [make_step](const Parameters&) { return make_step(); };
  return entry;
}

const StepEntry kPairs = entry_of("PAIRS", [] { return std::make_unique<PairsStep>(true); });
const StepEntry kRashPairs = entry_of("RASH", [] { return std::make_unique<PairsStep>(false); });
const StepEntry kOdd = entry_of("ODD", [] { return std::make_unique<OddStep>(); });
const Values kEvent = {{"sensitivity", "event"}, {"epsilon", "1"}};

Chain chain_of_entries(const std::vector<std::pair<const StepEntry*, Values>>& steps) {
  Chain chain;
  for (const auto& [entry, values] : steps) chain.add(*entry, parameters_of(entry->info.name, values));
  return chain;
}

std::unique_ptr<NoiseSource> some_noise() {
  return evaluation_noise(1, "test", "", 1);
}

TEST(ChainTest, MergedVisitsAreCountedOnceAPersonPlaceAndEpoch) {
  // Five places and three epochs: the last of each stay alone. User 0 is in both halves of a pair, and twice in time.
  const Prepared town({3, 5, 3, {{0, 0, 0}, {0, 0, 1}, {0, 1, 2}, {1, 0, 0}, {1, 1, 2}, {2, 2, 4}}});
  const Draft draft = chain_of_entries({{&kPairs, {}}}).run(town.draft, *some_noise());
  EXPECT_EQ(draft.geometry().places, 3U);
  EXPECT_EQ(draft.geometry().epochs, 2U);
  EXPECT_THAT(draft.geometry().place_of, testing::ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(draft.geometry().epoch_of, testing::ElementsAre(0, 0, 1));
  EXPECT_THAT(draft.counts().all(), testing::ElementsAre(1, 0, 1, 0, 0, 1, 1, 2));
  EXPECT_EQ(draft.visits().at(EpochId{0}).users.size(), 2U);
  // Merged again: pairs of pairs.
  const Draft again = PairsStep(true).apply(draft, *some_noise());
  EXPECT_THAT(again.geometry().place_of, testing::ElementsAre(0, 0, 0, 0, 1));
  EXPECT_THAT(again.geometry().epoch_of, testing::ElementsAre(0, 0, 0));
  EXPECT_THAT(again.counts().all(), testing::ElementsAre(2, 1, 0));
}

TEST(ChainTest, CoarseCountsAreSpreadEvenlyOverWhatTheyCover) {
  const Prepared town({3, 5, 3, {{0, 0, 0}, {0, 0, 1}, {0, 1, 2}, {1, 0, 0}, {1, 1, 2}, {2, 2, 4}}});
  const Published published = chain_of_entries({{&kPairs, {}}}).run(town.draft, *some_noise()).publish({});
  std::vector<double> dense;
  EXPECT_EQ(published.counts().epochs(), 2U);
  EXPECT_EQ(published.fine().epochs(), 3U);
  // One person in the first pair of places and one in the second, over two epochs; one of three in null.
  EXPECT_THAT(published.fine().at(EpochId{1}, dense).dense, testing::ElementsAre(0.25, 0.25, 0.25, 0.25, 0, 2));
  EXPECT_THAT(published.fine().at(EpochId{2}, dense).dense, testing::ElementsAre(0, 0, 0, 0, 1, 2));
  // Of its own places and epochs, they are what they are.
  const Published raw(town.counts.to_release());
  EXPECT_EQ(&raw.fine(), &raw.counts());
}

TEST(ChainTest, TheFirstStepThatGivesNoVisitsMakesThePromise) {
  const Prepared town(busy_town());
  const StepEntry& scm = step_named("SCM");
  const auto promise = [&](const Chain& chain) { return chain.guarantee(chain.prepare(town.draft, *some_noise())); };
  EXPECT_EQ(promise(chain_of_entries({{&scm, kEvent}})).epsilon, 1);
  EXPECT_EQ(promise(chain_of_entries({{&scm, kEvent}, {&kOdd, {}}})).epsilon, 1) << "what follows noise is free";
  EXPECT_FALSE(promise(chain_of_entries({{&kOdd, {}}, {&scm, kEvent}})).epsilon)
      << "noise on counts chosen by looking at them";
  EXPECT_EQ(promise(chain_of_entries({{&kPairs, {}}, {&scm, kEvent}})).epsilon, 1);
  EXPECT_FALSE(promise(chain_of_entries({{&kRashPairs, {}}, {&scm, kEvent}})).epsilon);
  EXPECT_THAT(promise(chain_of_entries({{&kRashPairs, {}}, {&scm, kEvent}})).note, HasSubstr("claims no guarantee"));
  EXPECT_FALSE(promise(chain_of_entries({{&kPairs, {}}})).epsilon);
  // Of the merged epochs: half as many.
  const Values roi = {{"sensitivity", "roi"}, {"epsilon", "1"}};
  const Chain merged = chain_of_entries({{&kPairs, {}}, {&scm, roi}});
  EXPECT_EQ(merged.noise(merged.prepare(town.draft, *some_noise()))->scale, 12);
  EXPECT_FALSE(chain_of_entries({{&scm, kEvent}, {&kOdd, {}}}).noise(town.draft)) << "not the noise of what is left";
}

// A visit that goes from bounded ones lets another in, so that an event moves two counts: as LAPLACE has it for the
// same noise.
TEST(ChainTest, NoiseForAnEventHidesLessWhereVisitsWereBounded) {
  const Prepared town(busy_town());
  const auto claimed = [&](const std::vector<std::pair<std::string, Values>>& steps) {
    Chain chain;
    for (const auto& [name, values] : steps) chain.add(step_named(name), parameters_of(name, values));
    return chain.guarantee(chain.prepare(town.draft, *some_noise()));
  };
  const std::pair<std::string, Values> bound = {"BOUND", {{"at_most", "5"}}};
  const Guarantee event = claimed({bound, {"SCM", {{"sensitivity", "event"}, {"epsilon", "1"}}}});
  const Guarantee same = claimed({bound, {"LAPLACE", {{"unit", "event"}, {"epsilon", "2"}}}});
  EXPECT_EQ(*event.epsilon, 2);
  EXPECT_EQ(*event.epsilon, *same.epsilon);
  EXPECT_EQ(*event.epsilon_with_null, *same.epsilon_with_null);
  // 5 visits to one place make room for 5 at 5 others, of what is hidden: 24 at one place.
  const Guarantee fourier = claimed({bound, {"FPA", {{"form", "sound"}, {"k", "3"}, {"epsilon", "1"}}}});
  EXPECT_GE(*fourier.epsilon, (std::sqrt(5.0) + 5) / std::sqrt(24.0));
  EXPECT_EQ(*claimed({{"FPA", {{"form", "sound"}, {"k", "3"}, {"epsilon", "1"}}}}).epsilon, 1);
  EXPECT_EQ(*claimed({{"SCM", {{"sensitivity", "roi"}, {"epsilon", "1"}}}}).epsilon_with_null, 2);
  EXPECT_EQ(*claimed({{"SCM", {{"sensitivity", "user"}, {"epsilon", "1"}}}}).epsilon_with_null, 1);
}

TEST(ChainTest, VisitsAreAskedForBeforeTheyAreGone) {
  const StepEntry& scm = step_named("SCM");
  try {
    chain_of_entries({{&scm, kEvent}, {&kPairs, {}}});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("PAIRS: must come first: after SCM there are counts"));
  }
  for (const auto& [name, values] : {std::pair<std::string, Values>{"KRR", {{"p", "0.5"}}},
                                     {"SPOTME", {{"p", "0.5"}}},
                                     {"SCM", {{"bound", "2"}, {"epsilon", "1"}}},
                                     {"SCM", {{"sensitivity", "delta"}, {"epsilon", "1"}}}}) {
    EXPECT_THROW(chain_of_entries({{&kOdd, {}}, {&step_named(name), values}}), ConfigError) << name;
  }
  EXPECT_NO_THROW(chain_of_entries({{&kOdd, {}}, {&scm, kEvent}}));
}

TEST(ChainTest, StepsDrawApart) {
  const Prepared town(busy_town());
  const StepEntry& scm = step_named("SCM");
  const auto noise = paper_noise(1, "", "", 1);  // of which no two draws are the same
  const CountMatrix once = chain_of_entries({{&scm, kEvent}}).run(town.draft, *noise).counts();
  const CountMatrix twice = chain_of_entries({{&scm, kEvent}, {&scm, kEvent}}).run(town.draft, *noise).counts();
  std::set<double> first;
  for (std::size_t i = 0; i < once.all().size(); ++i) first.insert(once.all()[i] - town.counts.all()[i]);
  for (std::size_t i = 0; i < once.all().size(); ++i) EXPECT_FALSE(first.contains(twice.all()[i] - once.all()[i]));
}

// Sorting what is not a number may never end.
TEST(ChainTest, CountsThatAreNoUsableNumbersAreRefused) {
  const Prepared town(busy_town());
  for (const double added : {std::nan(""), HUGE_VAL, -1e16}) {
    const StepEntry adding = entry_of("ADDING", [added] { return std::make_unique<AddingStep>(added); });
    try {
      chain_of_entries({{&adding, {}}}).run(town.draft, *some_noise());
      FAIL() << added;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), HasSubstr("release.steps = ADDING: makes counts that are not between -9.01e+15 and"));
    }
  }
}

TEST(ChainTest, AStepIsCheckedAgainstTheEpochsItGets) {
  const Prepared town(busy_town());
  const Values k20 = {{"k", "20"}, {"epsilon", "1"}};
  const Chain merged = chain_of_entries({{&kPairs, {}}, {&step_named("FPA"), k20}});
  EXPECT_NO_THROW(merged.check({24}));  // not known yet how many there will be
  EXPECT_THROW(merged.run(town.draft, *some_noise()), ConfigError);
  EXPECT_NO_THROW(chain_of_entries({{&step_named("FPA"), k20}}).run(town.draft, *some_noise()));
}

TEST(ChainTest, WhatIsMissingIsPublishedAsMissing) {
  const Prepared town({3, 2, 2, {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 2, 1}}});
  const Published published = chain_of_entries({{&kOdd, {}}}).run(town.draft, *some_noise()).publish({});
  std::vector<double> dense;
  EXPECT_THAT(published.fine().at(EpochId{0}, dense).dense, testing::ElementsAre(2, 0, 1));
  EXPECT_THAT(published.fine().at(EpochId{1}, dense).dense, testing::ElementsAre(0, 0, 1));
  ASSERT_EQ(published.missing().size(), 2U);
  EXPECT_EQ(published.missing()[0].place, 0U);
  EXPECT_EQ(published.missing()[1].place, 1U);
  EXPECT_EQ(published.missing()[1].epoch, 1U);
  EXPECT_EQ(published.missing()[1].least, 1);
}

}  // namespace
}  // namespace hearsay::release
