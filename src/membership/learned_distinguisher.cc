// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/logistic_regression.h"
#include "membership/distinguisher.h"

namespace hearsay::membership {
namespace {

constexpr std::size_t kStatistics = 7;
constexpr std::size_t kSmall = 256;

using Statistics = std::array<double, kStatistics>;  // variance, minimum, maximum, median, mean, deviation, sum

// The number of times each whole number below kSmall occurs; false where other counts do.
bool tally(std::span<const double> counts, std::array<std::uint32_t, kSmall>& times) {
  for (const double count : counts) {
    if (!(count >= 0 && count < kSmall)) return false;
    const auto whole = static_cast<std::uint32_t>(count);
    if (whole != count) return false;
    ++times[whole];
  }
  return true;
}

// Most counts are whole and small: a third of the time of sums and a selection.
Statistics statistics_of(const std::array<std::uint32_t, kSmall>& times, std::size_t number) {
  std::size_t value = 0;
  while (times[value] == 0) ++value;
  const std::size_t least = value;
  std::size_t seen = 0;
  std::size_t sum = 0;
  std::size_t squares = 0;
  std::size_t middle = 0;  // twice the median
  for (; seen < number; ++value) {
    const std::size_t before = seen;
    seen += times[value];
    sum += times[value] * value;
    squares += times[value] * value * value;
    for (const std::size_t half : {(number - 1) / 2, number / 2}) middle += before <= half && half < seen ? value : 0;
  }
  const auto n = static_cast<double>(number);
  const double variance = static_cast<double>(number * squares - sum * sum) / (n * n);
  const auto total = static_cast<double>(sum);
  return {variance,
          static_cast<double>(least),
          static_cast<double>(value - 1),
          static_cast<double>(middle) / 2,
          total / n,
          std::sqrt(variance),
          total};
}

Statistics statistics_of(std::span<double> counts) {
  std::sort(counts.begin(), counts.end());
  const auto n = static_cast<double>(counts.size());
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double mean = sum / n;
  double squares = 0;
  for (const double count : counts) squares += (count - mean) * (count - mean);
  const double median = (counts[(counts.size() - 1) / 2] + counts[counts.size() / 2]) / 2;
  return {squares / n, counts.front(), counts.back(), median, mean, std::sqrt(squares / n), sum};
}

// Of the counts of one place over time, which may be left in another order.
void statistics(std::span<double> counts, std::span<double> features) {
  std::array<std::uint32_t, kSmall> times = {};
  const Statistics all = tally(counts, times) ? statistics_of(times, counts.size()) : statistics_of(counts);
  std::copy(all.begin(), all.end(), features.begin());
}

// Of all places, in the epochs known of a target.
class Features {
 public:
  Features(const Grid& grid, const Target& target) : grid_(grid), known_(target.known.begin(), target.known.end()) {
    for (std::uint32_t epoch = 0; epoch < grid_.epochs; ++epoch) {
      if (target.knows(epoch)) epochs_.push_back(epoch);
    }
  }
  bool fit(const Target& target) const { return std::ranges::equal(known_, target.known); }
  std::size_t size() const { return grid_.places * kStatistics; }
  // Of one place, `changed` are those of its cells that differ.
  void of_place(std::span<const double> counts, std::size_t place, std::span<const Changed> changed,
                std::vector<double>& work, std::span<double> features) const {
    const std::span<const double> series = counts.subspan(place * grid_.epochs, grid_.epochs);
    work.resize(epochs_.size());
    for (std::size_t i = 0; i < epochs_.size(); ++i) work[i] = series[epochs_[i]];
    for (const Changed& one : changed) {
      const auto found = std::lower_bound(epochs_.begin(), epochs_.end(), one.cell % grid_.epochs);
      if (found != epochs_.end() && *found == one.cell % grid_.epochs) work[found - epochs_.begin()] = one.count;
    }
    for (double& count : work) count = std::isnan(count) ? 0 : count;
    if (!work.empty()) statistics(work, features);
  }

  void of_all(std::span<const double> counts, std::vector<double>& work, std::span<double> features) const {
    for (std::size_t place = 0; place < grid_.places; ++place) {
      of_place(counts, place, {}, work, features.subspan(place * kStatistics, kStatistics));
    }
  }

 private:
  Grid grid_;
  std::vector<std::uint8_t> known_;
  std::vector<std::uint32_t> epochs_;
};

struct Weights final : Lesson {
  explicit Weights(LinearModel fitted) : model(std::move(fitted)) {}
  LinearModel model;
};

class LearnedReader final : public Reader {
 public:
  explicit LearnedReader(const Grid& grid) : grid_(grid), features_(grid, {}), values_(features_.size()) {}

  void open(std::span<const double> counts) override {
    counts_ = counts;
    changed_ = {};
    ready_ = false;
  }

  void change(std::span<const Changed> changed) override { changed_ = changed; }

  // The same order of sums whatever is changed, so that the score is that of the changed counts to the bit.
  double score(Target target, const Lesson* lesson) override {
    prepare(target);
    const LinearModel& model = static_cast<const Weights*>(lesson)->model;
    double score = model.intercept;
    auto next = changed_.begin();
    for (std::size_t place = 0; place < grid_.places; ++place) {
      const auto begin = next;
      while (next != changed_.end() && next->cell < (place + 1) * grid_.epochs) ++next;
      const double* features = &values_[place * kStatistics];
      if (begin != next) {
        features_.of_place(counts_, place, {begin, next}, work_, here_);
        features = here_.data();
      }
      for (std::size_t i = 0; i < kStatistics; ++i) score += model.weights[place * kStatistics + i] * features[i];
    }
    return score;
  }

 private:
  // Targets of whom the same epochs are known share the features of a group.
  void prepare(const Target& target) {
    if (ready_ && features_.fit(target)) return;
    if (!features_.fit(target)) features_ = Features(grid_, target);
    std::fill(values_.begin(), values_.end(), 0.0);
    features_.of_all(counts_, work_, values_);
    ready_ = true;
  }

  Grid grid_;
  Features features_;
  std::span<const double> counts_;
  std::span<const Changed> changed_;
  bool ready_ = false;
  std::vector<double> values_;
  std::array<double, kStatistics> here_ = {};
  std::vector<double> work_;
};

class LearnedDistinguisher final : public Distinguisher {
 public:
  LearnedDistinguisher(const Question& question, const Parameters& parameters)
      : grid_(question.grid), cost_(parameters.positive("cost")) {}

  std::unique_ptr<Reader> reader() const override { return std::make_unique<LearnedReader>(grid_); }

  std::unique_ptr<Lesson> learn(Target target, const Practice& practice) const override {
    const Features features(grid_, target);
    const std::size_t groups = practice.groups();
    if (groups == 0) return std::make_unique<Weights>(LinearModel{std::vector<double>(features.size()), 0});
    std::vector<double> rows(2 * groups * features.size());
    std::vector<std::uint8_t> labels;
    std::vector<double> counts(grid_.cells());
    std::vector<double> work;
    for (std::size_t row = 0; row < 2 * groups; ++row) {
      const bool with_target = row % 2 == 0;
      practice.group(row / 2, with_target, counts);
      features.of_all(counts, work, std::span(rows).subspan(row * features.size(), features.size()));
      labels.push_back(with_target ? 1 : 0);
    }
    return std::make_unique<Weights>(fit_logistic(rows, labels, Penalty::kSquare, cost_));
  }

 private:
  Grid grid_;
  double cost_;
};

}  // namespace

extern const DistinguisherEntry learned_distinguisher;
const DistinguisherEntry learned_distinguisher = {
    .info =
        {.position = 3,
         .name = "LEARNED",
         .summary = "She learns the look of groups with and without the target from groups that she knows.",
         .explanation =
             "Variance, minimum, maximum, median, mean, standard deviation and sum of the counts of each place over "
             "time, standardised over the groups she practises on, which are made of people she knows or are past "
             "ones; logistic regression with an L2 penalty (liblinear). The score is its decision value. A count "
             "that is missing is 0.",
         .parameters = {{"cost", "1", "above 0; smaller keeps the weights nearer to 0"}},
         .citation = "Pyrgelis, Troncoso, De Cristofaro: Knock Knock, Who's There? Membership Inference on "
                     "Aggregate Location Data. NDSS 2018."},
    .needs_groups = true,
    .takes_noise = true,
    .make = [](const Question& question, const Parameters& parameters) -> std::unique_ptr<Distinguisher> {
      return std::make_unique<LearnedDistinguisher>(question, parameters);
    },
};

}  // namespace hearsay::membership
