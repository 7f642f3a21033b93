// SPDX-License-Identifier: Apache-2.0
//
// Steps that spend their budget along time: what they ask of the noise never adds up to more than they claim, and
// attempts to falsify that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/errors.h"
#include "release/test_falsify.h"

namespace hearsay::release {
namespace {

struct Spending {
  std::vector<double> distance;  // by epoch
  std::vector<double> counts;    // by epoch; 0 where an earlier one stood again
};

// Every epoch asks once for the distance, and then either for every count alike or for none.
Spending spending_of(const Recorder& recorder, std::size_t epochs, std::size_t rois, double sensitivity) {
  Spending spending{std::vector<double>(epochs), std::vector<double>(epochs)};
  std::vector<std::size_t> times(epochs);
  for (const Asked& asked : recorder.asked()) {
    const std::size_t epoch = kWholeRelease - asked.stream;
    EXPECT_EQ(asked.sensitivity, sensitivity);
    if (times[epoch] > 1) {
      EXPECT_EQ(asked.epsilon, spending.counts[epoch]);
    }
    (times[epoch] == 0 ? spending.distance : spending.counts)[epoch] = asked.epsilon;
    ++times[epoch];
  }
  for (const std::size_t asked : times) EXPECT_TRUE(asked == 1 || asked == 1 + rois) << asked;
  return spending;
}

TEST(WEventTest, NeverSpendsMoreThanEpsilonInAnyWindow) {
  for (const char* form : {"distribution", "absorption"}) {
    double most = 0;
    std::size_t published = 0;
    std::size_t repeated = 0;
    for (const std::size_t window : {1U, 2U, 3U, 7U, 40U, 100U}) {
      for (const double epsilon : {0.5, 5.0, 1000.0}) {
        for (std::size_t repeat = 0; repeat < 20; ++repeat) {
          const Prepared town(restless_town(repeat));
          const Recorder recorder(repeat, 1);
          make("W_EVENT", {{"epsilon", std::to_string(epsilon)}, {"w", std::to_string(window)}, {"form", form}})
              ->apply(town.draft, recorder);
          const Spending spending = spending_of(recorder, 40, 4, 3);
          for (std::size_t begin = 0; begin < 40; ++begin) {
            double sum = 0;
            for (std::size_t e = begin; e < std::min<std::size_t>(40, begin + window); ++e) {
              sum += spending.distance[e] + spending.counts[e];
            }
            ASSERT_LE(sum, epsilon * (1 + 1e-12)) << form << ' ' << window << ' ' << begin;
            most = std::max(most, sum / epsilon);
          }
          for (const double spent : spending.counts) ++(spent > 0 ? published : repeated);
        }
      }
    }
    EXPECT_GT(most, 0.99) << "a budget that is never used shows nothing";
    EXPECT_GT(published, 1000U);
    EXPECT_GT(repeated, 1000U);
  }
}

// The rules as they are printed, against what was asked of the noise.
TEST(WEventTest, SpendsAsPublished) {
  constexpr std::size_t kWindow = 5;
  constexpr double kEpsilon = 60;
  for (const bool absorbs : {false, true}) {
    const Prepared town(restless_town(3));
    const Recorder recorder(1, 1);
    const CountMatrix noisy =
        make("W_EVENT", {{"epsilon", "60"}, {"w", "5"}, {"form", absorbs ? "absorption" : "distribution"}})
            ->apply(town.draft, recorder)
            .counts();
    const Spending spending = spending_of(recorder, 40, 4, 3);
    std::map<std::size_t, double> distance_noise;
    for (const Asked& asked : recorder.asked()) distance_noise.try_emplace(kWholeRelease - asked.stream, asked.given);
    std::vector<double> last(4);
    int last_at = -1;
    int nullified = 0;
    for (int t = 0; t < 40; ++t) {
      const auto e = static_cast<std::size_t>(t);
      EXPECT_DOUBLE_EQ(spending.distance[e], kEpsilon / (2 * kWindow));
      double offered = 0;
      if (absorbs) {
        const int absorbed = std::min<int>(t - (last_at + nullified), kWindow);
        if (absorbed > 0) offered = kEpsilon / (2 * kWindow) * absorbed;
      } else {
        offered = kEpsilon / 2;
        for (std::size_t k = e < kWindow - 1 ? 0 : e - (kWindow - 1); k < e; ++k) offered -= spending.counts[k];
        offered /= 2;
      }
      double distance = distance_noise[e] / 3;
      for (std::size_t place = 0; place < 3; ++place) {
        distance += std::fabs(town.counts.series(place)[e] - last[place]) / 3;
      }
      if (offered > 0 && distance > 3 / offered) {
        EXPECT_NEAR(spending.counts[e], offered, 1e-9) << t;
        nullified = static_cast<int>(std::lround(offered / (kEpsilon / (2 * kWindow)))) - 1;
        last_at = t;
      } else {
        EXPECT_EQ(spending.counts[e], 0) << t;
        for (std::size_t roi = 0; roi < 4; ++roi) EXPECT_EQ(noisy.series(roi)[e], last[roi]);
      }
      for (std::size_t roi = 0; roi < 4; ++roi) last[roi] = noisy.series(roi)[e];
    }
  }
}

TEST(WEventTest, ClaimsWhatHoldsForTheWindow) {
  const Prepared town(restless_town(1));  // 40 epochs and 3 places
  const auto claim = [&](const Values& values, const Values& bound) {
    Chain chain;
    if (!bound.empty()) chain.add(step_named("BOUND"), parameters_of("BOUND", bound));
    chain.add(step_named("W_EVENT"), parameters_of("W_EVENT", values));
    return chain.guarantee(chain.prepare(town.draft, *evaluation_noise(1, "", "", 1)));
  };
  const Guarantee week = claim({{"epsilon", "1"}, {"w", "7"}}, {});
  EXPECT_EQ(week.epsilon, 1);
  EXPECT_EQ(week.unit, "a user in any 7 epochs");
  EXPECT_NEAR(*week.epsilon_with_null, 0.5 + 0.5 * 4 / 3, 1e-12);
  EXPECT_EQ(week.others.at(0).epsilon, 6) << "40 epochs are six windows";
  EXPECT_EQ(claim({{"epsilon", "1"}, {"w", "1"}}, {}).unit, "a user in one epoch");
  EXPECT_EQ(claim({{"epsilon", "1"}, {"w", "40"}}, {}).unit, "a user");
  EXPECT_EQ(claim({{"epsilon", "1"}, {"w", "7"}}, {{"at_most", "1"}, {"per", "epoch"}}).epsilon_with_null, 1.5);
  EXPECT_FALSE(claim({{"epsilon", "1"}, {"w", "7"}}, {{"at_most", "1"}, {"per", "release"}}).epsilon.has_value());
  EXPECT_THROW(make("W_EVENT", {{"epsilon", "1"}, {"w", "0"}}), ConfigError);
}

// Epsilon is large: an epoch is published whenever anything moved, which absorption does every time.
TEST(WEventTest, WithoutNoiseCountsAreExact) {
  const Prepared town(busy_town());
  for (const char* form : {"distribution", "absorption"}) {
    const CountMatrix counts = make("W_EVENT", {{"epsilon", "1e12"}, {"w", "4"}, {"form", form}})
                                   ->apply(town.draft, *part_of_noise(1)(1))
                                   .counts();
    for (std::size_t i = 0; i < counts.all().size(); ++i) EXPECT_NEAR(counts.all()[i], town.counts.all()[i], 1e-6);
  }
}

TEST(StreamFalsificationTest, WEventOfOneEpoch) {
  const Neighbours towns = {{1, 1, 2, {{1, 0, 0}}}, {1, 1, 2, {{0, 0, 0}, {1, 0, 0}}}, 2, [](const CountMatrix& noisy) {
                              return noisy.series(0)[0] >= 1;
                            }};
  try_to_falsify(chain_of("W_EVENT", {{"epsilon", "1"}, {"w", "1"}}), towns, 20000, "a user in one epoch");
}

// Whoever appears at a place goes from null: with both, more is told than epsilon, and no more than is claimed.
TEST(StreamFalsificationTest, WEventWithNull) {
  const Neighbours towns = {{1, 1, 2, {{1, 0, 0}}}, {1, 1, 2, {{0, 0, 0}, {1, 0, 0}}}, 2, [](const CountMatrix& noisy) {
                              return noisy.series(0)[0] >= 1 && noisy.series(1)[0] <= 1;
                            }};
  const Chain chain = chain_of("W_EVENT", {{"epsilon", "1"}, {"w", "1"}});
  const double claimed = *chain.guarantee(Prepared(towns.with, 2).draft).epsilon_with_null;
  EXPECT_EQ(claimed, 1.5);
  const double seen = epsilon_seen(chain, towns, 60000, part_of_noise(1));
  EXPECT_GT(seen, 1);
  EXPECT_LE(seen, claimed);
}

// In one town the user was there in the first epoch, in the other in the second; what is published goes up, then down.
TEST(StreamFalsificationTest, WEventOfTwoEpochs) {
  const Neighbours towns = {
      {2, 1, 3, {{1, 0, 0}, {0, 1, 0}}}, {2, 1, 3, {{0, 0, 0}, {0, 1, 0}}}, 2, [](const CountMatrix& noisy) {
        return noisy.series(0)[0] >= 2 && noisy.series(0)[1] <= 0;
      }};
  try_to_falsify(chain_of("W_EVENT", {{"epsilon", "2"}, {"w", "2"}}), towns, 60000, "a user in any 2 epochs");
}

}  // namespace
}  // namespace hearsay::release
