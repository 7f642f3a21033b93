// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/random.h"

namespace hearsay::release {

// Where noise comes from. Evaluation: seeded, a stream for every index that depends on nothing but the key and the
// index. Publishing: the system's secure source, in whole numbers only.
class NoiseSource {
 public:
  virtual ~NoiseSource() = default;
  virtual std::unique_ptr<RandomBits> stream(std::uint64_t index) const = 0;
  // Noise that hides a change of `sensitivity` with `epsilon`. Where the source is discrete, the noise and the numbers
  // it is added to must be multiples of `grid`.
  virtual double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const = 0;
  // Normal noise of a standard deviation, with the same condition.
  virtual double gaussian(RandomBits& bits, double deviation, double grid) const = 0;
  virtual bool discrete() const = 0;
  // A word of its own for every index, as likely as any. Cheap, for choices of which there are many: a stream costs
  // microseconds to begin.
  virtual std::uint64_t word(std::uint64_t index) const { return (*stream(index))(); }
  // Of such words: uniform below `bound` >= 1, without bias.
  std::uint64_t below(std::uint64_t index, std::uint64_t bound) const;
};

// `chain` and `parameters`: the names that a study gives a chain.
std::unique_ptr<NoiseSource> evaluation_noise(std::uint64_t seed, const std::string& chain,
                                              const std::string& parameters, std::size_t repeat);
std::unique_ptr<NoiseSource> publishing_noise();

// How many of `people` say yes, each with probability p. Exact coin by coin where the source is discrete.
std::uint64_t binomial(RandomBits& bits, const NoiseSource& source, std::uint64_t people, double p);

inline constexpr std::uint64_t kWholeRelease = ~0ULL;  // index of the stream that belongs to no ROI

}  // namespace hearsay::release
