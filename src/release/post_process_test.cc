// SPDX-License-Identifier: Apache-2.0
#include "release/post_process.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/errors.h"
#include "base/random.h"

namespace hearsay::release {
namespace {

// One epoch; null last.
std::vector<double> processed(const std::vector<double>& counts, PostProcess how, std::size_t users = 5) {
  CountMatrix matrix(counts.size(), 1);
  std::copy(counts.begin(), counts.end(), matrix.all().begin());
  post_process(matrix, how, users);
  return {matrix.all().begin(), matrix.all().end()};
}

TEST(PostProcessTest, EachDoesWhatItsNameSays) {
  using List = std::vector<double>;
  const List noisy = {-2.4, 0.6, 7.2, 1.4, -3.3};
  EXPECT_EQ(processed(noisy, PostProcess::kNone), noisy);
  EXPECT_EQ(processed(noisy, PostProcess::kRound), (List{-2, 1, 7, 1, -3}));
  EXPECT_EQ(processed(noisy, PostProcess::kNonnegative), (List{0, 1, 7, 1, 0}));
  EXPECT_EQ(processed(noisy, PostProcess::kPaper), (List{0, 1, 5, 1, 0}));
  // Total 6.8: 0.6, 7.2 and 1.4 each lowered by 0.8 would leave -0.2, so the other two by 0.9: 6.3 and 0.5.
  EXPECT_EQ(processed(noisy, PostProcess::kProjected), (List{0, 0, 6, 1, 0}));
}

TEST(PostProcessTest, NamesAreReadBack) {
  for (const std::string& name : post_process_names()) EXPECT_EQ(name_of(post_process_named("x", name)), name);
  EXPECT_EQ(post_process_named("x", "true"), kDefaultPostProcess);
  EXPECT_EQ(post_process_named("x", "false"), PostProcess::kNone);
  try {
    post_process_named("release.post_process", "projectd");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"projected\"?"), std::string::npos);
  }
}

TEST(PostProcessTest, ProjectionKeepsTotalsAndOrder) {
  SeededBits bits(4);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> noisy(12);
    for (double& count : noisy) count = std::round(laplace(bits, 10)) + static_cast<double>(bits.below(8));
    const double total = std::accumulate(noisy.begin(), noisy.end() - 1, 0.0);
    const std::vector<double> projected = processed(noisy, PostProcess::kProjected);
    double sum = 0;
    for (std::size_t i = 0; i + 1 < projected.size(); ++i) {
      EXPECT_GE(projected[i], 0);
      EXPECT_EQ(projected[i], std::round(projected[i]));
      sum += projected[i];
      // Whoever keeps more than another was counted no less.
      for (std::size_t j = 0; j + 1 < projected.size(); ++j) {
        EXPECT_FALSE(projected[i] > projected[j] + 1 && noisy[i] < noisy[j]);
      }
    }
    EXPECT_EQ(sum, std::max(0.0, total));
    EXPECT_EQ(projected.back(), std::max(0.0, noisy.back())) << "null is no part of the total";
  }
}

TEST(PostProcessTest, WhatNeedsNothingStaysAsItIs) {
  const std::vector<double> counts = {3, 0, 1, 4, 2};
  for (const PostProcess how : {PostProcess::kNone, PostProcess::kRound, PostProcess::kNonnegative,
                                PostProcess::kProjected, PostProcess::kPaper}) {
    EXPECT_EQ(processed(counts, how), counts) << name_of(how);
  }
}

}  // namespace
}  // namespace hearsay::release
