// SPDX-License-Identifier: Apache-2.0
//
// The fast code against the dense reference, on hundreds of random studies, in blocks of the usual size and of 3.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <set>
#include <span>

#include "dense_reference.h"
#include "experiment/study.h"
#include "goal/inference.h"
#include "random_world.h"
#include "release/aggregate.h"

namespace hearsay {
namespace {

constexpr double kTolerance = 1e-12;
// A profile that is fitted may be right but for the last digit of a double; its distance is the root of that.
constexpr double kFittedTolerance = 2e-8;
// Errors by ROI are added up in units of 2^-31, before the base of the logarithm is divided out.
constexpr double kRoiTolerance = 0x1p-31;

// As it is by default, and so small that every study has many blocks.
const std::vector<BlockSizes> kBlockSizes = {BlockSizes{}, BlockSizes::all(3)};

struct Kept {
  goal::Combination combination;
  struct Errors {
    std::vector<double> users;
    std::vector<double> active;
    std::vector<double> rois;
    std::vector<double> epochs;
  };
  Errors with;
  Errors without;
  std::vector<double> own;
  std::vector<double> losses;
  std::vector<double> plain_losses;
  std::vector<double> losses_without;
  std::vector<double> gains;
};

std::vector<Kept> run_fast(const dataset::Dataset& data, const experiment::Study& study, std::size_t threads,
                           const BlockSizes& blocks) {
  std::vector<Kept> kept;
  const auto copy = [](std::span<const double> numbers) { return std::vector<double>(numbers.begin(), numbers.end()); };
  const auto keep = [&](const goal::Result& r) {
    const auto errors = [&](const goal::ErrorsOf& of) {
      return Kept::Errors{copy(of.users), copy(of.active), copy(of.rois), copy(of.epochs)};
    };
    kept.push_back({r.combination, errors(r.with), errors(r.without), copy(r.own), copy(r.losses), copy(r.plain_losses),
                    copy(r.losses_without), copy(r.gains)});
  };
  goal::infer(study.ground(data, {.threads = threads, .blocks = blocks}), keep);
  return kept;
}

std::string label_of(const goal::Combination& c) {
  return fmt::format("{} {} {} {}", c.goal, c.prior, c.attack, c.decision);
}

reference::Options options_of(const experiment::Study& study) {
  return {study.adversary.metric.log_base == 2 ? 2.0L : std::numbers::e_v<long double>,
          study.adversary.delta == 0.5 ? reference::Fraction{1, 2} : reference::Fraction{1, 4}};
}

// The user number of the fast code -> place in id order.
std::vector<std::size_t> id_order(const dataset::Dataset& data) {
  std::vector<std::size_t> places;
  for (const std::string& id : data.user_ids()) places.push_back(std::stoul(id.substr(1)));
  return places;
}

// Not a number equals itself.
void expect_near(double fast, double dense, double tolerance, const std::string& what) {
  if (std::isnan(dense)) {
    EXPECT_TRUE(std::isnan(fast)) << what << ": " << fast;
  } else {
    EXPECT_NEAR(fast, dense, tolerance) << what;
  }
}

double loss_of(double error, double before) {
  return before == 0 ? 0 : (before - error) / before;
}

double tolerance_of(const Kept& kept) {
  return kept.combination.decision == "COMMIT" ? kFittedTolerance : kTolerance;
}

// `step`: the reference has the errors of every how many users.
void compare_errors(const Kept::Errors& fast, const reference::Errors& dense, const std::vector<std::size_t>& place,
                    std::size_t step, double tolerance) {
  ASSERT_EQ(fast.users.size(), dense.users.size());
  ASSERT_EQ(fast.epochs.size(), dense.epochs.size());
  ASSERT_EQ(fast.rois.size(), dense.rois.size());
  for (std::size_t u = 0; u < place.size(); ++u) {
    if (place[u] % step != 0) continue;
    expect_near(fast.users[u], dense.users[place[u]], tolerance, fmt::format("user {}", place[u]));
    expect_near(fast.active[u], dense.active[place[u]], tolerance, fmt::format("user {} when active", place[u]));
  }
  if (step > 1) return;
  for (std::size_t t = 0; t < dense.epochs.size(); ++t) {
    expect_near(fast.epochs[t], dense.epochs[t], tolerance, fmt::format("epoch {}", t));
  }
  for (std::size_t s = 0; s < dense.rois.size(); ++s) {
    expect_near(fast.rois[s], dense.rois[s], kRoiTolerance, fmt::format("ROI {}", s));
  }
}

void compare(const Kept& fast, const reference::Errors& dense, const reference::Errors* baseline,
             const std::vector<std::size_t>& place) {
  const double tolerance = tolerance_of(fast);
  compare_errors(fast.with, dense, place, 1, tolerance);
  for (std::size_t u = 0; baseline != nullptr && u < place.size(); ++u) {
    const double loss = loss_of(dense.users[place[u]], baseline->users[place[u]]);
    EXPECT_NEAR(fast.plain_losses[u], loss, tolerance * 100) << "user " << place[u];
    EXPECT_NEAR(fast.losses[u], std::max(0.0, loss), tolerance * 100) << "user " << place[u];
  }
}

// The control against counts that each user was really taken off.
void compare_control(const Kept& fast, const reference::Errors& dense, const reference::Errors* baseline,
                     const std::vector<std::size_t>& place, std::size_t step) {
  const double tolerance = tolerance_of(fast);
  compare_errors(fast.without, dense, place, step, tolerance);
  for (std::size_t u = 0; u < place.size(); ++u) {
    if (place[u] % step != 0) continue;
    EXPECT_NEAR(fast.own[u], dense.users[place[u]] - fast.with.users[u], tolerance) << "user " << place[u];
    if (baseline == nullptr) continue;
    const double loss = std::max(0.0, loss_of(dense.users[place[u]], baseline->users[place[u]]));
    EXPECT_NEAR(fast.losses_without[u], loss, tolerance * 100) << "user " << place[u];
  }
}

std::vector<std::string> prior_names(const experiment::Study& study) {
  std::vector<std::string> names;
  for (const prior::PriorEntry* entry : study.adversary.priors) names.push_back(entry->info.name);
  return names;
}

// Everything a study gives against the reference: errors by user, epoch and ROI, and losses.
// `step`: the control is compared for every how many users.
void expect_agreement(const reference::RandomStudy& made, std::size_t threads, std::size_t step) {
  const dataset::Dataset data(made.visits, made.study.calendar(), 0);
  const auto dense = reference::evaluate(made.world, reference::aggregate(made.world), prior_names(made.study),
                                         options_of(made.study));
  const auto without = reference::evaluate_without(made.world, prior_names(made.study), options_of(made.study), step);
  for (const BlockSizes& blocks : kBlockSizes) {
    std::set<std::string> seen;
    for (const Kept& fast : run_fast(data, made.study, threads, blocks)) {
      const std::string key = label_of(fast.combination);
      SCOPED_TRACE(fmt::format("{} against {}, {} users at a time", key, fast.combination.baseline, blocks.users));
      ASSERT_TRUE(dense.contains(key)) << "tests/dense_reference.cc has no formula for it";
      seen.insert(key);
      const reference::Errors* baseline = nullptr;
      if (fast.combination.attack != "PRIOR") {
        const std::string& name = fast.combination.baseline;
        const std::size_t slash = name.find('/');
        const std::string decision = slash == std::string::npos ? "" : name.substr(slash + 1);
        baseline = &dense.at(fmt::format("{} {} PRIOR {}", fast.combination.goal, fast.combination.prior, decision));
      }
      compare(fast, dense.at(key), baseline, id_order(data));
      compare_control(fast, without.at(key), baseline, id_order(data), step);
    }
    EXPECT_EQ(seen.size(), dense.size());
  }
}

class ReferenceTest : public testing::TestWithParam<std::uint32_t> {};

TEST_P(ReferenceTest, AgreesOnEveryCombination) {
  for (std::uint32_t seed = GetParam(); seed < GetParam() + 25 && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    expect_agreement(reference::make_random_study(seed), 1, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(RandomStudies, ReferenceTest, testing::Range(0U, 400U, 25U));

TEST(CrowdedStudyTest, AgreesOnEveryCombination) {
  for (std::uint32_t seed = 4000; seed < 4006 && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    expect_agreement(reference::make_crowded_study(seed), 3, 37);
  }
}

// Counts that have nothing to do with the truth: none, few, more than a prior has candidates for, everybody.
class ArbitraryCounts final : public release::Step {
 public:
  ArbitraryCounts(std::uint32_t seed, std::size_t users) : seed_(seed), users_(users) {}
  release::Draft apply(const release::Draft& draft, const release::NoiseSource&) const override {
    release::CountMatrix counts(draft.counts().rois(), draft.counts().epochs());
    SeededBits bits(seed_);
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      for (double& count : counts.series(roi)) {
        count = bits.below(3) == 0 ? 0 : static_cast<double>(bits.below(users_ + 1));
      }
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  std::uint32_t seed_;
  std::size_t users_;
};

// The same study with a defence that publishes arbitrary counts.
reference::RandomStudy with_defence(reference::RandomStudy made, std::uint32_t seed) {
  release::StepEntry entry{};
  entry.info.name = "ANY";
  entry.make = [&](const Parameters&) { return std::make_unique<ArbitraryCounts>(seed, made.world.users); };
  goal::Defence defence;
  defence.chain.add(entry, Parameters());
  made.study.defences = {defence};
  made.study.adversary.control_sample = 3;
  return made;
}

TEST(PerturbedReleaseTest, AgreesOnEveryCombination) {
  for (std::uint32_t seed = 3000; seed < 3150; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const reference::RandomStudy made = with_defence(reference::make_random_study(seed), seed);
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    const release::CountMatrix matrix =
        made.study.defences[0]
            .chain.run(release::Draft(data.truth(), std::nullopt, 1), *release::evaluation_noise(1, "", "", 1))
            .counts();
    reference::Counts counts(matrix.epochs(), std::vector<std::int64_t>(matrix.rois()));
    for (std::size_t roi = 0; roi < matrix.rois(); ++roi) {
      for (std::size_t t = 0; t < matrix.epochs(); ++t) counts[t][roi] = std::lround(matrix.series(roi)[t]);
    }
    const auto dense = reference::evaluate(made.world, counts, prior_names(made.study), options_of(made.study));
    for (const BlockSizes& blocks : kBlockSizes) {
      std::size_t compared = 0;
      for (Kept& fast : run_fast(data, made.study, 1, blocks)) {
        if (fast.combination.release != "ANY") continue;
        SCOPED_TRACE(fmt::format("{}, {} users at a time", label_of(fast.combination), blocks.users));
        compare(fast, dense.at(label_of(fast.combination)), nullptr, id_order(data));
        ++compared;
      }
      EXPECT_GE(compared, 4 * made.study.adversary.priors.size());
    }
    if (HasFailure()) return;
  }
}

// Not a number, too, equals itself.
void expect_same_bits(std::span<const double> a, std::span<const double> b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  })) << what;
}

void expect_same_but_epochs(const std::vector<Kept>& one, const std::vector<Kept>& other) {
  ASSERT_FALSE(one.empty());
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    SCOPED_TRACE(label_of(one[i].combination) + " " + one[i].combination.release + " " + one[i].combination.baseline);
    ASSERT_EQ(label_of(one[i].combination), label_of(other[i].combination));
    ASSERT_EQ(one[i].combination.baseline, other[i].combination.baseline);
    expect_same_bits(one[i].with.users, other[i].with.users, "errors");
    expect_same_bits(one[i].with.active, other[i].with.active, "errors when active");
    expect_same_bits(one[i].without.users, other[i].without.users, "errors without the user");
    expect_same_bits(one[i].without.active, other[i].without.active, "errors without the user when active");
    expect_same_bits(one[i].losses, other[i].losses, "losses");
    expect_same_bits(one[i].plain_losses, other[i].plain_losses, "signed losses");
    expect_same_bits(one[i].gains, other[i].gains, "gains");
    expect_same_bits(one[i].with.rois, other[i].with.rois, "errors by ROI");
    expect_same_bits(one[i].without.rois, other[i].without.rois, "errors by ROI without the user");
  }
}

TEST(ThreadsTest, DoNotChangeAnyBit) {
  std::vector<reference::RandomStudy> studies;
  for (std::uint32_t seed = 1000; seed < 1030; ++seed) studies.push_back(reference::make_random_study(seed));
  for (std::uint32_t seed = 1100; seed < 1104; ++seed) studies.push_back(reference::make_crowded_study(seed));
  for (std::size_t i = 0; i < studies.size() && !HasFailure(); ++i) {
    const reference::RandomStudy made = with_defence(studies[i], 1);
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    for (const BlockSizes& blocks : kBlockSizes) {
      const std::vector<Kept> one = run_fast(data, made.study, 1, blocks);
      for (const std::size_t threads : {2U, 3U, 7U}) {
        SCOPED_TRACE(fmt::format("study {}, {} threads, {} users at a time", i, threads, blocks.users));
        const std::vector<Kept> several = run_fast(data, made.study, threads, blocks);
        expect_same_but_epochs(one, several);
        for (std::size_t k = 0; k < std::min(one.size(), several.size()); ++k) {
          expect_same_bits(one[k].with.epochs, several[k].with.epochs, "errors by epoch");
          expect_same_bits(one[k].without.epochs, several[k].without.epochs, "errors by epoch without the user");
        }
      }
    }
  }
}

// The mean over the users of an epoch is a sum of floating point, block by block; all the rest is the same to the bit.
TEST(BlocksTest, ChangeOnlyTheRoundingOfSumsByEpoch) {
  for (std::uint32_t seed = 1200; seed < 1206 && !HasFailure(); ++seed) {
    const reference::RandomStudy made = with_defence(reference::make_crowded_study(seed), seed);
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    const std::vector<Kept> usual = run_fast(data, made.study, 1, {});
    for (const std::size_t size : {1U, 3U, 64U}) {
      SCOPED_TRACE(fmt::format("seed {}, blocks of {}", seed, size));
      const std::vector<Kept> small = run_fast(data, made.study, 2, BlockSizes::all(size));
      expect_same_but_epochs(usual, small);
      for (std::size_t k = 0; k < std::min(usual.size(), small.size()); ++k) {
        for (std::size_t t = 0; t < usual[k].with.epochs.size(); ++t) {
          EXPECT_NEAR(usual[k].with.epochs[t], small[k].with.epochs[t], kTolerance);
        }
      }
    }
  }
}

}  // namespace
}  // namespace hearsay
