// SPDX-License-Identifier: Apache-2.0
//
// What tests need to try to falsify an epsilon: noise that is honest, too small or as published, and how much likelier
// an event is in one of two towns.
#pragma once

#include <cmath>
#include <functional>
#include <memory>

#include "release/test_town.h"

namespace hearsay::release {

// Part of the noise asked for, as a bug might make it; all of it for part 1.
class PartOfNoise final : public NoiseSource {
 public:
  PartOfNoise(std::size_t repeat, double part) : part_(part), honest_(evaluation_noise(12, "falsify", "", repeat)) {}
  std::unique_ptr<RandomBits> stream(std::uint64_t index) const override { return honest_->stream(index); }
  double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const override {
    return part_ * honest_->noise(bits, sensitivity, epsilon, grid);
  }
  double gaussian(RandomBits& bits, double deviation, double grid) const override {
    return part_ * honest_->gaussian(bits, deviation, grid);
  }
  bool discrete() const override { return false; }

 private:
  double part_;
  std::unique_ptr<NoiseSource> honest_;
};

// As a real release draws it, from seeded bits so that a test repeats.
class AsPublished final : public NoiseSource {
 public:
  explicit AsPublished(std::size_t repeat) : repeat_(repeat), honest_(publishing_noise()) {}
  std::unique_ptr<RandomBits> stream(std::uint64_t index) const override {
    return std::make_unique<SeededBits>(mix(mix(79, repeat_), index));
  }
  double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const override {
    return honest_->noise(bits, sensitivity, epsilon, grid);
  }
  double gaussian(RandomBits& bits, double deviation, double grid) const override {
    return honest_->gaussian(bits, deviation, grid);
  }
  bool discrete() const override { return true; }

 private:
  std::size_t repeat_;
  std::unique_ptr<NoiseSource> honest_;
};

using MakeSource = std::function<std::unique_ptr<NoiseSource>(std::size_t repeat)>;

inline MakeSource part_of_noise(double part) {
  return [part](std::size_t repeat) { return std::make_unique<PartOfNoise>(repeat, part); };
}

inline std::unique_ptr<NoiseSource> as_published(std::size_t repeat) {
  return std::make_unique<AsPublished>(repeat);
}

// Two towns that differ by a unit, with the people declared in both, and an event that is likelier in the second.
struct Neighbours {
  Town without;
  Town with;
  std::size_t people;
  std::function<bool(const CountMatrix&)> event;
};

// A bound of a probability that was hit `hit` times in `draws` (Wilson, confidence 0.999): above for sign 1, below for
// -1.
inline double wilson(double hit, double draws, double sign) {
  constexpr double kZ = 3.29;
  const double p = hit / draws;
  const double centre = p + kZ * kZ / (2 * draws);
  const double spread = kZ * std::sqrt(p * (1 - p) / draws + kZ * kZ / (4 * draws * draws));
  return (centre + sign * spread) / (1 + kZ * kZ / draws);
}

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

}  // namespace hearsay::release
