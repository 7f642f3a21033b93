// SPDX-License-Identifier: Apache-2.0
//
// MAX_ROI and MAX_USER are the same walk: for every ROI the users in some order, of whom the first A[s,t'] are assigned
// to it. They differ in the order, and in whether users with prior 0 may follow. (MAX_USER as printed goes user by
// user, but a user takes every ROI still open to it, so the ROIs do not touch each other.)
#pragma once

#include <memory>

#include "attack/attack.h"

namespace hearsay::attack {

enum class Order {
  kByPrior,  // highest prior first, ties in user order, then the users with prior 0 in user order
  kByUser    // users with prior > 0 by total reports, most first, ties in user order
};

// Memory and time follow the entries of the prior's rows.
std::unique_ptr<Preparation> prepare_greedy(const prior::Beliefs& prior, const dataset::Crowd& crowd, Order order);

// Time follows the people counted outside null. Counts are rounded to whole people.
prior::Beliefs assign_greedy(const prior::Beliefs& prior, const Preparation& preparation,
                             const release::EpochCounts& counts, const dataset::Crowd& crowd, Workspace& workspace);

}  // namespace hearsay::attack
