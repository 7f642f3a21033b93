// SPDX-License-Identifier: Apache-2.0
#include "goal/ground.h"

#include "base/errors.h"

namespace hearsay::goal {

std::shared_ptr<const belief::Series> Ground::prior(const prior::PriorEntry& entry) const {
  const prior::Knowledge knowledge{dataset.observation(), dataset.past(), options.threads, options.blocks};
  return find_prior ? find_prior(entry, knowledge) : entry.create(knowledge);
}

void Ground::check_stop() const {
  if (options.stop.stop_requested()) throw Cancelled();
}

}  // namespace hearsay::goal
