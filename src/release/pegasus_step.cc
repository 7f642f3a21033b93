// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "release/step.h"

namespace hearsay::release {
namespace {

// What a published deviation is rounded to, as noise in whole steps asks for.
constexpr double kGrid = 0x1p-3;

double mean_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

// How far they are from their mean, added up. A number that moves by 1 moves the mean of n by 1 / n, and so this by at
// most 1 - 1 / n + (n - 1) / n < 2.
double deviation_of(std::span<const double> numbers) {
  const double mean = mean_of(numbers);
  return std::accumulate(numbers.begin(), numbers.end(), 0.0,
                         [&](double sum, double number) { return sum + std::fabs(number - mean); });
}

// Of numbers in ascending order.
double median_of(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// A place's counts, epoch after epoch: each gets noise (perturber), epochs that look alike make a group (grouper), and
// what is published is the middle of a group's noisy counts so far (smoother).
//
// One count moves by 1. Its noise hides that with epsilon (1 - share). The grouper asks of every epoch that follows an
// open group whether the deviation with it, noise added, is below a noisy threshold. It is in the group if so; if not,
// the group ends and the epoch is a group by itself, closed at once. So a count is asked about in one group only: the
// one that it is in, or the one that ended with it. That group's answers are those of the sparse vector technique: with
// the threshold's noise moved by D, the most a deviation moves, every "yes" before stays one; with that of the last
// deviation moved by 2 D, the "no" does. Scales of 2 D / g and 4 D / g make each cost g / 2: together g = epsilon
// share. The smoother sees nothing but noisy counts and groups. All in all epsilon; a unit that moves n counts is n
// such steps, each with noise for epsilon / n.
class Pegasus final : public Step {
 public:
  explicit Pegasus(const Parameters& parameters)
      : epsilon_(given_epsilon(parameters)),
        unit_(static_cast<Unit>(parameters.choice("unit", unit_names()))),
        theta_(parameters.positive("theta")),
        share_(parameters.fraction("share")),
        median_(parameters.choice("smoother", {"median", "average"}) == 0) {}

  bool by_place() const override { return true; }

  Guarantee guarantee(const Draft& draft) const override {
    Guarantee guarantee = laplace_guarantee(draft.reach(), unit_, epsilon_);
    if (draft.reach().cells(unit_) > 1) {
      guarantee.note = "By group privacy: noise for one count, as much more as the unit can change counts.";
    }
    return guarantee;
  }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    CountMatrix counts = draft.counts();
    const double cells = draft.reach().cells(unit_);
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      const auto bits = source.stream(roi);
      smooth(counts.series(roi), cells, *bits, source);
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  // As much time as epochs times the longest group.
  void smooth(std::span<double> series, double cells, RandomBits& bits, const NoiseSource& source) const {
    const std::vector<double> truth(series.begin(), series.end());
    const double grouping = epsilon_ * share_;
    const double moved = cells * (source.discrete() ? 2 + kGrid : 2);  // rounding may add a step
    std::size_t begin = 0;
    bool open = false;
    double threshold = 0;
    std::vector<double> group;  // noisy counts, in ascending order
    for (std::size_t t = 0; t < truth.size(); ++t) {
      // All three for every epoch, so that noise does not depend on counts.
      const double noisy = truth[t] + source.noise(bits, cells, epsilon_ - grouping, 1);
      const double threshold_noise = source.noise(bits, 2 * moved, grouping, kGrid);
      const double deviation_noise = source.noise(bits, 4 * moved, grouping, kGrid);
      const bool joins =
          open &&
          on_grid(deviation_of(std::span(truth).subspan(begin, t + 1 - begin)), source) + deviation_noise < threshold;
      if (!joins) {
        group.clear();
        begin = t;
        if (!open) threshold = on_grid(theta_ * cells / grouping, source) + threshold_noise;
        open = !open;
      }
      group.insert(std::upper_bound(group.begin(), group.end(), noisy), noisy);
      series[t] = median_ ? median_of(group) : mean_of(group);
    }
  }

  static double on_grid(double number, const NoiseSource& source) {
    return source.discrete() ? std::round(number / kGrid) * kGrid : number;
  }

  double epsilon_;
  Unit unit_;
  double theta_;
  double share_;
  bool median_;
};

}  // namespace

extern const StepEntry pegasus_step;
const StepEntry pegasus_step = {
    .info =
        {.position = 27,
         .name = "PEGASUS",
         .summary = "Adds Laplace noise to every count and evens it out over epochs in which a place stays the same.",
         .explanation =
             "Place by place and epoch by epoch: Laplace noise on the count (perturber); an epoch joins the group of "
             "those before it where the distances of their counts from their mean add up, with noise, to less than a "
             "noisy threshold, else it stands alone and the next starts another group (grouper); the median or average "
             "of the group's noisy counts so far is published (smoother). The share of epsilon goes to grouping, the "
             "rest to the counts; the threshold is theta / (epsilon share) for one event. It is proposed for one "
             "event; another unit has n times the noise and threshold, n the counts that it can change (see LAPLACE): "
             "group privacy. All noise is discrete.",
         .parameters = {epsilon_parameter(), unit_parameter("user"),
                        with_usual({"theta", "5", "above 0; larger makes longer groups"}, {1, 50}),
                        with_usual({"share", "0.2", "of epsilon, for grouping; above 0 and below 1"}, {0.05, 0.95}),
                        with_choices({"smoother", "median", "median or average"}, {"median", "average"})},
         .citation = "Chen, Machanavajjhala, Hay, Miklau: PeGaSus: Data-Adaptive Differentially Private Stream "
                     "Processing. CCS 2017."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> { return std::make_unique<Pegasus>(parameters); },
};

}  // namespace hearsay::release
