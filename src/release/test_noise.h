// SPDX-License-Identifier: Apache-2.0
//
// For tests that try to falsify an epsilon: noise that is honest, too small or as published, and limits of a chance.
#pragma once

#include <cmath>
#include <functional>
#include <memory>

#include "release/noise_source.h"

namespace hearsay::release {

// Part of the continuous noise asked for, as a bug might make it; all of it for part 1.
class PartOfNoise final : public NoiseSource {
 public:
  PartOfNoise(std::size_t repeat, double part) : part_(part), honest_(paper_noise(12, "falsify", "", repeat)) {}
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
  explicit AsPublished(std::size_t repeat) : repeat_(repeat) {}
  std::unique_ptr<RandomBits> stream(std::uint64_t index) const override {
    return std::make_unique<SeededBits>(mix(mix(79, repeat_), index));
  }
  bool secure() const override { return true; }

 private:
  std::size_t repeat_;
};

using MakeSource = std::function<std::unique_ptr<NoiseSource>(std::size_t repeat)>;

inline MakeSource part_of_noise(double part) {
  return [part](std::size_t repeat) { return std::make_unique<PartOfNoise>(repeat, part); };
}

inline std::unique_ptr<NoiseSource> as_published(std::size_t repeat) {
  return std::make_unique<AsPublished>(repeat);
}

// A bound of a probability that was hit `hit` times in `draws` (Wilson, confidence 0.999): above for sign 1, below for
// -1.
inline double wilson(double hit, double draws, double sign) {
  constexpr double kZ = 3.29;
  const double p = hit / draws;
  const double centre = p + kZ * kZ / (2 * draws);
  const double spread = kZ * std::sqrt(p * (1 - p) / draws + kZ * kZ / (4 * draws * draws));
  return (centre + sign * spread) / (1 + kZ * kZ / draws);
}

}  // namespace hearsay::release
