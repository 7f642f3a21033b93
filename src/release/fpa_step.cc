// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base/errors.h"
#include "release/fourier.h"
#include "release/noise_law.h"
#include "release/step.h"

namespace hearsay::release {
namespace {

class FourierMechanism final : public Step {
 public:
  explicit FourierMechanism(const Parameters& parameters)
      : parameters_(parameters), epsilon_(given_epsilon(parameters)) {
    if (parameters.has("form")) {
      const std::string& form = parameters.text("form");
      if (form != "paper" && form != "sound") parameters.fail("form", "must be paper or sound");
      sound_ = form == "sound";
    }
    search_ = parameters.text("k") == "best";
    if (!search_) k_ = parameters.whole("k");
    if (!search_ && k_ == 0) parameters.fail("k", "must be at least 1, or best");
  }

  void check(const Shape& shape) const override {
    if (search_ || !shape.epochs) return;
    const std::size_t epochs = *shape.epochs;
    if (k_ > largest(epochs)) {
      parameters_.fail("k", "must be at most " + std::to_string(largest(epochs)) + " for " + std::to_string(epochs) +
                                " epochs" + (sound_ ? " in the sound form" : ""));
    }
  }

  Guarantee guarantee(const Draft& draft) const override {
    if (search_) return {std::nullopt, "none", "k was picked by looking at the data.", std::nullopt};
    if (!sound_) {
      return {std::nullopt, "none",
              "The paper's form: its noise is too small for the epsilon it names, as it counts neither the imaginary "
              "parts nor the length of an unnormalised transform. form=sound has a guarantee.",
              std::nullopt, Claim{epsilon_, kUnit}};
    }
    // More than epsilon where visits that were bounded before let others in elsewhere.
    const double root = std::sqrt(static_cast<double>(draft.geometry().epochs));
    const double moved = std::max(1.0, draft.reach().roots(Unit::kUserPlace) / root);
    const double null_moved = std::sqrt(draft.reach().null_cells(Unit::kUserPlace)) / root;
    return {epsilon_ * moved, kUnit, "", epsilon_ * (moved + null_moved)};
  }

  // What is kept of each series carries the noise; what is left out of it is an error of its own, which depends on the
  // counts. A cosine and its sine together weigh the same in every epoch.
  std::optional<Noise> noise(const Draft& draft) const override {
    if (search_) return std::nullopt;
    const auto n = static_cast<double>(draft.counts().epochs());
    const std::size_t numbers = sound_ ? kept_numbers(k_, draft.counts().epochs()) : 2 * k_;
    const double moved =
        sound_ ? sound_sensitivity(numbers, draft.counts().epochs(), true) : std::sqrt(static_cast<double>(k_) * n);
    const double scale = moved / epsilon_;
    const NoiseLaw law = geometric_law(moved, epsilon_, kGrid);
    const double deviation = sound_ ? law.deviation * std::sqrt(static_cast<double>(numbers) / n)
                                    : law.deviation * std::sqrt(static_cast<double>(k_)) / n;
    const double absolute = numbers == 1 ? law.absolute_error / std::sqrt(n)  // a single Laplace number
                                         : deviation * std::sqrt(2 / std::numbers::pi);
    return Noise{fmt::format("Laplace noise of scale {:.6g} on {} Fourier coefficients of each place, with standard "
                             "deviation {:.4g} on every count",
                             scale, numbers, deviation),
                 deviation, absolute, std::nullopt};
  }

  bool by_place() const override { return !search_; }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    CountMatrix counts = draft.counts();
    const std::size_t k = search_ ? best_k(counts) : k_;
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      const auto bits = source.stream(roi);
      Spectrum spectrum = transform(counts.series(roi));
      if (sound_) {
        perturb_sound(spectrum, k, *bits, source);
      } else {
        perturb_as_printed(spectrum, k, *bits, source);
      }
      inverse(spectrum, counts.series(roi));
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  std::size_t largest(std::size_t epochs) const { return sound_ ? epochs / 2 + 1 : epochs; }

  void perturb_as_printed(Spectrum& spectrum, std::size_t k, RandomBits& bits, const NoiseSource& source) const {
    const double sensitivity = std::sqrt(static_cast<double>(k * spectrum.size()));
    for (std::size_t j = 0; j < spectrum.size(); ++j) {
      if (j >= k) {
        spectrum[j] = 0;
        continue;
      }
      const double real = source.noise(bits, sensitivity, epsilon_, kGrid);
      const double imaginary = source.noise(bits, sensitivity, epsilon_, kGrid);
      spectrum[j] += std::complex<double>(real, imaginary);
    }
  }

  // In an orthonormal real basis, a user in one ROI moves the series by at most sqrt(T') in the 2-norm and so n
  // coefficients by at most sqrt(n T') in the 1-norm. Rounding to a grid moves each by one step more.
  static double sound_sensitivity(std::size_t numbers, std::size_t epochs, bool rounded) {
    return std::sqrt(static_cast<double>(numbers * epochs)) + (rounded ? static_cast<double>(numbers) * kGrid : 0);
  }

  void perturb_sound(Spectrum& spectrum, std::size_t k, RandomBits& bits, const NoiseSource& source) const {
    const std::size_t n = spectrum.size();
    const std::size_t numbers = kept_numbers(k, n);
    const double sensitivity = sound_sensitivity(numbers, n, source.discrete());
    replace_kept(spectrum, k, [&](double coefficient) {
      if (source.discrete()) coefficient = std::round(coefficient / kGrid) * kGrid;
      return coefficient + source.noise(bits, sensitivity, epsilon_, kGrid);
    });
  }

  // The k with least expected squared error, of what is left out and of the noise, summed over all ROIs.
  std::size_t best_k(const CountMatrix& counts) const {
    const std::size_t n = counts.epochs();
    std::vector<double> power(n);
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      const Spectrum spectrum = transform(counts.series(roi));
      for (std::size_t j = 0; j < n; ++j) power[j] += std::norm(spectrum[j]);
    }
    std::size_t best = 1;
    double least = std::numeric_limits<double>::infinity();
    std::size_t numbers = 0;
    for (std::size_t k = 1; k <= largest(n); ++k) {
      numbers += real_parts(k - 1, n);
      const double noise = 2 / (epsilon_ * epsilon_) * static_cast<double>(counts.rois()) *
                           (sound_ ? static_cast<double>(numbers * numbers * n) : static_cast<double>(k * k));
      double lost = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t mirror = (n - j) % n;
        const int kept = sound_ ? (std::min(j, mirror) < k ? 2 : 0) : (j < k ? 1 : 0) + (mirror < k ? 1 : 0);
        const double share = 1 - kept / 2.0;  // of the amplitude that is lost
        lost += power[j] * share * share;
      }
      const double error = lost / static_cast<double>(n) + noise;
      if (error < least) {
        least = error;
        best = k;
      }
    }
    return best;
  }

  static constexpr double kGrid = 0x1p-6;
  static constexpr const char* kUnit = "a user in one ROI";

  Parameters parameters_;
  double epsilon_;
  bool sound_ = false;
  bool search_ = false;
  std::size_t k_ = 0;
};

}  // namespace

extern const StepEntry fpa_step;
const StepEntry fpa_step = {
    .info =
        {.position = 2,
         .name = "FPA",
         .summary = "Keeps the slow rhythms of each place's series and adds noise to those alone.",
         .explanation =
             "Fourier Perturbation Algorithm. form=paper is what the paper ran: the first k coefficients of the "
             "complex transform, Laplace noise of scale sqrt(k T') / epsilon on real and imaginary parts, the real "
             "part of the inverse; without their conjugates the signal is halved, and no epsilon can be claimed. "
             "form=sound keeps conjugates, works in an orthonormal basis and counts every real number it publishes. "
             "k=best looks at the data for the k with least error, which is not private.",
         .parameters = {with_choices({"form", "paper", "paper or sound"}, {"paper", "sound"}),
                        {"k", "", "coefficients kept, or best"},
                        epsilon_parameter()},
         .citation = "Rastogi, Nath: Differentially Private Aggregation of Distributed Time-Series with "
                     "Transformation and Encryption. SIGMOD 2010."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<FourierMechanism>(parameters);
    },
};

}  // namespace hearsay::release
