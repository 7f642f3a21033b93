// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace hearsay::publication {

// The moments of a publication after which something else is on the disk than before, in their order.
enum class PublishingStep {
  kBeforeBooking,
  kLedgerWritten,  // beside the ledger, and not in its place yet
  kBooked,
  kCountsWritten,  // in a private folder
  kGuaranteeInPlace,
  kCountsInPlace,
};

// Tests set this, so that they can end the process at any of these moments.
inline void (*on_publishing_step)(PublishingStep step) = nullptr;

inline void reached(PublishingStep step) {
  if (on_publishing_step != nullptr) on_publishing_step(step);
}

}  // namespace hearsay::publication
