// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <numbers>

#include "release/fourier.h"
#include "release/step.h"

namespace hearsay::release {
namespace {

class EnhancedFourier final : public Step {
 public:
  explicit EnhancedFourier(const Parameters& parameters)
      : epsilon_(given_epsilon(parameters)), unit_(static_cast<Unit>(parameters.choice("unit", unit_names()))) {}

  Guarantee guarantee(const Draft& draft) const override {
    const Measure measure(draft, unit_);
    Guarantee guarantee{epsilon_, name_of(unit_), "", std::nullopt};
    guarantee.epsilon_with_null =
        epsilon_ * (1 + (std::sqrt(draft.reach().null_cells(unit_)) + measure.rounding) / measure.moved);
    for (std::size_t u = 0; u < unit_names().size(); ++u) {
      const auto other = static_cast<Unit>(u);
      if (other == unit_) continue;
      const double moved = draft.reach().roots(other) + draft.reach().places(other) * measure.rounding;
      guarantee.others.push_back({epsilon_ * moved / measure.moved, name_of(other), 0});
    }
    return guarantee;
  }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    CountMatrix counts = draft.counts();
    const Measure measure(draft, unit_);
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      const auto bits = source.stream(roi);
      Spectrum spectrum = transform(counts.series(roi));
      const bool single = spectrum.size() == 1;  // a number, and nothing to choose
      const std::size_t k = single ? 1 : chosen(spectrum, measure, *bits, source);
      const double left = single ? epsilon_ : half();
      const auto numbers = static_cast<double>(kept_numbers(k, spectrum.size()));
      // In the 1-norm, n numbers move by at most root n of what they move by in the 2-norm.
      replace_kept(spectrum, k, [&](double number) {
        return measure.rounded(number) + source.noise(*bits, std::sqrt(numbers) * measure.moved, left, measure.grid);
      });
      inverse(spectrum, counts.series(roi));
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  // What a unit does to the series of places, in the sum over places of the 2-norm.
  struct Measure {
    // What is published is rounded to a grid so fine that noise is within the range of exact integers, and hardly
    // matters. Rounding can add a step to the difference of each of up to n numbers, of which the 2-norm is root n
    // steps; another step stands for what floating point is off before.
    Measure(const Draft& draft, Unit unit) {
      const double root = std::sqrt(static_cast<double>(draft.counts().epochs()));
      const double exact = draft.reach().roots(unit);
      grid = std::exp2(std::ceil(std::log2(root * exact)) - 22);
      rounding = 2 * root * grid;
      moved = exact + draft.reach().places(unit) * rounding;
    }
    double rounded(double number) const { return std::round(number / grid) * grid; }

    double grid;
    double rounding;  // what it adds at a place
    double moved;
  };

  double half() const { return epsilon_ / 2; }

  // The k with the least error, with noise on each error: what it leaves out, which a unit changes by no more than it
  // moves the series, and the root of the expected square of the noise to come.
  std::size_t chosen(const Spectrum& spectrum, const Measure& measure, RandomBits& bits,
                     const NoiseSource& source) const {
    const std::vector<double> norms = left_out(spectrum);
    std::size_t best = 1;
    double least = std::numeric_limits<double>::infinity();
    double numbers = 0;
    for (std::size_t k = 1; k < norms.size(); ++k) {
      numbers += static_cast<double>(real_parts(k - 1, spectrum.size()));
      const double to_come = std::numbers::sqrt2 * numbers * measure.moved / half();
      const double error =
          measure.rounded(norms[k] + to_come) + source.noise(bits, 2 * measure.moved, half(), measure.grid);
      if (error < least) {
        least = error;
        best = k;
      }
    }
    return best;
  }

  double epsilon_;
  Unit unit_;
};

}  // namespace

extern const StepEntry efpa_step;
const StepEntry efpa_step = {
    .info =
        {.position = 24,
         .name = "EFPA",
         .summary = "Keeps as many slow rhythms of each place's series as are worth their noise.",
         .explanation =
             "Enhanced Fourier Perturbation Algorithm, in an orthonormal basis of cosines and sines as FPA with "
             "form=sound. Half of epsilon chooses, for each place by itself, how many coefficients k to keep: the k "
             "with the least of what is left out plus the noise to come (both in the 2-norm), each with Laplace noise "
             "of scale 4 r / epsilon added. The other half adds Laplace noise of scale 2 r sqrt(n) / epsilon to the n "
             "real numbers that k stands for. r is the most that the unit can move the series of all places, the sum "
             "over places of the root of the counts that change there. The authors choose k by the exponential "
             "mechanism; the least of noisy errors promises the same, and can be drawn exactly: errors and "
             "coefficients are rounded to a grid, in studies too, and all noise is discrete.",
         .parameters = {epsilon_parameter(), unit_parameter("user_place")},
         .citation = "Acs, Castelluccia, Chen: Differentially Private Histogram Publishing through Lossy Compression. "
                     "ICDM 2012. Dwork, Roth: The Algorithmic Foundations of Differential Privacy, 2014, section 3.3 "
                     "(the largest of noisy scores)."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<EnhancedFourier>(parameters);
    },
};

}  // namespace hearsay::release
