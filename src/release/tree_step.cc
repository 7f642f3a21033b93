// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "release/gaussian_budget.h"
#include "release/noise_law.h"
#include "release/step.h"
#include "release/time_tree.h"

namespace hearsay::release {
namespace {

class TreeNoise final : public Step {
 public:
  explicit TreeNoise(const Parameters& parameters) : unit_(static_cast<Unit>(parameters.choice("unit", unit_names()))) {
    if (parameters.choice("noise", {"laplace", "gaussian"}) == 1) {
      budget_.emplace(parameters);
      return;
    }
    if (parameters.has("rho")) parameters.fail("rho", "is what normal noise may spend: give noise=gaussian");
    epsilon_ = given_epsilon(parameters);
  }

  bool by_place() const override { return true; }

  Guarantee guarantee(const Draft& draft) const override {
    const Reach& reach = draft.reach();
    // A count is in as many sums as there are levels, null's too: what units mean to each other is as for counts.
    if (!budget_) return laplace_guarantee(reach, unit_, epsilon_);
    const TimeTree tree(draft.counts().epochs());
    const double null_cells = reach.null_cells(unit_);
    return gaussian_guarantee(
        unit_, budget_->rho, budget_->delta, [&](Unit any) { return squares(tree, reach, any); },
        tree.squares(null_cells, null_cells));
  }

  std::optional<Noise> noise(const Draft& draft) const override {
    const TimeTree tree(draft.counts().epochs());
    const double size = size_of(draft, tree);
    const NoiseLaw law = budget_ ? normal_law(size, 1) : geometric_law(hidden(draft, tree), epsilon_, 1);
    const double unit_deviation = law.deviation;
    double variance = 0;
    double deviation = 0;
    double largest = 0;
    for (const double of_epoch : tree.variances()) {
      variance += of_epoch;
      deviation += std::sqrt(of_epoch);
      largest = std::max(largest, of_epoch);
    }
    const auto epochs = static_cast<double>(draft.counts().epochs());
    // Laplace noise is normal noise of a random variance: a sum of it is off by no more than normal noise of the same
    // variance, and with weights as even as here by little less. One epoch has a single number.
    const double absolute =
        tree.nodes() == 1 ? law.absolute_error : std::sqrt(2 / std::numbers::pi) * unit_deviation * deviation / epochs;
    const double a_count = unit_deviation * std::sqrt(variance / epochs);
    return Noise{fmt::format("{} {:.6g} on {} sums over time of each place, with standard deviation {:.4g} on every "
                             "count",
                             budget_ ? "normal noise of standard deviation" : "Laplace noise of scale", size,
                             tree.nodes(), a_count),
                 a_count, absolute, std::nullopt,
                 budget_ ? std::optional(half_width_of_sum(size, size * std::sqrt(largest))) : std::nullopt};
  }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    CountMatrix counts = draft.counts();
    const TimeTree tree(counts.epochs());
    const double size = size_of(draft, tree);
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      const auto bits = source.stream(roi);
      std::vector<double> sums = tree.sums(counts.series(roi));
      for (double& sum : sums) {
        sum += budget_ ? source.gaussian(*bits, size, 1) : source.noise(*bits, hidden(draft, tree), epsilon_, 1);
      }
      tree.fit(sums, counts.series(roi));
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  static double squares(const TimeTree& tree, const Reach& reach, Unit unit) {
    return tree.squares(reach.cells(unit), reach.cells_of_a_place(unit));
  }

  // Of the noise on every sum: the deviation of normal noise, the scale of Laplace noise.
  double size_of(const Draft& draft, const TimeTree& tree) const {
    if (budget_) return std::sqrt(squares(tree, draft.reach(), unit_) / (2 * budget_->rho));
    return hidden(draft, tree) / epsilon_;
  }
  // How far the unit moves the sums, added up.
  double hidden(const Draft& draft, const TimeTree& tree) const {
    return draft.reach().cells(unit_) * static_cast<double>(tree.levels());
  }

  Unit unit_;
  double epsilon_ = 0;
  std::optional<GaussianBudget> budget_;  // of normal noise
};

std::vector<ParameterInfo> tree_parameters() {
  std::vector<ParameterInfo> list = {{"noise", "laplace", "laplace or gaussian"}};
  for (ParameterInfo& parameter : GaussianBudget::parameters()) {
    if (parameter.name == "rho" || parameter.name == "delta") parameter.summary += "; with noise=gaussian";
    list.push_back(std::move(parameter));
  }
  return list;
}

}  // namespace

extern const StepEntry tree_step;
const StepEntry tree_step = {
    .info =
        {.position = 22,
         .name = "TREE",
         .summary = "Adds noise to sums over 1, 2, 4, 8... epochs of each place, so that sums over time are near.",
         .explanation =
             "A binary tree over the epochs of each place: noise on the sum of every block of 1, 2, 4... epochs up to "
             "that of all, then the counts whose sums are nearest to the noisy ones in squares. A count is in one sum "
             "a level, so that a single count is noisier than of LAPLACE or GAUSSIAN; the error of a sum over a "
             "stretch of time grows with the logarithm of its length instead of with its root. It pays for long "
             "stretches, where the unit changes few counts of a place. Laplace noise of scale n l / epsilon, n the "
             "counts that the unit can change and l the levels; or normal noise for the largest sum of squares by "
             "which the sums can change, which is rho-zCDP. All noise is discrete.",
         .parameters = tree_parameters(),
         .citation =
             "Hay, Rastogi, Miklau, Suciu: Boosting the Accuracy of Differentially Private Histograms Through "
             "Consistency. VLDB 2010. Dwork, Naor, Pitassi, Rothblum: Differential Privacy under Continual "
             "Observation. STOC 2010. Chan, Shi, Song: Private and Continual Release of Statistics. TISSEC 2011."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<TreeNoise>(parameters);
    },
};

}  // namespace hearsay::release
