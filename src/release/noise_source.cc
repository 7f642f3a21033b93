// SPDX-License-Identifier: Apache-2.0
#include "release/noise_source.h"

#include <boost/random/binomial_distribution.hpp>
#include <cmath>
#include <mutex>

#include "base/errors.h"

namespace hearsay::release {
namespace {

class EvaluationNoise final : public NoiseSource {
 public:
  explicit EvaluationNoise(std::uint64_t key) : key_(key) {}
  std::unique_ptr<RandomBits> stream(std::uint64_t index) const override {
    return std::make_unique<SeededBits>(mix(key_, index));
  }
  double noise(RandomBits& bits, double sensitivity, double epsilon, double) const override {
    return laplace(bits, sensitivity / epsilon);
  }
  double gaussian(RandomBits& bits, double deviation, double) const override { return deviation * Normal()(bits); }
  bool discrete() const override { return false; }
  std::uint64_t word(std::uint64_t index) const override { return mix(mix(key_, kWords), index); }

 private:
  static constexpr std::uint64_t kWords = 0x776f726473;  // apart from the keys of streams
  std::uint64_t key_;
};

class PublishingNoise final : public NoiseSource {
 public:
  std::unique_ptr<RandomBits> stream(std::uint64_t) const override { return std::make_unique<SecureBits>(); }
  double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const override {
    // Epsilon rounded down and steps rounded up to whole numbers: never less noise than asked for.
    constexpr double kFine = 0x1p30;
    const double inverse = std::floor(epsilon * kFine);
    const double steps = std::ceil(sensitivity / grid);
    if (inverse < 1 || steps * kFine >= 0x1p53) {
      throw ConfigError("epsilon", std::to_string(epsilon), "is too small for a release of this size");
    }
    return grid * static_cast<double>(discrete_laplace(bits, static_cast<std::uint64_t>(steps * kFine),
                                                       static_cast<std::uint64_t>(inverse)));
  }
  double gaussian(RandomBits& bits, double deviation, double grid) const override {
    if (!(deviation / grid < kLargestDeviation)) {
      throw ConfigError("epsilon", "", "is too small for a release of this size");
    }
    return grid * static_cast<double>(discrete_gaussian(bits, deviation / grid));
  }
  bool discrete() const override { return true; }
  std::uint64_t word(std::uint64_t) const override {
    const std::lock_guard lock(mutex_);
    return words_();
  }

 private:
  mutable std::mutex mutex_;
  mutable SecureBits words_;
};

}  // namespace

std::uint64_t NoiseSource::below(std::uint64_t index, std::uint64_t bound) const {
  const std::uint64_t rejected = (0 - bound) % bound;  // 2^64 mod bound
  std::uint64_t number = word(index);
  for (std::uint64_t again = 1; number < rejected; ++again) number = word(mix(index, again));
  return number % bound;
}

std::unique_ptr<NoiseSource> evaluation_noise(std::uint64_t seed, const std::string& chain,
                                              const std::string& parameters, std::size_t repeat) {
  return std::make_unique<EvaluationNoise>(mix(mix(mix(mix(0, seed), chain), parameters), repeat));
}

std::unique_ptr<NoiseSource> publishing_noise() {
  return std::make_unique<PublishingNoise>();
}

std::uint64_t binomial(RandomBits& bits, const NoiseSource& source, std::uint64_t people, double p) {
  // Not the standard library's: each may draw in its own way, and a seed is to mean the same numbers everywhere.
  if (!source.discrete()) {
    return static_cast<std::uint64_t>(
        boost::random::binomial_distribution<std::int64_t>(static_cast<std::int64_t>(people), p)(bits));
  }
  const auto threshold = static_cast<std::uint64_t>(std::ldexp(p, 64));
  std::uint64_t yes = 0;
  for (std::uint64_t i = 0; i < people; ++i) yes += bits() < threshold ? 1 : 0;
  return yes;
}

}  // namespace hearsay::release
