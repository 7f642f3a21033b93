// SPDX-License-Identifier: Apache-2.0
//
// What the people of a share add to the figures of a combination. Shares add up in any order to the same bits.
#pragma once

#include "results/bins.h"
#include "results/people_sums.h"

namespace hearsay::results {

// Means, counts, groups and whom it is about come out as on one machine; percentiles and means of steps to 2^-20, and
// exact where Bins keep all numbers. Where the control is of a sample
// and was measured apart, shares without one add up with tallies of the sampled people that have nothing else
// (Part::kControl).
class PeopleTally {
 public:
  PeopleTally() = default;
  PeopleTally(const goal::Combination& combination, const goal::Measurement& users, const DataFacts& facts,
              const UsersAtHand& at_hand, Part part = Part::kAll);

  void add(const PeopleTally& other);
  void write(BytesWriter& out) const;
  void read(BytesReader& in);

  // Of everybody.
  PeopleFigures figures(const goal::Combination& combination, const DataFacts& facts) const;

 private:
  PeopleSums sums_;
  Columns<Bins> bins_;
};

}  // namespace hearsay::results
