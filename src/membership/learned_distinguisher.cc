// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "membership/distinguisher.h"
#include "membership/logistic_regression.h"

namespace hearsay::membership {
namespace {

constexpr std::size_t kStatistics = 7;
constexpr std::size_t kSmall = 256;  // counts below are sorted by counting them

// The mean of the two in the middle, or the one, of sorted counts; they are left in another order. Whole and small
// ones, which most are, are counted: a third of the time of a selection.
double median(std::span<double> counts, double least, double most) {
  const std::size_t above = counts.size() / 2;
  const std::size_t below = (counts.size() - 1) / 2;
  if (least >= 0 && most < kSmall && std::all_of(counts.begin(), counts.end(), [](double count) {
        return count == static_cast<double>(static_cast<int>(count));
      })) {
    std::array<std::uint32_t, kSmall> times = {};
    for (const double count : counts) ++times[static_cast<std::size_t>(count)];
    std::size_t value = 0;
    std::size_t seen = times[0];
    while (seen <= below) seen += times[++value];
    const auto low = static_cast<double>(value);
    while (seen <= above) seen += times[++value];
    return (low + static_cast<double>(value)) / 2;
  }
  const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(above);
  std::nth_element(counts.begin(), middle, counts.end());
  return ((above == below ? *middle : *std::max_element(counts.begin(), middle)) + *middle) / 2;
}

// Variance, minimum, maximum, median, mean, standard deviation and sum of the counts of one place over time, which are
// left in another order.
void statistics(std::span<double> counts, std::span<double> features) {
  double sum = 0;
  double least = counts.front();
  double most = counts.front();
  for (const double count : counts) {
    sum += count;
    least = std::min(least, count);
    most = std::max(most, count);
  }
  const double mean = sum / static_cast<double>(counts.size());
  double squares = 0;
  for (const double count : counts) squares += (count - mean) * (count - mean);
  const double variance = squares / static_cast<double>(counts.size());
  const std::array<double, kStatistics> all = {
      variance, least, most, median(counts, least, most), mean, std::sqrt(variance), sum};
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
    work.clear();
    auto next = changed.begin();
    for (const std::uint32_t epoch : epochs_) {
      while (next != changed.end() && next->cell % grid_.epochs < epoch) ++next;
      const bool differs = next != changed.end() && next->cell % grid_.epochs == epoch;
      const double count = differs ? next->count : series[epoch];
      work.push_back(std::isnan(count) ? 0 : count);
    }
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
    ready_ = false;
  }

  // The same order of sums whatever is changed, so that the score is that of the changed counts to the bit.
  double score(Target target, std::span<const Changed> changed, const Lesson* lesson) override {
    prepare(target);
    const LinearModel& model = static_cast<const Weights*>(lesson)->model;
    double score = model.intercept;
    auto next = changed.begin();
    for (std::size_t place = 0; place < grid_.places; ++place) {
      const auto begin = next;
      while (next != changed.end() && next->cell < (place + 1) * grid_.epochs) ++next;
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
    .learns = true,
    .needs_groups = true,
    .takes_noise = true,
    .make = [](const Question& question, const Parameters& parameters) -> std::unique_ptr<Distinguisher> {
      return std::make_unique<LearnedDistinguisher>(question, parameters);
    },
};

}  // namespace hearsay::membership
