// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "release/step.h"

namespace hearsay::release {
namespace {

class SpotMeMechanism final : public Step {
 public:
  explicit SpotMeMechanism(const Parameters& parameters) : p_(parameters.fraction("p")) {}

  bool needs_visits() const override { return true; }
  bool reads_visits() const override { return false; }

  Guarantee guarantee(const Draft&) const override {
    return {std::nullopt, "none", "A \"no\" is always true, so it proves absence: no finite epsilon.", std::nullopt};
  }

  // Of an empty place: everybody may claim to be there.
  std::optional<Noise> noise(const Draft& draft) const override {
    if (!draft.population()) return std::nullopt;
    const double deviation = std::sqrt(static_cast<double>(*draft.population()) * p_ / (1 - p_));
    return Noise{fmt::format("random claims of {} people, with standard deviation {:.4g} at an empty place",
                             *draft.population(), deviation),
                 deviation, deviation * std::sqrt(2 / std::numbers::pi), std::nullopt};
  }

  // Whoever is there says yes anyway; the others with probability p. Only the total matters, so it is drawn at once.
  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    CountMatrix counts = draft.counts();
    const auto people = static_cast<double>(draft.people());
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      const auto bits = source.stream(roi);
      for (double& count : counts.series(roi)) {
        const auto absent = static_cast<std::uint64_t>(people - count);
        const double yes = count + static_cast<double>(binomial(*bits, source, absent, p_));
        count = (yes - people * p_) / (1 - p_);
      }
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  double p_;
};

}  // namespace

extern const StepEntry spotme_step;
const StepEntry spotme_step = {
    .info =
        {.position = 3,
         .name = "SPOTME",
         .summary = "Every person claims to be anywhere with probability p, and otherwise tells the truth.",
         .explanation =
             "For each user, ROI and epoch: \"yes\" with probability p, else the truth; the count is estimated as "
             "(yes - N p) / (1 - p). No epsilon is printed for it: whoever says \"no\" is certainly not there, so one "
             "answer can prove absence and the ratio that epsilon bounds is infinite. The epsilon formula the paper "
             "gives belongs to k-ary randomized response (KRR).",
         .parameters = {with_usual({"p", "", "above 0 and below 1; larger hides more"}, {0.05, 0.95})},
         .citation = "Quercia, Leontiadis, McNamara, Mascolo, Crowcroft: SpotME If You Can: Randomized Responses for "
                     "Location Obfuscation on Mobile Phones. ICDCS 2011."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<SpotMeMechanism>(parameters);
    },
};

}  // namespace hearsay::release
