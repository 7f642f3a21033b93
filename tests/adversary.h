// SPDX-License-Identifier: Apache-2.0
//
// An attack played by hand, with all its moves, and what came of it in full.
#pragma once

#include <memory>
#include <vector>

#include "attack/attack.h"
#include "goal/ranges.h"

namespace hearsay {

// By user and ROI: the probability, or 1 for each ROI that is assigned.
using DenseBeliefs = std::vector<std::vector<double>>;

// Writes what is believed of the users of a range into their rows.
void expand(const belief::Beliefs& beliefs, belief::UserRange range, const dataset::Crowd& crowd, DenseBeliefs& rows);

// What is believed of everybody.
DenseBeliefs expanded(const belief::Beliefs& beliefs, const dataset::Crowd& crowd);

class Adversary {
 public:
  Adversary(const attack::AttackEntry& entry, const belief::Series& prior, release::Published published,
            const dataset::Crowd& crowd, const BlockSizes& blocks = {});
  Adversary(const attack::AttackEntry& entry, const belief::Series& prior, const release::Release& counts,
            const dataset::Crowd& crowd, const BlockSizes& blocks = {})
      : Adversary(entry, prior, release::Published(counts), crowd, blocks) {}

  // Calls take(range, beliefs) for every range of users.
  template <typename Take>
  void at(EpochId epoch, const Take& take) {
    for (const belief::UserRange range : goal::ranges_of(crowd_, 1, blocks_)) {
      const auto inference = attack_->infer({prior_, range, release_, plans_, crowd_, workspace_});
      take(range, inference->at(epoch));
    }
  }
  DenseBeliefs at(EpochId epoch);

 private:
  const belief::Series& prior_;
  release::Published release_;
  dataset::Crowd crowd_;
  BlockSizes blocks_;
  std::unique_ptr<attack::Attack> attack_;
  goal::Plans plans_;
  attack::Workspace workspace_;
};

}  // namespace hearsay
