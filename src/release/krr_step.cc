// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "release/step.h"

namespace hearsay::release {
namespace {

// Each user reports one ROI an epoch: with probability 1 - p a true one, else any of all ROIs alike.
class RandomizedResponse final : public Step {
 public:
  explicit RandomizedResponse(const Parameters& parameters) : p_(parameters.fraction("p")) {}

  bool needs_visits() const override { return true; }

  Guarantee guarantee(const Draft& draft) const override {
    const auto rois = static_cast<double>(draft.counts().rois());
    const double epsilon = std::log((rois - (rois - 1) * p_) / p_);
    if (!draft.population()) {
      return {std::nullopt, "none",
              fmt::format("Every count contains the number of people, which is read off the data. With a population "
                          "declared in advance (data.population) epsilon is {:.4g} for a user in one epoch.",
                          epsilon),
              std::nullopt};
    }
    return {epsilon, "a user in one epoch",
            fmt::format("Over all {} epochs a user has epsilon {:.4g}.", draft.counts().epochs(),
                        epsilon * static_cast<double>(draft.counts().epochs())),
            epsilon};
  }

  // Of an empty place: what people elsewhere report there by chance.
  std::optional<Noise> noise(const Draft& draft) const override {
    if (!draft.population()) return std::nullopt;
    const double chance = p_ / static_cast<double>(draft.counts().rois());
    const double deviation = std::sqrt(static_cast<double>(*draft.population()) * chance * (1 - chance)) / (1 - p_);
    return Noise{fmt::format("random answers of {} people, with standard deviation {:.4g} at an empty place",
                             *draft.population(), deviation),
                 deviation, deviation * std::sqrt(2 / std::numbers::pi), std::nullopt};
  }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    CountMatrix counts(draft.counts().rois(), draft.counts().epochs());
    const std::size_t rois = counts.rois();
    const auto people = static_cast<double>(draft.people());
    std::vector<std::uint64_t> reported(rois);
    for (std::size_t e = 0; e < counts.epochs(); ++e) {
      const auto bits = source.stream(kWholeRelease - e);
      draw_truths(draft.visits().at(static_cast<EpochId>(e)), draft.people(), *bits, reported);
      std::uint64_t anywhere = 0;
      for (std::uint64_t& count : reported) {
        const std::uint64_t moved = binomial(*bits, source, count, p_);
        count -= moved;
        anywhere += moved;
      }
      for (std::size_t roi = 0; roi < rois; ++roi) {
        const std::uint64_t here =
            roi + 1 == rois ? anywhere : binomial(*bits, source, anywhere, 1.0 / static_cast<double>(rois - roi));
        anywhere -= here;
        counts.series(roi)[e] =
            (static_cast<double>(reported[roi] + here) - people * p_ / static_cast<double>(rois)) / (1 - p_);
      }
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  // One true ROI a user, at random where there are several.
  static void draw_truths(const dataset::EpochVisits& epoch, std::size_t people, RandomBits& bits,
                          std::vector<std::uint64_t>& truths) {
    truths.assign(truths.size(), 0);
    truths.back() = people - epoch.users.size();
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      const auto rois = epoch.rois_of(row);
      ++truths[index_of(rois.size() == 1 ? rois[0] : rois[bits.below(rois.size())])];
    }
  }

  double p_;
};

}  // namespace

extern const StepEntry krr_step;
const StepEntry krr_step = {
    .info =
        {.position = 4,
         .name = "KRR",
         .summary = "Every person reports one place an epoch, with probability p a random one.",
         .explanation =
             "k-ary randomized response: each user and epoch reports one ROI (null is one; one of several is chosen "
             "at random): a true one with probability 1 - p, else any of all |S| alike. The count is estimated as "
             "(reports - N p / |S|) / (1 - p). Epsilon is ln((|S| - (|S| - 1) p) / p) for a user in one epoch: the "
             "formula the paper prints for SpotMe. A user in several ROIs in an epoch is counted in one of them. N is "
             "the population declared in data.population, those not seen being in null; without it N is read off the "
             "data, and nothing is promised.",
         .parameters = {{"p", "", "above 0 and below 1; larger hides more"}},
         .citation = "Kairouz, Oh, Viswanath: Extremal Mechanisms for Local Differential Privacy. NeurIPS 2014."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<RandomizedResponse>(parameters);
    },
};

}  // namespace hearsay::release
