// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "membership/changed_counts.h"
#include "membership/counted.h"
#include "membership/distinguisher.h"
#include "membership/factors.h"
#include "membership/filled_margins.h"

namespace hearsay::membership {
namespace {

constexpr double kLeastChance = 1e-9;

// What a count tells: how far it is from what everybody else would make, in units of how much that varies.
class Pull {
 public:
  explicit Pull(const Question& question)
      : group_(static_cast<double>(question.group)),
        variance_(question.rule.variance),
        counted_(question.rule, question.group),
        exact_(!question.rule.exact && !question.rule.hidden) {}

  double operator()(double published, double chance) const {
    const double q = std::max(chance, kLeastChance);
    const double count = exact_ ? published : counted_.expected(published, q);
    return (count - group_ * q) / (group_ * q * (1 - q) + variance_);
  }
  const Counted& counted() const { return counted_; }
  bool exact() const { return exact_ || counted_.plain(); }

 private:
  double group_;
  double variance_;
  Counted counted_;
  bool exact_;  // counts are taken as they are
};

// Sums by epoch, since targets may be known in some epochs only.
double sum_of(const std::vector<double>& by_epoch, const Target& target) {
  double sum = 0;
  for (std::size_t epoch = 0; epoch < by_epoch.size(); ++epoch) sum += target.knows(epoch) ? by_epoch[epoch] : 0;
  return sum;
}

// Chances by the margins of the release, which every change moves: a target costs the cells.
class FromMargins final : public Reader {
 public:
  explicit FromMargins(const Question& question)
      : question_(question),
        pull_(question),
        filled_(question, pull_.counted()),
        plain_(question.grid, question.group),
        opened_(plain_),
        counts_(question.grid.cells()),
        opened_expected_(question.grid.epochs),
        expected_(question.grid.epochs) {}

  void open(std::span<const double> counts) override {
    opened_counts_ = counts;
    for (std::size_t cell = 0; cell < counts.size(); ++cell) counts_[cell] = possible(counts[cell]);
    changed_.clear();
    opened_ = read(opened_expected_);
    margins_ = &opened_;
  }

  void change(std::span<const Changed> changed) override {
    for (const Changed& one : changed_) counts_[one.cell] = possible(opened_counts_[one.cell]);
    for (const Changed& one : changed) counts_[one.cell] = possible(one.count);
    changed_.assign(changed.begin(), changed.end());
    margins_ = changed.empty() ? &opened_ : &read(expected_);
  }

  double score(Target target, const Lesson*) override {
    double sum = -sum_of(changed_.empty() ? opened_expected_ : expected_, target);
    CellWalk walk(question_.grid);
    for (const Presence& presence : target) {
      walk.go(presence.cell);
      sum += presence.chance * pull_(counts_[presence.cell], margins_->chance(walk.place(), walk.epoch()));
    }
    return sum;
  }

 private:
  // Noise aside, a count is of nobody at least and of the group at most; one that is missing stays missing.
  double possible(double count) const {
    return count < 0 ? 0 : count > static_cast<double>(question_.group) ? static_cast<double>(question_.group) : count;
  }

  // The margins, and what everybody else's chances would give.
  const Margins& read(std::vector<double>& expected) {
    std::fill(expected.begin(), expected.end(), 0.0);
    if (pull_.exact()) {
      plain_.sum(counts_);
      add_expected(expected);
      return plain_;
    }
    filled_.fill(counts_);
    const Margins& margins = filled_.margins();
    std::size_t cell = 0;
    for (std::size_t place = 0; place < question_.grid.places; ++place) {
      for (std::size_t epoch = 0; epoch < question_.grid.epochs; ++epoch, ++cell) {
        const double q = margins.chance(place, epoch);
        expected[epoch] += q * pull_(counts_[cell], q);
      }
    }
    return margins;
  }

  // The same for counts taken as they are: what every target and group costs, so in a form that works on several epochs
  // at a time.
  void add_expected(std::vector<double>& expected) const {
    const auto group = static_cast<double>(question_.group);
    const double variance = question_.rule.variance;
    const double most = plain_.most();
    const double* epoch_sums = plain_.epochs().data();
    for (std::size_t place = 0; place < question_.grid.places; ++place) {
      const double share = plain_.share(place);
      if (share <= 0) continue;
      const double* row = &counts_[place * question_.grid.epochs];
      double* sums = expected.data();
      for (std::size_t epoch = 0; epoch < question_.grid.epochs; ++epoch) {
        const double product = share * epoch_sums[epoch];
        const double q = product < most ? product : most;
        const double least = q > kLeastChance ? q : kLeastChance;
        const double mean = group * least;
        sums[epoch] += q * ((row[epoch] - mean) / (mean * (1 - least) + variance));
      }
    }
  }

  const Question& question_;
  Pull pull_;
  FilledMargins filled_;
  Margins plain_;
  Margins opened_;
  const Margins* margins_ = &opened_;  // of the counts as they are now
  std::span<const double> opened_counts_;
  std::vector<Changed> changed_;  // to be undone
  std::vector<double> counts_;
  std::vector<double> opened_expected_;  // by epoch
  std::vector<double> expected_;
};

// Chances of people she knows: a target costs its own cells, and those that changed.
class LinearFromKnown final : public Reader {
 public:
  LinearFromKnown(const Question& question, const Factors* factors)
      : question_(question),
        pull_(question),
        factors_(factors),
        expected_(question.grid.epochs),
        shared_(factors == nullptr ? 0 : factors->size()),
        now_(shared_) {}

  void open(std::span<const double> counts) override {
    counts_ = counts;
    std::fill(expected_.begin(), expected_.end(), 0.0);
    std::fill(shared_.begin(), shared_.end(), 0.0);
    std::size_t cell = 0;
    for (std::size_t place = 0; place < question_.grid.places; ++place) {
      for (std::size_t epoch = 0; epoch < question_.grid.epochs; ++epoch, ++cell) {
        expected_[epoch] += chance(cell) * pull_(counts[cell], chance(cell));
        if (factors_ != nullptr) factors_->add(cell, factors_->pull(cell, counts[cell]), shared_);
      }
    }
    changed_ = {};
    all_expected_ = sum_of(expected_, {});
    if (factors_ != nullptr) factors_expected_ = factors_->expected(counts);
  }

  void change(std::span<const Changed> changed) override { changed_ = changed; }

  // Factors are of whole traces.
  double score(Target target, const Lesson* lesson) override {
    if (lesson != nullptr && target.known.empty()) return score_with_factors(target, *lesson);
    double score = target.known.empty() ? -all_expected_ : -sum_of(expected_, target);
    CellWalk walk(question_.grid);
    for (const Changed& one : changed_) {
      walk.go(one.cell);
      if (!target.knows(walk.epoch())) continue;
      const double q = chance(one.cell);
      score -= q * (pull_(one.count, q) - pull_(counts_[one.cell], q));
    }
    ChangedCounts counts(counts_, changed_);
    for (const Presence& presence : target) {
      score += presence.chance * pull_(counts.at(presence.cell), chance(presence.cell));
    }
    return score;
  }

 private:
  double chance(std::size_t cell) const { return question_.crowd.chances[cell]; }

  double score_with_factors(Target target, const Lesson& lesson) {
    double score = -factors_expected_;
    now_ = shared_;
    for (const Changed& one : changed_) {
      const double more = factors_->pull(one.cell, one.count) - factors_->pull(one.cell, counts_[one.cell]);
      score -= chance(one.cell) * more;
      factors_->add(one.cell, more, now_);
    }
    ChangedCounts counts(counts_, changed_);
    for (const Presence& presence : target) {
      score += presence.chance * factors_->pull(presence.cell, counts.at(presence.cell));
    }
    return score - factors_->common(lesson, now_);
  }

  const Question& question_;
  Pull pull_;
  const Factors* factors_;
  std::span<const double> counts_;
  std::span<const Changed> changed_;
  std::vector<double> expected_;  // by epoch
  double all_expected_ = 0;
  double factors_expected_ = 0;
  std::vector<double> shared_;  // what the counts say of each factor
  std::vector<double> now_;
};

class Linear final : public Distinguisher {
 public:
  Linear(const Question& question, const Parameters& parameters) : question_(question) {
    const std::uint64_t factors = parameters.whole("factors");
    if (factors > kMostFactors) parameters.fail("factors", "must be at most " + std::to_string(kMostFactors));
    if (factors > 0 && !question.crowd.traces.empty()) factors_ = std::make_unique<Factors>(question, factors);
  }
  std::unique_ptr<Reader> reader() const override {
    if (question_.crowd.chances.empty()) return std::make_unique<FromMargins>(question_);
    return std::make_unique<LinearFromKnown>(question_, factors_.get());
  }
  std::unique_ptr<Lesson> learn(Target target, const Practice&) const override {
    return factors_ == nullptr || !target.known.empty() ? nullptr : factors_->of_target(target);
  }

 private:
  static constexpr std::uint64_t kMostFactors = 200;
  const Question& question_;
  std::unique_ptr<const Factors> factors_;
};

}  // namespace

extern const DistinguisherEntry linear_distinguisher;
const DistinguisherEntry linear_distinguisher = {
    .info = {.position = 2,
             .name = "LINEAR",
             .summary = "How far the counts lean towards where the target was, for counts with noise.",
             .explanation =
                 "The sum over all cells of (x - q) (A - m q) / (m q (1 - q) + variance of the noise): the likelihood "
                 "ratio to first order. x is how likely the target was in the cell, q how likely everybody else, m "
                 "the size of the group. The cells where the target was not count, too. With factors, people she "
                 "knows also say which cells go together (that many factors of their visits), so that what a crowd "
                 "does in common is not taken for the target.",
             .parameters = {{"factors", "0", "of what people she knows do in common; 0 takes cells as independent"}},
             .citation = "Homer and others: Resolving Individuals Contributing Trace Amounts of DNA to Highly Complex "
                         "Mixtures. PLoS Genetics 2008 (the same statistic for another crowd)."},
    .takes_noise = true,
    .make = [](const Question& question, const Parameters& parameters) -> std::unique_ptr<Distinguisher> {
      return std::make_unique<Linear>(question, parameters);
    },
};

}  // namespace hearsay::membership
