// SPDX-License-Identifier: Apache-2.0
#include "release/noise_source.h"

#include <fmt/format.h>

#include <bit>
#include <boost/random/binomial_distribution.hpp>
#include <cmath>
#include <mutex>

#include "base/discrete_noise.h"
#include "base/errors.h"

namespace hearsay::release {
namespace {

class EvaluationNoise : public NoiseSource {
 public:
  explicit EvaluationNoise(std::uint64_t key) : key_(key) {}
  std::unique_ptr<RandomBits> stream(std::uint64_t index) const override {
    return std::make_unique<SeededBits>(mix(key_, index));
  }
  std::uint64_t word(std::uint64_t index) const override { return mix(mix(key_, kWords), index); }

 private:
  static constexpr std::uint64_t kWords = 0x776f726473;  // apart from the keys of streams
  std::uint64_t key_;
};

class PaperNoise final : public EvaluationNoise {
 public:
  using EvaluationNoise::EvaluationNoise;
  double noise(RandomBits& bits, double sensitivity, double epsilon, double) const override {
    return laplace(bits, sensitivity / epsilon);
  }
  double gaussian(RandomBits& bits, double deviation, double) const override { return deviation * Normal()(bits); }
  bool discrete() const override { return false; }
};

class PublishingNoise final : public NoiseSource {
 public:
  std::unique_ptr<RandomBits> stream(std::uint64_t) const override { return std::make_unique<SecureBits>(); }
  bool secure() const override { return true; }
  std::uint64_t word(std::uint64_t) const override {
    const std::lock_guard lock(mutex_);
    return words_();
  }

 private:
  mutable std::mutex mutex_;
  mutable SecureBits words_;
};

std::uint64_t key_of(std::uint64_t seed, const std::string& chain, const std::string& parameters, std::size_t repeat) {
  return mix(mix(mix(mix(0, seed), chain), parameters), repeat);
}

[[noreturn]] void refuse(double epsilon, double scale) {
  throw ConfigError("epsilon", fmt::format("{:.6g}", epsilon),
                    fmt::format("makes noise of scale {:.3g} on a count, more than the {:.3g} that is of any use: hide "
                                "a smaller unit, or spend more",
                                scale, kLargestNoise));
}

}  // namespace

// Epsilon is rounded down and the sensitivity up to whole numbers. The more noise is asked for, the finer epsilon is.
GeometricNoise::GeometricNoise(double sensitivity, double epsilon, double grid) {
  constexpr double kMost = 0x1p62;
  const double steps = std::ceil(sensitivity / grid);
  if (!(steps >= 1 && steps <= 0x1p52) || !(sensitivity / epsilon <= kLargestNoise)) {
    refuse(epsilon, sensitivity / epsilon);
  }
  const double fine = 0x1p52 / static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(steps)));
  scale = static_cast<std::uint64_t>(steps * fine);
  inverse = static_cast<std::uint64_t>(std::min(kMost, std::floor(epsilon * fine)));
  if (inverse == 0) refuse(epsilon, sensitivity / epsilon);
}

double NoiseSource::noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const {
  const GeometricNoise noise(sensitivity, epsilon, grid);
  return grid * static_cast<double>(discrete_laplace(bits, noise.scale, noise.inverse));
}

double NoiseSource::gaussian(RandomBits& bits, double deviation, double grid) const {
  if (!(deviation / grid < kLargestDeviation) || !(deviation <= kLargestNoise)) {
    throw ConfigError("noise", "",
                      fmt::format("would have a standard deviation of {:.3g} on a count, more than the {:.3g} that is "
                                  "of any use: hide a smaller unit, or spend more (a larger epsilon or rho)",
                                  deviation, std::min(kLargestNoise, kLargestDeviation * grid)));
  }
  return grid * static_cast<double>(discrete_gaussian(bits, deviation / grid));
}

std::uint64_t NoiseSource::below(std::uint64_t index, std::uint64_t bound) const {
  const std::uint64_t rejected = (0 - bound) % bound;  // 2^64 mod bound
  std::uint64_t number = word(index);
  for (std::uint64_t again = 1; number < rejected; ++again) number = word(mix(index, again));
  return number % bound;
}

std::unique_ptr<NoiseSource> evaluation_noise(std::uint64_t seed, const std::string& chain,
                                              const std::string& parameters, std::size_t repeat) {
  return std::make_unique<EvaluationNoise>(key_of(seed, chain, parameters, repeat));
}

std::unique_ptr<NoiseSource> paper_noise(std::uint64_t seed, const std::string& chain, const std::string& parameters,
                                         std::size_t repeat) {
  return std::make_unique<PaperNoise>(key_of(seed, chain, parameters, repeat));
}

std::unique_ptr<NoiseSource> publishing_noise() {
  return std::make_unique<PublishingNoise>();
}

std::uint64_t binomial(RandomBits& bits, const NoiseSource& source, std::uint64_t people, double p) {
  // Not the standard library's: each may draw in its own way, and a seed is to mean the same numbers everywhere.
  if (!source.secure()) {
    return static_cast<std::uint64_t>(
        boost::random::binomial_distribution<std::int64_t>(static_cast<std::int64_t>(people), p)(bits));
  }
  const auto threshold = static_cast<std::uint64_t>(std::ldexp(p, 64));
  std::uint64_t yes = 0;
  for (std::uint64_t i = 0; i < people; ++i) yes += bits() < threshold ? 1 : 0;
  return yes;
}

}  // namespace hearsay::release
