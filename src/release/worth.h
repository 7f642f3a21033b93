// SPDX-License-Identifier: Apache-2.0
//
// What counts would be worth if they were published: for their owner, before epsilon is spent. Computed from the true
// counts, so that nothing of it but `noise` may be published.
#pragma once

#include <optional>

#include "release/chain.h"
#include "release/post_process.h"

namespace hearsay::release {

struct Worth {
  std::optional<Noise> noise;  // none: the chain cannot say without the data
  double noise_error = 0;      // expected absolute error of a count by noise alone; measured where `noise` is none
  double error = 0;            // expected absolute error of a count as it would be published
  double mean_count = 0;       // of the true counts, null left out
  double median_count = 0;
  double nonzero_share = 0;       // share of the true counts above 0
  double mean_nonzero_count = 0;  // of those
  double median_nonzero_count = 0;
  double moved_share = 0;      // share of the noisy counts, rounded, below 0: what clamping at 0 moves
  double true_total = 0;       // sum of all counts
  double kept_total = 0;       // what the chain keeps of it before noise: a bound leaves visits out
  double noisy_total = 0;      // expected sum before post-processing
  double published_total = 0;  // expected sum after it

  // Share of the true total that the chain keeps before noise, at most 1.
  double kept_share() const;
  // The mean of the counts above 0, as far as the chain keeps them.
  double typical_count() const { return kept_share() * mean_nonzero_count; }
  // The noise of a count is expected to be larger than a typical count.
  bool mostly_noise() const { return noise_error > typical_count(); }
  // Post-processing is expected to change the sum of all counts by more than a tenth of the true sum.
  bool inflated() const;
};

inline constexpr std::size_t kWorthDraws = 5;

// Expectations are means over kWorthDraws draws of evaluation noise, which has nothing to do with what is published.
Worth measure_worth(const Chain& chain, const Draft& draft, PostProcess how);
// measure_worth().mostly_noise(), without a draw where the chain can say how large its noise is.
bool mostly_noise(const Chain& chain, const Draft& draft);

}  // namespace hearsay::release
