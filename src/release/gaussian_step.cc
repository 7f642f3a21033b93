// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "release/gaussian_budget.h"
#include "release/noise_law.h"
#include "release/step.h"

namespace hearsay::release {
namespace {

class GaussianNoise final : public Step {
 public:
  explicit GaussianNoise(const Parameters& parameters)
      : budget_(parameters), unit_(static_cast<Unit>(parameters.choice("unit", unit_names()))) {}

  bool by_cell() const override { return true; }

  Guarantee guarantee(const Draft& draft) const override {
    return gaussian_guarantee(draft.reach(), unit_, budget_.rho, budget_.delta);
  }

  std::optional<Noise> noise(const Draft& draft) const override {
    const double deviation = deviation_of(draft);
    const NoiseLaw law = normal_law(deviation, 1);
    return Noise{fmt::format("normal noise of standard deviation {:.6g} on every count", deviation), law.deviation,
                 law.absolute_error, std::nullopt, law.half_width};
  }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    CountMatrix counts = draft.counts();
    const double deviation = deviation_of(draft);
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      const auto bits = source.stream(roi);
      for (double& count : counts.series(roi)) count += source.gaussian(*bits, deviation, 1);
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  // Counts that change by 1 each are the root of their number away.
  double deviation_of(const Draft& draft) const { return std::sqrt(draft.reach().cells(unit_) / (2 * budget_.rho)); }

  GaussianBudget budget_;
  Unit unit_;
};

}  // namespace

extern const StepEntry gaussian_step;
const StepEntry gaussian_step = {
    .info =
        {.position = 21,
         .name = "GAUSSIAN",
         .summary = "Adds normal noise to every count, as much as hides the unit.",
         .explanation =
             "Normal noise of variance n / (2 rho) on every count, n the largest number of counts that the unit can "
             "change (see LAPLACE): rho-zCDP. Epsilon and delta follow from rho, or rho from them: the best of what "
             "all orders say. Its noise grows with the root of what a person can change. All noise is discrete, "
             "with the same rho.",
         .parameters = GaussianBudget::parameters(),
         .citation =
             "Bun, Steinke: Concentrated Differential Privacy. TCC 2016. Canonne, Kamath, Steinke: The Discrete "
             "Gaussian for Differential Privacy. NeurIPS 2020."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<GaussianNoise>(parameters);
    },
};

}  // namespace hearsay::release
