// SPDX-License-Identifier: Apache-2.0
//
// Chains on shares of the people: counts and answers add up, and what is published of them is the same to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/errors.h"
#include "dataset/test_shares.h"
#include "release/test_falsification.h"
#include "release/test_town.h"

namespace hearsay::release {
namespace {

const std::vector<Steps> kChains = {
    {{"KRR", {{"p", "0.4"}}}},
    {{"OUE", {{"epsilon", "1"}}}},
    {{"SUBSET", {{"epsilon", "1"}}}},
    {{"SPOTME", {{"p", "0.3"}}}},
    {{"SCM", {{"sensitivity", "event"}, {"epsilon", "1"}}}, {"ROUND", {{"base", "2"}}}},
    {{"SCM", {{"sensitivity", "delta"}, {"epsilon", "1"}}}},
    {{"SCM", {{"bound", "7"}, {"epsilon", "1"}}}},
    {{"BOUND", {{"at_most", "9"}}}, {"LAPLACE", {{"epsilon", "1"}}}},
    {{"BOUND", {{"at_most", "3"}, {"per", "day"}}}, {"SCM", {{"sensitivity", "delta"}, {"epsilon", "1"}}}},
    {{"SAMPLE", {{"rate", "0.5"}}}, {"KRR", {{"p", "0.4"}}}},
    {{"EPOCHS", {{"of", "5"}}}, {"SCM", {{"bound", "4"}, {"epsilon", "1"}}}},
    {{"PLACES", {{"of", "2"}}}, {"SAMPLE", {{"rate", "0.8"}}}, {"OUE", {{"epsilon", "2"}}}},
    {{"BOUND", {{"at_most", "3"}}}},
};

// What the driver of a cluster has: the sums over shares, and a share of nobody.
class Shares {
 public:
  Shares(const dataset::Dataset& all, std::size_t shares)
      : shares_(dataset::shares_of(all, shares)), nobody_(dataset::share_of(all, {})) {}

  Draft prepare(const Chain& chain, const NoiseSource& noise, std::optional<std::size_t> population) const {
    const Draft empty = prepared(chain, noise, nobody_);
    CountMatrix counts = empty.counts();
    Answers answers = chain.ask(empty, noise);
    for (const dataset::Dataset& share : shares_) {
      const Draft draft = prepared(chain, noise, share);
      const std::span<double> sum = counts.all();
      std::transform(sum.begin(), sum.end(), draft.counts().all().begin(), sum.begin(), std::plus<>());
      answers.add(Answers::from_bytes(chain.ask(draft, noise).to_bytes()));
    }
    return empty.of_everybody(std::move(counts), std::move(answers), population);
  }

 private:
  static Draft prepared(const Chain& chain, const NoiseSource& noise, const dataset::Dataset& share) {
    return chain.prepare(Draft(share.truth(), std::nullopt, 1), noise);
  }

  std::vector<dataset::Dataset> shares_;
  dataset::Dataset nobody_;
};

std::vector<double> all_of(const CountMatrix& counts) {
  return {counts.all().begin(), counts.all().end()};
}

void expect_same(const Chain& chain, const Draft& one, const Draft& other, const NoiseSource& noise) {
  EXPECT_EQ(all_of(one.counts()), all_of(other.counts()));
  EXPECT_EQ(one.users(), other.users());
  EXPECT_EQ(one.people(), other.people());
  EXPECT_EQ(all_of(chain.finish(one, noise).counts()), all_of(chain.finish(other, noise).counts()));
  EXPECT_EQ(chain.guarantee(one).epsilon, chain.guarantee(other).epsilon);
  EXPECT_EQ(chain.guarantee(one).unit, chain.guarantee(other).unit);
  const std::optional<Noise> noise_of_one = chain.noise(one);
  ASSERT_EQ(noise_of_one.has_value(), chain.noise(other).has_value());
  if (noise_of_one) {
    EXPECT_EQ(noise_of_one->deviation, chain.noise(other)->deviation);
  }
  EXPECT_EQ(chain.rule(one).exact, chain.rule(other).exact);
  EXPECT_EQ(chain.rule(one).scale, chain.rule(other).scale);
  EXPECT_EQ(chain.rule(one).variance, chain.rule(other).variance);
}

TEST(SharesTest, AChainOnSharesGivesTheSameBits) {
  const Prepared town(busy_town());
  for (const Steps& steps : kChains) {
    const Chain chain = chain_of(steps);
    SCOPED_TRACE(chain.steps());
    EXPECT_TRUE(chain.works_in_shares());
    const auto noise = evaluation_noise(4, chain.name(), chain.parameter(), 2);
    for (const std::optional<std::size_t> population : {std::optional<std::size_t>(), std::optional<std::size_t>(50)}) {
      const Draft one = chain.prepare(Draft(town.truth, population, 1), *noise);
      for (const std::size_t shares : {1U, 2U, 7U, 45U}) {
        expect_same(chain, one, Shares(town.data, shares).prepare(chain, *noise, population), *noise);
      }
    }
  }
}

TEST(SharesTest, ReportsOfSharesAddUpToThoseOfEverybody) {
  const Prepared town(busy_town());
  const auto krr = make("KRR", {{"p", "0.4"}});
  const auto noise = evaluation_noise(1, "KRR", "p=0.4", 1);
  const CountMatrix everybody = *krr->ask(town.draft, *noise).reports;
  EXPECT_NE(all_of(everybody), all_of(town.counts)) << "people in several places tell about one";
  for (std::size_t e = 0; e < everybody.epochs(); ++e) {
    double people = 0;
    for (std::size_t roi = 0; roi < everybody.rois(); ++roi) {
      people += everybody.series(roi)[e];
      EXPECT_LE(everybody.series(roi)[e], town.counts.series(roi)[e]);
    }
    EXPECT_EQ(people, 40);
  }
  for (const std::size_t shares : {2U, 7U}) {
    Answers sum{CountMatrix(everybody.rois(), everybody.epochs())};
    for (const dataset::Dataset& share : dataset::shares_of(town.data, shares)) {
      sum.add(krr->ask(Draft(share.truth(), std::nullopt, 1), *noise));
    }
    EXPECT_EQ(all_of(*sum.reports), all_of(everybody));
  }
}

TEST(SharesTest, MorePeopleThanDeclaredAreRefused) {
  const Prepared town(busy_town());
  const Chain chain = chain_of({kChains.front()});
  const auto noise = evaluation_noise(1, "KRR", "p=0.4", 1);
  EXPECT_THROW(Shares(town.data, 2).prepare(chain, *noise, 39), ConfigError);
}

class Reader : public Step {
 public:
  bool needs_visits() const override { return true; }
  Draft apply(const Draft& draft, const NoiseSource&) const override { return draft; }
};

TEST(SharesTest, AStepThatReadsVisitsWithoutAskingDoesNotWorkInShares) {
  StepEntry entry;
  entry.info.name = "READER";
  entry.make = [](const Parameters&) -> std::unique_ptr<Step> { return std::make_unique<Reader>(); };
  Chain chain;
  chain.add(entry, Parameters("READER"));
  EXPECT_FALSE(chain.works_in_shares());
}

// The words that choices are made of.
TEST(NoiseSourceTest, NumbersBelowABoundAreAllAsLikely) {
  constexpr std::uint64_t kIndices = 30000;
  const auto seeded = evaluation_noise(1, "test", "", 1);
  const auto published = publishing_noise();
  for (const NoiseSource* source : {seeded.get(), published.get()}) {
    std::vector<double> found(3);
    std::size_t pairs = 0;  // that are alike
    for (std::uint64_t i = 0; i < kIndices; ++i) {
      found[source->below(i, 3)] += 1;
      pairs += source->below(i, 3) == source->below(i + 1, 3) ? 1 : 0;
    }
    const double six_deviations = 6 * std::sqrt(kIndices * 2.0 / 9);
    for (const double often : found) EXPECT_NEAR(often, kIndices / 3.0, six_deviations);
    EXPECT_NEAR(static_cast<double>(pairs), kIndices / 3.0, six_deviations);
  }
  EXPECT_EQ(seeded->word(7), evaluation_noise(1, "test", "", 1)->word(7));
  EXPECT_NE(seeded->word(7), evaluation_noise(1, "test", "", 2)->word(7));
  EXPECT_NE(seeded->word(7), (*seeded->stream(7))());
}

}  // namespace
}  // namespace hearsay::release
