// SPDX-License-Identifier: Apache-2.0
//
// What the adversary knows before she sees the release (paper, section 3.2). One *_prior.cc file a prior.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/block_sizes.h"
#include "base/entry.h"
#include "base/ids.h"
#include "belief/beliefs.h"
#include "dataset/dataset.h"

namespace hearsay::prior {

// All an adversary may build a prior from.
struct Knowledge {
  dataset::Observation observation;
  dataset::Past past;
  std::size_t threads = 1;
  BlockSizes blocks = {};
};

struct PriorEntry {
  EntryInfo info;
  bool binary = false;         // an assignment prior
  bool rates = false;          // it offers rates: chances, or rows that count epochs (belief::Rows::trials)
  bool only_rates = false;     // its beliefs are belief::Rates, not a distribution
  bool for_everybody = false;  // it says something of everybody in every epoch, not of the people seen at its time
  // Throws ConfigError where the calendar does not allow this prior; called before make.
  std::function<void(const dataset::Calendar& calendar)> check;
  std::function<std::unique_ptr<belief::Series>(const Knowledge& knowledge, const Parameters& parameters)> make;
  std::unique_ptr<belief::Series> create(const Knowledge& knowledge) const { return make(knowledge, info.values()); }
};

// Every prior, in the paper's order. Generated from the files in this folder.
const std::vector<const PriorEntry*>& all_priors();

}  // namespace hearsay::prior
