// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "release/local_reports.h"

namespace hearsay::release {
namespace {

// Each user reports one ROI an epoch: with probability 1 - p a true one, else any of all ROIs alike.
class RandomizedResponse final : public LocalReports {
 public:
  explicit RandomizedResponse(const Parameters& parameters) : LocalReports(parameters), p_(parameters.fraction("p")) {}

 private:
  double epsilon(std::size_t rois) const override {
    const auto number = static_cast<double>(rois);
    return std::log((number - (number - 1) * p_) / p_);
  }

  double deviation(double people, std::size_t rois) const override {
    const double chance = p_ / static_cast<double>(rois);
    return std::sqrt(people * chance * (1 - chance)) / (1 - p_);
  }

  void estimate(std::span<const std::uint64_t> truths, std::uint64_t people, RandomBits& bits,
                const NoiseSource& source, std::span<double> estimates) const override {
    const std::size_t rois = truths.size();
    std::vector<std::uint64_t> reported(truths.begin(), truths.end());
    std::uint64_t anywhere = 0;
    for (std::uint64_t& count : reported) {
      const std::uint64_t moved = binomial(bits, source, count, p_);
      count -= moved;
      anywhere += moved;
    }
    for (std::size_t roi = 0; roi < rois; ++roi) {
      const std::uint64_t here =
          roi + 1 == rois ? anywhere : binomial(bits, source, anywhere, 1.0 / static_cast<double>(rois - roi));
      anywhere -= here;
      estimates[roi] =
          (static_cast<double>(reported[roi] + here) - static_cast<double>(people) * p_ / static_cast<double>(rois)) /
          (1 - p_);
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
         .parameters = {with_usual({"p", "", "above 0 and below 1; larger hides more"}, {0.05, 0.95}),
                        LocalReports::simplex_parameter("no")},
         .citation = "Kairouz, Oh, Viswanath: Extremal Mechanisms for Local Differential Privacy. NeurIPS 2014."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<RandomizedResponse>(parameters);
    },
};

}  // namespace hearsay::release
