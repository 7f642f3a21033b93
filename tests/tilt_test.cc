// SPDX-License-Identifier: Apache-2.0
//
// TILT where counts are not those of the study's own places and epochs, or not all there. On raw counts it is compared
// with the dense formulas in reference_test.cc.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "adversary.h"
#include "attack/shift.h"
#include "random_world.h"
#include "release/chain.h"

namespace hearsay {
namespace {

const attack::AttackEntry& tilt() {
  for (const attack::AttackEntry* entry : attack::all_attacks()) {
    if (entry->info.name == "TILT") return *entry;
  }
  throw std::logic_error("no TILT");
}

// Calls check(data, prior) for random studies and the priors that offer rates.
template <typename Check>
void for_rates(std::uint32_t first, const Check& check) {
  for (std::uint32_t seed = first; seed < first + 30 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const reference::RandomStudy made = reference::make_random_study(seed);
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    for (const prior::PriorEntry* entry : made.study.adversary.priors) {
      if (entry->rates) check(data, *entry->create({data.observation(), data.past(), 1}));
    }
  }
}

// Sum over everybody, by place, in one epoch.
std::vector<double> sums_at(Adversary& adversary, std::size_t epoch, std::size_t rois) {
  std::vector<double> sums(rois);
  for (const std::vector<double>& row : adversary.at(static_cast<EpochId>(epoch))) {
    for (std::size_t s = 0; s < row.size(); ++s) sums[s] += row[s];
  }
  return sums;
}

TEST(TiltTest, ACountOfSeveralPlacesAndEpochsIsMetByAllOfThemTogether) {
  std::size_t compared = 0;
  for_rates(9000, [&](const dataset::Dataset& data, const belief::Series& prior) {
    const std::size_t places = data.crowd().rois - 1;
    const std::size_t epochs = data.truth().epochs();
    std::vector<std::uint32_t> place_of(places);
    std::vector<std::uint32_t> epoch_of(epochs);
    for (std::size_t s = 0; s < places; ++s) place_of[s] = static_cast<std::uint32_t>(s / 2);
    for (std::size_t e = 0; e < epochs; ++e) epoch_of[e] = static_cast<std::uint32_t>(e / 3);
    const release::Draft coarse =
        release::Draft(data.truth(), std::nullopt, 1).merged(place_of, (places + 1) / 2, epoch_of, (epochs + 2) / 3);
    Adversary adversary(tilt(), prior, coarse.publish({}), data.crowd(), BlockSizes::all(3));
    release::CountMatrix sums(coarse.counts().rois(), coarse.counts().epochs());
    for (std::size_t e = 0; e < epochs; ++e) {
      const std::vector<double> here = sums_at(adversary, e, data.crowd().rois);
      for (std::size_t s = 0; s < places; ++s) sums.series(place_of[s])[epoch_of[e]] += here[s];
    }
    for (std::size_t p = 0; p < (places + 1) / 2; ++p) {
      for (std::size_t e = 0; e < (epochs + 2) / 3; ++e, ++compared) {
        EXPECT_NEAR(sums.series(p)[e], coarse.counts().series(p)[e], 1e-9) << p << " " << e;
      }
    }
  });
  EXPECT_GT(compared, 1000U);
}

TEST(TiltTest, AMissingCountIsTheLikeliestThatItCanHaveBeen) {
  std::size_t missing = 0;
  for_rates(9100, [&](const dataset::Dataset& data, const belief::Series& prior) {
    release::Chain chain;
    Parameters parameters("SUPPRESS");
    parameters.set("at_most", "2");
    chain.add(release::step_named("release", "SUPPRESS", release::all_steps()), parameters);
    const release::Draft raw(data.truth(), std::nullopt, 1);
    const auto noise = release::evaluation_noise(1, "", "", 1);
    const release::Draft draft = chain.run(raw, *noise);
    Adversary adversary(tilt(), prior, draft.publish({}, chain.rule(raw)), data.crowd());
    for (std::size_t e = 0; e < data.truth().epochs(); ++e) {
      const std::vector<double> sums = sums_at(adversary, e, data.crowd().rois);
      for (std::size_t s = 0; s + 1 < data.crowd().rois; ++s) {
        const double count = raw.counts().series(s)[e];
        if (count > 2) {
          EXPECT_NEAR(sums[s], count, 1e-9);
        } else {
          ++missing;
          EXPECT_LE(sums[s], 2 + 1e-9);
        }
      }
    }
  });
  EXPECT_GT(missing, 1000U);
}

// With noise far larger than all that people do, she stays with what she knew.
TEST(TiltTest, NoiseThatHidesEverythingMovesNothing) {
  for_rates(9200, [&](const dataset::Dataset& data, const belief::Series& prior) {
    const release::Draft raw(data.truth(), std::nullopt, 1);
    release::CountMatrix counts = raw.counts();
    for (double& count : counts.all()) count += 1e6;
    const release::Rule rule{.exact = false, .variance = 2e18, .scale = 1e9};
    Adversary noisy(tilt(), prior, raw.with_counts(counts).publish({}, rule), data.crowd());
    for (std::size_t e = 0; e < data.truth().epochs(); ++e) {
      const auto epoch = static_cast<EpochId>(e);
      const auto rows = std::get<belief::Rows>(prior.table(prior.table_of(epoch)));
      const DenseBeliefs beliefs = noisy.at(epoch);
      for (std::size_t row = 0; row < rows.users.size(); ++row) {
        for (std::size_t i = rows.begins[row]; i < rows.begins[row + 1]; ++i) {
          const double odds = attack::odds_of(rows.weight(i) / rows.trials);
          EXPECT_NEAR(beliefs[index_of(rows.users[row])][index_of(rows.rois[i])], odds / (1 + odds), 1e-6);
        }
      }
    }
  });
}

}  // namespace
}  // namespace hearsay
