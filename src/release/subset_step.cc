// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "release/local_reports.h"

namespace hearsay::release {
namespace {

// How a report is drawn where there are `rois` places, null among them: `size` of them, the true one with chance `own`
// and each other one with chance `other`.
struct Design {
  std::size_t size = 1;
  double own = 0;
  double other = 0;

  // Of an empty place's estimate, for one report.
  double variance() const { return other * (1 - other) / ((own - other) * (own - other)); }
};

// A set with the true place has probability own / C(k-1, w-1), one without it (1 - own) / C(k-1, w): the first is own
// (k - w) / ((1 - own) w) times the second. That is e^epsilon for own = w / (w + (k - w) e^-epsilon), and less for a
// smaller one.
Design design_of(double epsilon, std::size_t rois, std::size_t size) {
  const auto w = static_cast<double>(size);
  const auto k = static_cast<double>(rois);
  Design design{size, w / (w + (k - w) * std::exp(-epsilon)), 0};
  // Below what rounding may have put on, and a multiple of what coins of 64 bits can have.
  for (int ulp = 0; ulp < 4; ++ulp) design.own = std::nextafter(design.own, 0);
  design.own = std::ldexp(std::floor(std::ldexp(design.own, 64)), -64);
  design.other = (w - design.own) / (k - 1);
  return design;
}

class SubsetSelection final : public LocalReports {
 public:
  explicit SubsetSelection(const Parameters& parameters)
      : LocalReports(parameters), epsilon_(given_epsilon(parameters)) {
    if (std::exp(-epsilon_) > 1 - 0x1p-40) parameters.fail("epsilon", "is too small: no report would say anything");
  }

 private:
  double epsilon(std::size_t) const override { return epsilon_; }

  double deviation(double people, std::size_t rois) const override {
    return rois == 1 ? 0 : std::sqrt(people * best(rois).variance());
  }

  // The better of the whole numbers next to k / (e^epsilon + 1), where the variance is least.
  Design best(std::size_t rois) const {
    const double ideal = static_cast<double>(rois) / (std::exp(epsilon_) + 1);
    const auto low = std::clamp(static_cast<std::size_t>(ideal), std::size_t{1}, rois - 1);
    const Design smaller = design_of(epsilon_, rois, low);
    const Design larger = design_of(epsilon_, rois, std::min(low + 1, rois - 1));
    return larger.variance() < smaller.variance() ? larger : smaller;
  }

  // Person by person, as the places of one report depend on each other: as many draws as places in a report. The order
  // that earlier people left the places in does not matter: any is as good a start as another for a set drawn alike.
  void estimate(std::span<const std::uint64_t> truths, std::uint64_t people, RandomBits& bits, const NoiseSource&,
                std::span<double> estimates) const override {
    const std::size_t rois = truths.size();
    if (rois == 1) {
      estimates[0] = static_cast<double>(people);
      return;
    }
    const Design design = best(rois);
    const auto threshold = static_cast<std::uint64_t>(std::ldexp(design.own, 64));
    std::vector<std::uint64_t> reported(rois);
    std::vector<std::size_t> others(rois - 1);
    for (std::size_t truth = 0; truth < rois; ++truth) {
      if (truths[truth] == 0) continue;
      for (std::size_t i = 0; i < others.size(); ++i) others[i] = i < truth ? i : i + 1;
      for (std::uint64_t person = 0; person < truths[truth]; ++person) {
        const bool own = bits() < threshold;
        reported[truth] += own ? 1 : 0;
        for (std::size_t i = 0; i < design.size - (own ? 1 : 0); ++i) {
          std::swap(others[i], others[i + bits.below(others.size() - i)]);
          ++reported[others[i]];
        }
      }
    }
    for (std::size_t roi = 0; roi < rois; ++roi) {
      estimates[roi] = (static_cast<double>(reported[roi]) - static_cast<double>(people) * design.other) /
                       (design.own - design.other);
    }
  }

  double epsilon_;
};

}  // namespace

extern const StepEntry subset_step;
const StepEntry subset_step = {
    .info =
        {.position = 6,
         .name = "SUBSET",
         .summary = "Every person reports a set of places an epoch, more often with the true one than without.",
         .explanation =
             "Subset selection: each user and epoch reports w of all |S| ROIs (null is one; one of several that are "
             "true is chosen at random): with probability p = w e^epsilon / (w e^epsilon + |S| - w) the true one and w "
             "- 1 others, else w others, all alike. w is next to |S| / (e^epsilon + 1), where the variance is least. "
             "The count is estimated as (sets with it - N q) / (p - q), q = (w - p) / (|S| - 1). Where epsilon is so "
             "large that w is 1 it is KRR. Epsilon is for a user in one epoch. N is the population declared in "
             "data.population, those not seen being in null; without it nothing is promised.",
         .parameters = {epsilon_parameter(), LocalReports::simplex_parameter("yes")},
         .citation = "Ye, Barg: Optimal Schemes for Discrete Distribution Estimation under Local Differential Privacy. "
                     "ISIT 2017. Wang and others: Mutual Information Optimally Local Private Discrete Distribution "
                     "Estimation. 2016."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<SubsetSelection>(parameters);
    },
};

}  // namespace hearsay::release
