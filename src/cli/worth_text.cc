// SPDX-License-Identifier: Apache-2.0
#include "cli/worth_text.h"

#include <fmt/format.h>

#include <cmath>

namespace hearsay::cli {
namespace {

bool cuts_at_zero(release::PostProcess how) {
  return how != release::PostProcess::kNone && how != release::PostProcess::kRound;
}

}  // namespace

std::string worth_text(const release::Worth& worth, release::PostProcess how) {
  std::string text = "what these counts will be worth (for you alone: computed from the true counts)\n";
  if (worth.noise) text += fmt::format("  noise: {}\n", worth.noise->description);
  text += fmt::format("  a count is off by {:.4g} through noise{}, by {:.4g} as published\n", worth.noise_error,
                      worth.noise ? "" : " (measured)", worth.error);
  text += fmt::format("  true counts: mean {:.4g}, median {:.4g}; the {:.3g}% above 0: mean {:.4g}, median {:.4g}\n",
                      worth.mean_count, worth.median_count, 100 * worth.nonzero_share, worth.mean_nonzero_count,
                      worth.median_nonzero_count);
  if (std::fabs(worth.kept_total - worth.true_total) > 0.005 * worth.true_total) {
    text += fmt::format("  before noise the mechanism keeps a total of {:.0f} of {:.0f}\n", worth.kept_total,
                        worth.true_total);
  }
  text += fmt::format("  counts below 0: {:.3g}%{}\n", 100 * worth.moved_share,
                      cuts_at_zero(how) ? ", which post-processing moves" : ", which stay");
  return text + fmt::format(
                    "  total of all counts: true {:.0f}, with noise {:.0f}, as published {:.0f} (means of {} "
                    "trial draws)\n",
                    worth.true_total, worth.noisy_total, worth.published_total, release::kWorthDraws);
}

std::vector<std::string> worth_warnings(const release::Worth& worth, release::PostProcess how, bool accepted) {
  std::vector<std::string> warnings;
  if (worth.mostly_noise() && accepted) {
    warnings.push_back(
        fmt::format("these counts are mostly noise: each is off by about {:.4g}, and those above 0 are "
                    "{:.4g} on average",
                    worth.noise_error, worth.typical_count()));
  }
  if (worth.kept_share() < 0.9) {
    warnings.push_back(fmt::format("before noise the mechanism keeps {:.0f} of the true total of {:.0f}",
                                   worth.kept_total, worth.true_total));
  }
  if (worth.inflated() && how == release::PostProcess::kNonnegative) {
    warnings.push_back(
        fmt::format("setting counts below 0 to 0 makes their sum {:.0f}, where it is {:.0f} with noise "
                    "and {:.0f} in truth; --post-process projected keeps each epoch's noisy total, and "
                    "none every sum",
                    worth.published_total, worth.noisy_total, worth.true_total));
  }
  return warnings;
}

}  // namespace hearsay::cli
