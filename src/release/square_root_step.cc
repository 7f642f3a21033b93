// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "release/gaussian_budget.h"
#include "release/noise_law.h"
#include "release/square_root.h"
#include "release/step.h"

namespace hearsay::release {
namespace {

class SquareRootNoise final : public Step {
 public:
  explicit SquareRootNoise(const Parameters& parameters)
      : budget_(parameters), unit_(static_cast<Unit>(parameters.choice("unit", unit_names()))) {}

  bool by_place() const override { return true; }

  Guarantee guarantee(const Draft& draft) const override {
    const SquareRoot root(draft.counts().epochs());
    const double grid = grid_of(draft, root);
    const double null_cells = draft.reach().null_cells(unit_);
    return gaussian_guarantee(
        unit_, budget_.rho, budget_.delta, [&](Unit any) { return squares(draft, root, any, grid); },
        rounded(root.squares(null_cells, null_cells, 1), draft, 1, grid));
  }

  std::optional<Noise> noise(const Draft& draft) const override {
    const SquareRoot root(draft.counts().epochs());
    const double deviation = deviation_of(draft, root, grid_of(draft, root));
    double variance = 0;
    double absolute = 0;
    double largest = 0;
    for (const double of_epoch : root.variances()) {
      variance += of_epoch;
      absolute += std::sqrt(of_epoch);
      largest = std::max(largest, of_epoch);
    }
    const auto epochs = static_cast<double>(draft.counts().epochs());
    const double a_count = deviation * std::sqrt(variance / epochs);
    return Noise{fmt::format("normal noise of standard deviation {:.6g} on the square root of running sums of each "
                             "place, with standard deviation {:.4g} on every count",
                             deviation, a_count),
                 a_count, deviation * std::sqrt(2 / std::numbers::pi) * absolute / epochs, std::nullopt,
                 half_width_of_sum(deviation / grid_of(draft, root), deviation * std::sqrt(largest))};
  }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    CountMatrix counts = draft.counts();
    const SquareRoot root(counts.epochs());
    const double grid = grid_of(draft, root);
    const double deviation = deviation_of(draft, root, grid);
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      const auto bits = source.stream(roi);
      std::vector<double> product = root.times(counts.series(roi));
      for (double& number : product) {
        number = std::round(number / grid) * grid + source.gaussian(*bits, deviation, grid);
      }
      root.solve(product, counts.series(roi));
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  static double exact_squares(const Draft& draft, const SquareRoot& root, Unit unit) {
    const Reach& reach = draft.reach();
    return root.squares(reach.cells(unit), reach.cells_of_a_place(unit), reach.places(unit));
  }

  // A power of 2, so fine beside the noise that rounding to it hardly matters, and so coarse that discrete noise can be
  // drawn in steps of it and floating point is exact enough.
  double grid_of(const Draft& draft, const SquareRoot& root) const {
    const double deviation = std::sqrt(exact_squares(draft, root, unit_) / (2 * budget_.rho));
    return std::max(0x1p-24, std::exp2(std::floor(std::log2(deviation)) - 16));
  }

  // With what rounding can add: a step to the difference of each number of a place that changes, and another for what
  // floating point is off before.
  static double rounded(double squares, const Draft& draft, double places, double grid) {
    const auto epochs = static_cast<double>(draft.counts().epochs());
    const double distance = std::sqrt(squares) + 2 * grid * std::sqrt(epochs * places);
    return distance * distance;
  }

  static double squares(const Draft& draft, const SquareRoot& root, Unit unit, double grid) {
    return rounded(exact_squares(draft, root, unit), draft, draft.reach().places(unit), grid);
  }

  double deviation_of(const Draft& draft, const SquareRoot& root, double grid) const {
    return std::sqrt(squares(draft, root, unit_, grid) / (2 * budget_.rho));
  }

  GaussianBudget budget_;
  Unit unit_;
};

}  // namespace

extern const StepEntry square_root_step;
const StepEntry square_root_step = {
    .info =
        {.position = 23,
         .name = "SQUARE_ROOT",
         .summary = "Adds normal noise to each place's series so that sums up to any epoch are near.",
         .explanation =
             "Running sums are R R x, x the counts of a place and R triangular with 1, 1/2, 3/8... below its diagonal. "
             "Normal noise z is added to R x, which a count moves by little, and what is published is the x of R x + "
             "z: its running sums have noise R z, its counts noise that undoes itself from epoch to epoch. Variance q "
             "/ (2 rho), q the largest square of the 2-norm by which the unit can move R x: the counts it changes "
             "times the largest sum of as many entries of a row of R'R as it changes at a place, or all of R'R for "
             "each place where that is less. R x is rounded to a grid, in studies too, and q enlarged for it; "
             "all noise is discrete. It pays for long stretches, where the unit changes few counts of a place.",
         .parameters = GaussianBudget::parameters(),
         .citation = "Fichtenberger, Henzinger, Upadhyay: Constant Matters: Fine-grained Error Bound on Differentially "
                     "Private Continual Observation. ICML 2023. Henzinger, Upadhyay, Upadhyay: Almost Tight Error "
                     "Bounds on Differentially Private Continual Counting. SODA 2023."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<SquareRootNoise>(parameters);
    },
};

}  // namespace hearsay::release
