// SPDX-License-Identifier: Apache-2.0
//
// Defences (paper, section 5): how counts are perturbed before they are published, and what that promises. One
// *_mechanism.cc file a mechanism.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/entry.h"
#include "base/parameters.h"
#include "base/random.h"
#include "dataset/dataset.h"
#include "release/count_matrix.h"

namespace hearsay::release {

// What a release promises. Without an epsilon it promises nothing.
struct Guarantee {
  std::optional<double> epsilon;  // of the counts as they would be published: the null row left out
  std::string unit = "none";      // what is hidden: "one event", "a user in one ROI" or "in one epoch", "a user"
  std::string note;               // a sentence: why there is none, or what it rests on
  std::optional<double> epsilon_with_null;  // of the counts with the noisy null row, as a study hands them over
};

// What a mechanism perturbs: the raw counts, and the visits behind them where it acts before counting.
struct Subject {
  const CountMatrix& counts;
  const dataset::Truth& truth;
  // People in all, seen or not, as stated by whoever publishes. Those not seen are in null, also in `counts`. Unset:
  // the people seen, which is itself read off the data.
  std::optional<std::size_t> population = std::nullopt;

  std::size_t users() const { return truth.crowd().users; }
  std::size_t people() const { return population.value_or(users()); }
};

// The counts with those who were declared but not seen added to null in every epoch. Throws ConfigError where more
// people were seen than declared; the message does not say how many.
CountMatrix with_population(CountMatrix counts, std::optional<std::size_t> population, std::size_t users);

// The noise of one count, null aside, before post-processing.
struct Noise {
  std::string description;      // "Laplace noise of scale 40 on every count"
  double deviation = 0;         // standard deviation
  double absolute_error = 0;    // expected absolute value
  std::optional<double> scale;  // of the Laplace noise on every count, where that is what the mechanism adds
};

// Where noise comes from. Evaluation: seeded, a stream for every index that depends on nothing but the key and the
// index. Publishing: the system's secure source, in whole numbers only.
class NoiseSource {
 public:
  virtual ~NoiseSource() = default;
  virtual std::unique_ptr<RandomBits> stream(std::uint64_t index) const = 0;
  // Noise that hides a change of `sensitivity` with `epsilon`. Where the source is discrete, the noise and the numbers
  // it is added to must be multiples of `grid`.
  virtual double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const = 0;
  virtual bool discrete() const = 0;
};

std::unique_ptr<NoiseSource> evaluation_noise(std::uint64_t seed, const std::string& mechanism,
                                              const std::string& parameters, std::size_t repeat);
std::unique_ptr<NoiseSource> publishing_noise();

// How many of `people` say yes, each with probability p. Exact coin by coin where the source is discrete.
std::uint64_t binomial(RandomBits& bits, const NoiseSource& source, std::uint64_t people, double p);

inline constexpr std::uint64_t kWholeRelease = ~0ULL;  // index of the stream that belongs to no ROI

class Mechanism {
 public:
  virtual ~Mechanism() = default;
  // Throws ConfigError where the parameters do not fit this release.
  virtual void check(std::size_t epochs) const { (void)epochs; }
  virtual Guarantee guarantee(const Subject& subject) const = 0;
  // From the parameters, the numbers of ROIs and epochs and a declared population alone, so that it may be published;
  // none where it depends on the data besides.
  virtual std::optional<Noise> noise(const Subject& subject) const {
    (void)subject;
    return std::nullopt;
  }
  virtual CountMatrix perturb(const Subject& subject, const NoiseSource& source) const = 0;
};

struct MechanismEntry {
  EntryInfo info;  // its parameters are those make reads
  // Throws ConfigError for parameters missing or out of range.
  std::function<std::unique_ptr<Mechanism>(const Parameters& parameters)> make;
};

// Every mechanism, in the paper's order. Generated from the files in this folder.
const std::vector<const MechanismEntry*>& all_mechanisms();

}  // namespace hearsay::release
