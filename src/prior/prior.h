// SPDX-License-Identifier: Apache-2.0
//
// What the adversary knows before she sees the release (paper, section 3.2). One *_prior.cc file a prior.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/block_sizes.h"
#include "base/entry.h"
#include "base/ids.h"
#include "belief/beliefs.h"
#include "dataset/dataset.h"
#include "dataset/observed_counts.h"

namespace hearsay::prior {

// All an adversary may build a prior from.
struct Knowledge {
  dataset::Observation observation;
  dataset::Past past;
  std::size_t threads = 1;
  BlockSizes blocks = {};
};

// The series of a share on its way: all but what depends on the people of the other shares.
class UnfinishedSeries {
 public:
  virtual ~UnfinishedSeries() = default;
  // Numbers that add up over shares, one by one. Valid as long as this.
  virtual std::span<const std::uint64_t> contribution() const = 0;
  // The series, from the sum of the contributions of all shares. Called once.
  virtual std::unique_ptr<belief::Series> finish(std::span<const std::uint64_t> sum) = 0;
};

// How a prior learns from everybody where people are worked on in shares. What each share makes are the same bits for
// any number of shares; where everybody is at hand, all are one share.
class CrowdLearning {
 public:
  virtual ~CrowdLearning() = default;
  // Whether it learns from the person of this number among everybody. The visits of those fit in memory.
  virtual bool wants(std::uint32_t number) const = 0;
  // What it learns from the people wanted, who must all be at hand; others at hand are passed over. Bytes for predict.
  virtual std::string learn(const Knowledge& knowledge) const = 0;
  virtual std::unique_ptr<UnfinishedSeries> predict(const Knowledge& share, const std::string& learned) const = 0;
};

struct PriorEntry {
  EntryInfo info;
  bool binary = false;         // an assignment prior
  bool rates = false;          // it offers rates: chances, or rows that count epochs (belief::Rows::trials)
  bool only_rates = false;     // its beliefs are belief::Rates, not a distribution
  bool for_everybody = false;  // it says something of everybody in every epoch, not of the people seen at its time
  // Throws ConfigError where the calendar does not allow this prior; called before make.
  std::function<void(const dataset::Calendar& calendar)> check;
  // Of a prior that says of a person what follows from that person alone.
  std::function<std::unique_ptr<belief::Series>(const Knowledge& knowledge, const Parameters& parameters)> make = {};
  // Of one that learns from everybody, in the place of make. `counts` are of everybody and outlive what it gives.
  std::function<std::unique_ptr<CrowdLearning>(const dataset::ObservedCounts& counts, const Parameters& parameters)>
      learning = {};
  // With everybody at hand.
  std::unique_ptr<belief::Series> create(const Knowledge& knowledge) const;
};

// Every prior, in the paper's order. Generated from the files in this folder.
const std::vector<const PriorEntry*>& all_priors();

}  // namespace hearsay::prior
