// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "belief/beliefs.h"

namespace hearsay::decision {

// How many chances, and their sum.
struct Predicted {
  double number = 0;
  double chance = 0;
  void add(double one, double times) {
    number += times;
    chance += times * one;
  }
};

// A copy of beliefs that many share in some epochs, which tells quickly what a user of them has above a least chance.
class SharedChances {
 public:
  SharedChances(const belief::Shared& shared, double epochs);

  double epochs() const { return epochs_; }
  // Goes to a user, later than the last one; false where the user is not listed.
  bool enter(UserId user);
  // Of the user last entered.
  void add(double least, Predicted& predicted) const;

 private:
  double epochs_;
  bool everyone_;
  std::vector<UserId> users_;
  std::vector<double> weights_;  // by ROI
  std::vector<double> sorted_;   // the same above 0, ascending
  std::vector<double> sums_;     // of those from each on
  double all_ = 0;
  struct Apart {
    RoiId roi;
    double weight;
  };
  std::vector<UserId> apart_users_;
  std::vector<std::size_t> apart_begins_;
  std::vector<Apart> apart_;

  std::size_t next_ = 0;
  std::size_t next_apart_ = 0;
  std::size_t first_ = 0;  // of the user's apart
  std::size_t last_ = 0;
  double total_ = 0;  // of the user
};

}  // namespace hearsay::decision
