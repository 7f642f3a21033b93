// SPDX-License-Identifier: Apache-2.0
#include "goal/ground.h"

#include "base/errors.h"

namespace hearsay::goal {

std::unique_ptr<release::NoiseSource> Defence::noise(std::uint64_t seed, std::size_t repeat) const {
  const auto make = post_process == release::PostProcess::kPaper ? release::paper_noise : release::evaluation_noise;
  return make(seed, chain.name(), chain.parameter(), repeat);
}

std::shared_ptr<const belief::Series> Ground::prior(const prior::PriorEntry& entry) const {
  const prior::Knowledge knowledge{dataset.observation(), dataset.past(), options.threads, options.blocks};
  return find_prior ? find_prior(entry, knowledge) : entry.create(knowledge);
}

void Ground::check_stop() const {
  if (options.stop.stop_requested()) throw Cancelled();
}

}  // namespace hearsay::goal
