// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "prior/prior.h"

namespace hearsay::python {

// What a prior written in Python may look at, and for how long: while its run builds it.
struct OpenKnowledge {
  const prior::Knowledge* knowledge = nullptr;  // null once the prior is built

  // Throws std::runtime_error afterwards.
  const prior::Knowledge& get() const;
};

// The observation period, as build(observation) gets it.
struct ObservationView {
  std::shared_ptr<OpenKnowledge> open;
};

// What lies before one epoch of the inference period, as believe(epoch, past) gets it: past(lag).
struct PastView {
  std::shared_ptr<OpenKnowledge> open;
  EpochId epoch{};
};

}  // namespace hearsay::python
