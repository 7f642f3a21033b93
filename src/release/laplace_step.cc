// SPDX-License-Identifier: Apache-2.0
#include "release/noise_law.h"
#include "release/step.h"

namespace hearsay::release {
namespace {

class LaplaceNoise final : public Step {
 public:
  explicit LaplaceNoise(const Parameters& parameters)
      : epsilon_(given_epsilon(parameters)), unit_(static_cast<Unit>(parameters.choice("unit", unit_names()))) {}

  bool by_cell() const override { return true; }

  Guarantee guarantee(const Draft& draft) const override { return laplace_guarantee(draft.reach(), unit_, epsilon_); }

  std::optional<Noise> noise(const Draft& draft) const override {
    return geometric_noise(draft.reach().cells(unit_), epsilon_);
  }

  void describe(const Draft& draft, Rule& rule) const override {
    const Noise added = geometric_noise(draft.reach().cells(unit_), epsilon_);
    rule.scale = rule.exact ? *added.scale : 0;
    rule.exact = false;
    rule.variance += added.deviation * added.deviation;
  }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    CountMatrix counts = draft.counts();
    const double hidden = draft.reach().cells(unit_);
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      const auto bits = source.stream(roi);
      for (double& count : counts.series(roi)) count += source.noise(*bits, hidden, epsilon_, 1);
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  double epsilon_;
  Unit unit_;
};

}  // namespace

extern const StepEntry laplace_step;
const StepEntry laplace_step = {
    .info =
        {.position = 20,
         .name = "LAPLACE",
         .summary = "Adds Laplace noise to every count, as much as hides the unit.",
         .explanation =
             "Laplace noise of scale n / epsilon on every count, n the largest number of counts that the unit can "
             "change: of one event 1, of a user in one ROI the epochs, of a user in one epoch, day or week or a whole "
             "user the places times the epochs, or what BOUND leaves of them. All noise is discrete.",
         .parameters = {epsilon_parameter(), unit_parameter("user")},
         .citation = "Dwork, McSherry, Nissim, Smith: Calibrating Noise to Sensitivity in Private Data Analysis. TCC "
                     "2006. Ghosh, Roughgarden, Sundararajan: Universally Utility-Maximizing Privacy Mechanisms. STOC "
                     "2009."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<LaplaceNoise>(parameters);
    },
};

}  // namespace hearsay::release
