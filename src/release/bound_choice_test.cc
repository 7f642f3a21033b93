// SPDX-License-Identifier: Apache-2.0
#include "release/bound_choice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "release/test_town.h"

namespace hearsay::release {
namespace {

TEST(BoundChoiceTest, WithHardlyAnyNoiseTheErrorIsWhatIsLeftOut) {
  const Prepared town(busy_town());
  const BoundChoice choice = choose_bound(town.data, 1e12, 1e-6, 2).value();
  EXPECT_FALSE(choice.on_past) << "one epoch was observed, of 24";
  double total = 0;
  for (std::size_t place = 0; place < 6; ++place) {
    for (const double count : town.counts.series(place)) total += count;
  }
  std::uint64_t before = 0;
  for (const BoundError& row : choice.errors) {
    EXPECT_GT(row.at_most, before);
    before = row.at_most;
    EXPECT_NEAR(row.laplace, total * (1 - row.kept) / (6 * 24), 1e-6);  // a visit that is left out is off by one
    EXPECT_NEAR(row.gaussian, row.laplace, 1e-6);
  }
  EXPECT_EQ(choice.errors.front().at_most, 1U);
  EXPECT_EQ(choice.errors.front().kept, 40 / total);
  EXPECT_EQ(choice.errors.back().kept, 1) << "the most that anybody has";
  EXPECT_EQ(choice.best(&BoundError::laplace).at_most, choice.errors.back().at_most);
  EXPECT_EQ(choice.baselines.front().second, total / (6 * 24)) << "zeros";
}

TEST(BoundChoiceTest, WithMuchNoiseFewVisitsAreBest) {
  const Prepared town(busy_town());
  EXPECT_EQ(choose_bound(town.data, 0.05, 1e-6, 1).value().best(&BoundError::laplace).at_most, 1U);
  const BoundChoice choice = choose_bound(town.data, 1, 1e-6, 1).value();
  const BoundError& most = choice.errors.back();
  EXPECT_GT(most.laplace, most.gaussian) << "with the bound Laplace noise grows, normal noise with its root";
  // Noise of scale C, of which what is below 0 is cut, on counts that are small beside it: about C / 2.
  EXPECT_NEAR(most.laplace, static_cast<double>(most.at_most) / 2, 0.2 * static_cast<double>(most.at_most));
}

// What is to be published has nothing to do with it where as much was observed before.
TEST(BoundChoiceTest, IsMeasuredOnThePastWhereThatIsLongEnough) {
  const auto choose = [](const Town& town) {
    const dataset::Dataset data(Prepared::visits_of(town), {3600, 25, 13}, 0);
    return choose_bound(data, 1, 1e-6, 1).value();
  };
  Town town = busy_town();
  const BoundChoice choice = choose(town);
  EXPECT_TRUE(choice.on_past);
  std::erase_if(town.visits, [](const ingest::Visit& visit) { return visit.epoch >= 12 && visit.user > 0; });
  const BoundChoice same = choose(town);
  ASSERT_EQ(choice.errors.size(), same.errors.size());
  for (std::size_t i = 0; i < choice.errors.size(); ++i) {
    EXPECT_EQ(choice.errors[i].laplace, same.errors[i].laplace);
    EXPECT_EQ(choice.errors[i].gaussian, same.errors[i].gaussian);
    EXPECT_EQ(choice.errors[i].kept, same.errors[i].kept);
  }
  Town nobody{3, 2, 24, {{20, 1, 1}}};
  const dataset::Dataset data(Prepared::visits_of(nobody), {3600, 25, 13}, 0);
  EXPECT_FALSE(choose_bound(data, 1, 1e-6, 1).has_value());
}

}  // namespace
}  // namespace hearsay::release
