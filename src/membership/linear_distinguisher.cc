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
        exact_(question.rule.variance > 0 && !question.rule.hidden) {}

  double operator()(double published, double chance) const {
    const double q = std::max(chance, kLeastChance);
    const double count = exact_ ? std::clamp(published, 0.0, group_) : counted_.expected(published, q);
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
    std::copy(counts.begin(), counts.end(), counts_.begin());
    opened_ = read(opened_expected_);
  }

  double score(Target target, std::span<const Changed> changed, const Lesson*) override {
    if (changed.empty()) return own(target, opened_) - sum_of(opened_expected_, target);
    for (const Changed& one : changed) counts_[one.cell] = one.count;
    const double score = own(target, read(expected_)) - sum_of(expected_, target);
    for (const Changed& one : changed) counts_[one.cell] = opened_counts_[one.cell];
    return score;
  }

 private:
  // The margins, and what everybody else's chances would give.
  const Margins& read(std::vector<double>& expected) {
    if (pull_.exact()) {
      plain_.sum(counts_);
    } else {
      filled_.fill(counts_);
    }
    const Margins& margins = pull_.exact() ? plain_ : filled_.margins();
    std::fill(expected.begin(), expected.end(), 0.0);
    std::size_t cell = 0;
    for (std::size_t place = 0; place < question_.grid.places; ++place) {
      for (std::size_t epoch = 0; epoch < question_.grid.epochs; ++epoch, ++cell) {
        const double q = margins.chance(place, epoch);
        expected[epoch] += q * pull_(counts_[cell], q);
      }
    }
    return margins;
  }

  double own(Target target, const Margins& margins) const {
    double sum = 0;
    CellWalk walk(question_.grid);
    for (const Presence& presence : target) {
      walk.go(presence.cell);
      sum += presence.chance * pull_(counts_[presence.cell], margins.chance(walk.place(), walk.epoch()));
    }
    return sum;
  }

  const Question& question_;
  Pull pull_;
  FilledMargins filled_;
  Margins plain_;
  Margins opened_;
  std::span<const double> opened_counts_;
  std::vector<double> counts_;
  std::vector<double> opened_expected_;  // by epoch
  std::vector<double> expected_;
};

// Chances of people she knows: a target costs its own cells, and those that changed.
class FromKnown final : public Reader {
 public:
  FromKnown(const Question& question, const Factors* factors)
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
    all_expected_ = sum_of(expected_, {});
    if (factors_ != nullptr) factors_expected_ = factors_->expected(counts);
  }

  // Factors are of whole traces.
  double score(Target target, std::span<const Changed> changed, const Lesson* lesson) override {
    if (lesson != nullptr && target.known.empty()) return score_with_factors(target, changed, *lesson);
    double score = target.known.empty() ? -all_expected_ : -sum_of(expected_, target);
    CellWalk walk(question_.grid);
    for (const Changed& one : changed) {
      walk.go(one.cell);
      if (!target.knows(walk.epoch())) continue;
      const double q = chance(one.cell);
      score -= q * (pull_(one.count, q) - pull_(counts_[one.cell], q));
    }
    ChangedCounts counts(counts_, changed);
    for (const Presence& presence : target) {
      score += presence.chance * pull_(counts.at(presence.cell), chance(presence.cell));
    }
    return score;
  }

 private:
  double chance(std::size_t cell) const { return question_.crowd.chances[cell]; }

  double score_with_factors(Target target, std::span<const Changed> changed, const Lesson& lesson) {
    double score = -factors_expected_;
    now_ = shared_;
    for (const Changed& one : changed) {
      const double more = factors_->pull(one.cell, one.count) - factors_->pull(one.cell, counts_[one.cell]);
      score -= chance(one.cell) * more;
      factors_->add(one.cell, more, now_);
    }
    ChangedCounts counts(counts_, changed);
    for (const Presence& presence : target) {
      score += presence.chance * factors_->pull(presence.cell, counts.at(presence.cell));
    }
    return score - factors_->common(lesson, now_);
  }

  const Question& question_;
  Pull pull_;
  const Factors* factors_;
  std::span<const double> counts_;
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
    return std::make_unique<FromKnown>(question_, factors_.get());
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
    .learns = true,
    .takes_noise = true,
    .make = [](const Question& question, const Parameters& parameters) -> std::unique_ptr<Distinguisher> {
      return std::make_unique<Linear>(question, parameters);
    },
};

}  // namespace hearsay::membership
