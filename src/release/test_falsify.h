// SPDX-License-Identifier: Apache-2.0
//
// An attempt to falsify an epsilon: how much likelier an event is in one of two towns.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "release/test_noise.h"
#include "release/test_town.h"

namespace hearsay::release {

// Two towns that differ by a unit, with the people declared in both, and an event that is likelier in the second.
struct Neighbours {
  Town without;
  Town with;
  std::size_t people;
  std::function<bool(const CountMatrix&)> event;
};

// Lower bound of the log of how much likelier the event is in the town `with`.
inline double epsilon_seen(const Chain& chain, const Neighbours& towns, std::size_t draws, const MakeSource& source) {
  const Prepared without(towns.without, towns.people);
  const Prepared with(towns.with, towns.people);
  double hits[2] = {0, 0};
  for (std::size_t draw = 0; draw < draws; ++draw) {
    hits[0] += towns.event(chain.run(without.draft, *source(2 * draw)).counts()) ? 1 : 0;
    hits[1] += towns.event(chain.run(with.draft, *source(2 * draw + 1)).counts()) ? 1 : 0;
  }
  const auto all = static_cast<double>(draws);
  return std::log(wilson(hits[1], all, -1) / wilson(hits[0], all, 1));
}

// What a step asked of the noise: in which stream, to hide what, with which epsilon.
struct Asked {
  std::uint64_t stream;
  double sensitivity;
  double epsilon;
  double given;
};

// Honest noise, and a list of it.
class Recorder final : public NoiseSource {
 public:
  Recorder(std::size_t repeat, double part) : honest_(repeat, part) {}
  std::unique_ptr<RandomBits> stream(std::uint64_t index) const override {
    stream_ = index;
    return honest_.stream(index);
  }
  double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const override {
    asked_.push_back({stream_, sensitivity, epsilon, honest_.noise(bits, sensitivity, epsilon, grid)});
    return asked_.back().given;
  }
  double gaussian(RandomBits&, double, double) const override { return 0; }
  bool discrete() const override { return false; }

  const std::vector<Asked>& asked() const { return asked_; }

 private:
  PartOfNoise honest_;
  mutable std::uint64_t stream_ = 0;
  mutable std::vector<Asked> asked_;
};

// Crowds that stay, jump and drift, so that some epochs are published and others not.
inline Town restless_town(std::uint64_t seed) {
  Town town{60, 3, 40, {}};
  SeededBits bits(seed);
  std::uint64_t crowd = 20;
  for (std::uint32_t e = 0; e < town.epochs; ++e) {
    if (bits.below(4) == 0) crowd = bits.below(60);
    for (std::uint32_t u = 0; u < crowd; ++u) town.visits.push_back({e, u, static_cast<std::uint32_t>(bits.below(3))});
  }
  return town;
}

// That no more than is claimed is seen, that the event would show it, and that half the noise does.
inline void try_to_falsify(const Chain& chain, const Neighbours& towns, std::size_t draws, const std::string& unit) {
  const Prepared town(towns.with, towns.people);
  const Guarantee guarantee = chain.guarantee(chain.prepare(town.draft, *evaluation_noise(1, "", "", 1)));
  ASSERT_TRUE(guarantee.epsilon.has_value());
  EXPECT_EQ(guarantee.unit, unit);
  const double honest = epsilon_seen(chain, towns, draws, part_of_noise(1));
  EXPECT_LE(honest, *guarantee.epsilon);
  EXPECT_GT(honest, 0.6 * *guarantee.epsilon) << "the event is too weak to falsify anything";
  EXPECT_LE(epsilon_seen(chain, towns, draws, as_published), *guarantee.epsilon);
  const double half = epsilon_seen(chain, towns, draws, part_of_noise(0.5));
  EXPECT_GT(half, *guarantee.epsilon) << "half the noise went unnoticed";
  testing::Test::RecordProperty("seen", std::to_string(honest) + " of " + std::to_string(*guarantee.epsilon) +
                                            ", with half the noise " + std::to_string(half));
}

}  // namespace hearsay::release
