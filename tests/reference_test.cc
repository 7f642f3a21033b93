// SPDX-License-Identifier: Apache-2.0
//
// The fast code against the dense reference, on hundreds of random small studies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "dense_reference.h"
#include "experiment/runner.h"
#include "random_world.h"
#include "release/aggregate.h"

namespace hearsay {
namespace {

constexpr double kTolerance = 1e-12;

struct Kept {
  experiment::Combination combination;
  std::vector<double> errors;
  std::vector<double> losses;
  std::vector<double> plain_losses;
  std::vector<double> epoch_errors;
  bool operator==(const Kept& other) const {
    return errors == other.errors && losses == other.losses && plain_losses == other.plain_losses &&
           epoch_errors == other.epoch_errors && combination.attack == other.combination.attack;
  }
};

std::vector<Kept> run_fast(const dataset::Dataset& data, const experiment::Study& study, std::size_t threads) {
  std::vector<Kept> kept;
  experiment::run(data, study, threads, {},
                  {.result =
                       [&](const experiment::Result& r) {
                         kept.push_back({r.combination,
                                         {r.errors.begin(), r.errors.end()},
                                         {r.losses.begin(), r.losses.end()},
                                         {r.plain_losses.begin(), r.plain_losses.end()},
                                         {r.epoch_errors.begin(), r.epoch_errors.end()}});
                       },
                   .release = {}});
  return kept;
}

std::string key_of(const experiment::Combination& c) {
  return fmt::format("{} {} {} {}", c.goal, c.prior, c.attack, c.decision);
}

reference::Options options_of(const experiment::Study& study) {
  return {study.metric.log_base == 2 ? 2.0L : std::numbers::e_v<long double>,
          study.metric.delta == 0.5 ? reference::Fraction{1, 2} : reference::Fraction{1, 4}};
}

// The user number of the fast code -> place in id order.
std::vector<std::size_t> id_order(const dataset::Dataset& data) {
  std::vector<std::size_t> places;
  for (const std::string& id : data.user_ids()) places.push_back(std::stoul(id.substr(1)));
  return places;
}

void compare(const Kept& fast, const reference::Errors& dense, const reference::Errors* baseline,
             const std::vector<std::size_t>& place) {
  ASSERT_EQ(fast.errors.size(), dense.users.size());
  ASSERT_EQ(fast.epoch_errors.size(), dense.epochs.size());
  for (std::size_t u = 0; u < place.size(); ++u) {
    const double error = dense.users[place[u]];
    EXPECT_NEAR(fast.errors[u], error, kTolerance) << "user " << place[u];
    if (baseline == nullptr) continue;
    const double before = baseline->users[place[u]];
    const double loss = before == 0 ? 0 : (before - error) / before;
    EXPECT_NEAR(fast.plain_losses[u], loss, kTolerance * 100) << "user " << place[u];
    EXPECT_NEAR(fast.losses[u], std::max(0.0, loss), kTolerance * 100) << "user " << place[u];
  }
  for (std::size_t t = 0; t < dense.epochs.size(); ++t) {
    EXPECT_NEAR(fast.epoch_errors[t], dense.epochs[t], kTolerance) << "epoch " << t;
  }
}

class ReferenceTest : public testing::TestWithParam<std::uint32_t> {};

TEST_P(ReferenceTest, AgreesOnEveryCombination) {
  for (std::uint32_t seed = GetParam(); seed < GetParam() + 25; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    reference::RandomStudy made = reference::make_random_study(seed);
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    std::vector<std::string> priors;
    for (const prior::PriorEntry* entry : made.study.priors) priors.push_back(entry->info.name);
    const auto dense =
        reference::evaluate(made.world, reference::aggregate(made.world), priors, options_of(made.study));
    std::set<std::string> seen;
    for (const Kept& fast : run_fast(data, made.study, 1)) {
      const std::string key = key_of(fast.combination);
      SCOPED_TRACE(key + " against " + fast.combination.baseline);
      ASSERT_TRUE(dense.contains(key));
      seen.insert(key);
      const reference::Errors* baseline = nullptr;
      if (fast.combination.attack != "PRIOR") {
        const std::string& name = fast.combination.baseline;
        const std::size_t slash = name.find('/');
        const std::string decision = slash == std::string::npos ? "" : name.substr(slash + 1);
        baseline = &dense.at(fmt::format("{} {} PRIOR {}", fast.combination.goal, fast.combination.prior, decision));
      }
      compare(fast, dense.at(key), baseline, id_order(data));
    }
    EXPECT_EQ(seen.size(), dense.size());
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(RandomStudies, ReferenceTest, testing::Range(0U, 400U, 25U));

// Counts that have nothing to do with the truth: none, few, more than a prior has candidates for, everybody.
class ArbitraryCounts final : public release::Mechanism {
 public:
  ArbitraryCounts(std::uint32_t seed, std::size_t users) : seed_(seed), users_(users) {}
  release::Guarantee guarantee(const release::Subject&) const override { return {}; }
  release::CountMatrix perturb(const release::Subject& subject, const release::NoiseSource&) const override {
    release::CountMatrix counts(subject.counts.rois(), subject.counts.epochs());
    SeededBits bits(seed_);
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      for (double& count : counts.series(roi)) {
        count = bits.below(3) == 0 ? 0 : static_cast<double>(bits.below(users_ + 1));
      }
    }
    return counts;
  }

 private:
  std::uint32_t seed_;
  std::size_t users_;
};

TEST(PerturbedReleaseTest, AgreesOnEveryCombination) {
  release::MechanismEntry entry{};
  entry.info.name = "ANY";
  for (std::uint32_t seed = 3000; seed < 3150; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    reference::RandomStudy made = reference::make_random_study(seed);
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    experiment::Defence defence;
    defence.entry = &entry;
    defence.mechanism = std::make_shared<ArbitraryCounts>(seed, data.crowd().users);
    made.study.defences = {defence};
    const release::CountMatrix raw(release::aggregate(data.truth(), 1));
    const dataset::Truth truth = data.truth();
    const release::CountMatrix matrix =
        defence.mechanism->perturb({raw, truth}, *release::evaluation_noise(1, "", "", 1));
    reference::Counts counts(matrix.epochs(), std::vector<std::int64_t>(matrix.rois()));
    for (std::size_t roi = 0; roi < matrix.rois(); ++roi) {
      for (std::size_t t = 0; t < matrix.epochs(); ++t) counts[t][roi] = std::lround(matrix.series(roi)[t]);
    }
    std::vector<std::string> priors;
    for (const prior::PriorEntry* prior : made.study.priors) priors.push_back(prior->info.name);
    const auto dense = reference::evaluate(made.world, counts, priors, options_of(made.study));
    std::size_t compared = 0;
    for (const Kept& fast : run_fast(data, made.study, 1)) {
      if (fast.combination.release != "ANY") continue;
      SCOPED_TRACE(key_of(fast.combination));
      compare({fast.combination, fast.errors, {}, {}, fast.epoch_errors}, dense.at(key_of(fast.combination)), nullptr,
              id_order(data));
      ++compared;
    }
    EXPECT_GE(compared, 4 * made.study.priors.size());
    if (HasFailure()) return;
  }
}

TEST(ThreadsTest, DoNotChangeAnyBit) {
  for (std::uint32_t seed = 1000; seed < 1030; ++seed) {
    reference::RandomStudy made = reference::make_random_study(seed);
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    const std::vector<Kept> one = run_fast(data, made.study, 1);
    ASSERT_FALSE(one.empty());
    EXPECT_EQ(one, run_fast(data, made.study, 2)) << "seed " << seed;
    EXPECT_EQ(one, run_fast(data, made.study, 7)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace hearsay
