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
#include "base/random.h"
#include "dataset/dataset.h"
#include "release/count_matrix.h"
#include "release/parameters.h"

namespace hearsay::release {

// What a release promises. Without an epsilon it promises nothing.
struct Guarantee {
  std::optional<double> epsilon;  // of the whole release, the null row included where it has one
  std::string unit = "none";      // what is hidden: "one event", "a user in one ROI", "a user in one epoch", "a user"
  std::string note;               // a sentence: why there is none, or what it rests on
};

// What a mechanism perturbs: the raw counts, and the visits behind them where it acts before counting.
struct Subject {
  const CountMatrix& counts;
  const dataset::Truth& truth;
  std::size_t users() const { return truth.crowd().users; }
  bool with_null = true;  // the null row is part of the release
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
