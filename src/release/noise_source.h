// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/random.h"

namespace hearsay::release {

// A source of noise. A study draws from seeded streams, one for every index, that depend on nothing but the key and the
// index; a publication draws from the system's secure source. Both draw the same noise: what is measured is what is
// published.
class NoiseSource {
 public:
  virtual ~NoiseSource() = default;
  virtual std::unique_ptr<RandomBits> stream(std::uint64_t index) const = 0;
  // Draws noise that hides a change of `sensitivity` with `epsilon`: two-sided geometric, in multiples of `grid`. Where
  // the source is discrete, the numbers that it is added to must be such multiples, too. Throws ConfigError where the
  // noise would be too large to be of use.
  virtual double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const;
  // Draws normal noise of a standard deviation, with the same conditions.
  virtual double gaussian(RandomBits& bits, double deviation, double grid) const;
  // True if noise comes in multiples of the grid; false only for noise that is never published.
  virtual bool discrete() const { return true; }
  // True if the bits are those of the system's secure source, so that what is drawn may be published.
  virtual bool secure() const { return false; }
  // A word of its own for every index, as likely as any. Cheap, for choices of which there are many: a stream costs
  // microseconds to begin.
  virtual std::uint64_t word(std::uint64_t index) const { return (*stream(index))(); }
  // Of such words: uniform below `bound` >= 1, without bias.
  std::uint64_t below(std::uint64_t index, std::uint64_t bound) const;
};

// Seeded noise for a study. `chain` and `parameters` are the names that a study gives a chain.
std::unique_ptr<NoiseSource> evaluation_noise(std::uint64_t seed, const std::string& chain,
                                              const std::string& parameters, std::size_t repeat);
// The same streams with the continuous noise that the paper added before it rounded: for its reproduction alone.
std::unique_ptr<NoiseSource> paper_noise(std::uint64_t seed, const std::string& chain, const std::string& parameters,
                                         std::size_t repeat);
std::unique_ptr<NoiseSource> publishing_noise();

// Two-sided geometric noise as it is drawn: P(y) proportional to exp(-|y| inverse / (scale grid)), y a multiple of the
// grid, and never less noise than asked for.
struct GeometricNoise {
  // Throws ConfigError where the noise would be too large to be of use.
  GeometricNoise(double sensitivity, double epsilon, double grid);
  double exponent() const { return static_cast<double>(inverse) / static_cast<double>(scale); }  // of a step

  std::uint64_t scale;
  std::uint64_t inverse;
};

// Counts are exact whole numbers up to 2^53; noise that is larger than this on a count leaves nothing of them.
inline constexpr double kLargestNoise = 0x1p40;

// Draws how many of `people` say yes, each with probability p; coin by coin where the source is secure.
std::uint64_t binomial(RandomBits& bits, const NoiseSource& source, std::uint64_t people, double p);

inline constexpr std::uint64_t kWholeRelease = ~0ULL;  // index of the stream that belongs to no ROI

}  // namespace hearsay::release
