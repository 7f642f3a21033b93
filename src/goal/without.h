// SPDX-License-Identifier: Apache-2.0
//
// What she believes about each person on counts that leave that person out. An attack that goes by cell (AttackEntry)
// has told what it believes where all counts are one less; here, where the truth is known, each person's own cells are
// taken from that, and all others from what she believes anyway. So no attack sees in which cells a person was.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "belief/beliefs.h"
#include "dataset/visit_store.h"

namespace hearsay::goal {

// Buffers of one worker. What is returned is valid until the next call, and as long as what it was made of.
class Without {
 public:
  // Distributions: `with` the counts, and with one person `less` everywhere. The truth of the users that they are
  // about.
  belief::Beliefs distributions(const dataset::EpochVisits& truth, const belief::Beliefs& with,
                                const belief::Beliefs& less, RoiId null_roi);

  // Assignments. still_in(user, roi): whether the user is in a place that has one person less.
  using StillIn = std::function<bool(UserId user, RoiId roi)>;
  belief::Beliefs assignment(const dataset::EpochVisits& truth, const belief::Assignment& with, const StillIn& still_in,
                             RoiId null_roi);

 private:
  belief::Beliefs rows(const dataset::EpochVisits& truth, const belief::Rows& with, const belief::Rows& less,
                       RoiId null_roi);
  belief::Beliefs rates(const dataset::EpochVisits& truth, const belief::Rates& with, const belief::Rates& less,
                        RoiId null_roi);
  belief::Beliefs shared(const dataset::EpochVisits& truth, const belief::Shared& with, const belief::Shared* less,
                         RoiId null_roi);

  belief::RowTable table_;
  std::vector<double> background_;
  std::vector<RoiId> places_;  // all that an assignment has a user in
  std::vector<RoiId> out_;     // those of them that the user is not in without itself
};

}  // namespace hearsay::goal
