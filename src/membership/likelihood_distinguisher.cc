// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <utility>

#include "membership/changed_counts.h"
#include "membership/counted.h"
#include "membership/distinguisher.h"
#include "membership/filled_margins.h"
#include "membership/log_product.h"
#include "membership/margins.h"

namespace hearsay::membership {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// The product over cells of how likely what was published is if the target was not there, against one more of the
// others: (group - count) / (group (1 - chance)). Cells that hold the whole group make it 0 and are counted by
// themselves.
struct Rest {
  double log = 0;
  std::int64_t full = 0;
};

// The same by epoch, since targets may be known in some epochs only.
class Rests {
 public:
  explicit Rests(std::size_t epochs) : epochs_(epochs) {}
  Rest& at(std::size_t epoch) { return epochs_[epoch]; }
  void clear() { std::fill(epochs_.begin(), epochs_.end(), Rest{}); }
  // Once all epochs are there.
  void finish() {
    all_ = {};
    for (const Rest& rest : epochs_) add(rest);
  }
  Rest of(const Target& target) {
    if (target.known.empty()) return all_;
    const Rest all = all_;
    all_ = {};
    for (std::size_t epoch = 0; epoch < epochs_.size(); ++epoch) {
      if (target.knows(epoch)) add(epochs_[epoch]);
    }
    return std::exchange(all_, all);
  }

 private:
  void add(const Rest& rest) {
    all_.log += rest.log;
    all_.full += rest.full;
  }
  std::vector<Rest> epochs_;
  Rest all_;
};

// What readers have in common: the target's own cells in place of those of the rest.
class LikelihoodReader : public Reader {
 public:
  explicit LikelihoodReader(const Question& question)
      : question_(question), group_(static_cast<double>(question.group)), counted_(question.rule, question.group) {}

 protected:
  // chance(place, epoch, cell), published(cell).
  template <typename Chance, typename Published>
  double with_target(Target target, Rest rest, const Chance& chance, const Published& published) const {
    LogProduct product;
    CellWalk walk(question_.grid);
    for (const Presence& presence : target) {
      walk.go(presence.cell);
      const double q = chance(walk.place(), walk.epoch(), presence.cell);
      const double count = counted_.expected(published(presence.cell), q);
      const double x = presence.chance;
      if (count <= 0) {
        product.multiply(1 - x);
      } else if (count >= group_) {
        product.multiply(x * (1 - q) / q);
        --rest.full;
      } else {
        product.multiply(x * count * (1 - q) / ((group_ - count) * q) + (1 - x));
      }
    }
    return rest.full > 0 ? kImpossible : rest.log + product.log();
  }

  // Of one cell, without its 1 - chance.
  void add(Rest& rest, double count, int sign) const {
    if (count >= group_) {
      rest.full += sign;
    } else {
      rest.log += sign * std::log1p(-count / group_);
    }
  }

  const Question& question_;
  double group_;
  Counted counted_;
  std::span<const double> counts_;
};

// True counts, chances by their margins. A target costs its own cells and the margins.
class PlainFromMargins final : public LikelihoodReader {
 public:
  explicit PlainFromMargins(const Question& question)
      : LikelihoodReader(question),
        opened_(question.grid, question.group),
        now_(opened_),
        logs_(question.group + 1),
        rests_(question.grid.epochs) {
    for (std::size_t count = 0; count < question.group; ++count) {
      logs_[count] = std::log1p(-static_cast<double>(count) / group_);
    }
  }

  void open(std::span<const double> counts) override {
    counts_ = counts;
    opened_.sum(counts);
    rests_.clear();
    std::size_t cell = 0;
    for (std::size_t place = 0; place < question_.grid.places; ++place) {
      for (std::size_t epoch = 0; epoch < question_.grid.epochs; ++epoch, ++cell) {
        if (counts[cell] > 0) add_count(rests_.at(epoch), counts[cell], 1);
      }
    }
    rests_.finish();
    log_absent_ = opened_.log_absent({});
  }

  double score(Target target, std::span<const Changed> changed, const Lesson*) override {
    Rest rest = rests_.of(target);
    if (changed.empty()) {
      return score(target, changed, opened_, rest, target.known.empty() ? log_absent_ : opened_.log_absent(target));
    }
    now_ = opened_;
    CellWalk walk(question_.grid);
    for (const Changed& one : changed) {
      walk.go(one.cell);
      now_.add(walk.place(), walk.epoch(), one.count - counts_[one.cell]);
      if (!target.knows(walk.epoch())) continue;
      add_count(rest, counts_[one.cell], -1);
      add_count(rest, one.count, 1);
    }
    now_.finish();
    return score(target, changed, now_, rest, now_.log_absent(target));
  }

 private:
  double score(Target target, std::span<const Changed> changed, const Margins& margins, Rest rest,
               double log_absent) const {
    rest.log -= log_absent;
    ChangedCounts counts(counts_, changed);
    return with_target(
        target, rest, [&](std::size_t place, std::size_t epoch, std::uint32_t) { return margins.chance(place, epoch); },
        [&](std::uint32_t cell) { return counts.at(cell); });
  }

  void add_count(Rest& rest, double count, int sign) const {
    const auto whole = static_cast<std::size_t>(count);
    if (whole >= question_.group) {
      rest.full += sign;
    } else {
      rest.log += sign * logs_[whole];
    }
  }

  Margins opened_;
  Margins now_;
  std::vector<double> logs_;  // by count: log((group - count) / group)
  Rests rests_;
  double log_absent_ = 0;
};

// Chances of people she knows: nothing but the target's cells and those that changed need work.
class FromKnown final : public LikelihoodReader {
 public:
  explicit FromKnown(const Question& question)
      : LikelihoodReader(question),
        chances_(question.crowd.chances),
        log_absent_(question.grid.epochs),
        rests_(question.grid.epochs) {
    for (std::size_t cell = 0; cell < chances_.size(); ++cell) {
      log_absent_[cell % question.grid.epochs] += std::log1p(-chances_[cell]);
    }
  }

  void open(std::span<const double> counts) override {
    counts_ = counts;
    for (std::size_t epoch = 0; epoch < question_.grid.epochs; ++epoch) rests_.at(epoch) = {-log_absent_[epoch], 0};
    std::size_t cell = 0;
    for (std::size_t place = 0; place < question_.grid.places; ++place) {
      for (std::size_t epoch = 0; epoch < question_.grid.epochs; ++epoch, ++cell) {
        if (counts[cell] != 0 || !counted_.plain())
          add(rests_.at(epoch), counted_.expected(counts[cell], chances_[cell]), 1);
      }
    }
    rests_.finish();
  }

  double score(Target target, std::span<const Changed> changed, const Lesson*) override {
    Rest rest = rests_.of(target);
    CellWalk walk(question_.grid);
    for (const Changed& one : changed) {
      walk.go(one.cell);
      if (!target.knows(walk.epoch())) continue;
      add(rest, counted_.expected(counts_[one.cell], chances_[one.cell]), -1);
      add(rest, counted_.expected(one.count, chances_[one.cell]), 1);
    }
    ChangedCounts counts(counts_, changed);
    return with_target(
        target, rest, [&](std::size_t, std::size_t, std::uint32_t cell) { return chances_[cell]; },
        [&](std::uint32_t cell) { return counts.at(cell); });
  }

 private:
  std::span<const double> chances_;
  std::vector<double> log_absent_;  // by epoch
  Rests rests_;
};

// Counts that are suppressed or rounded, chances by their margins.
class RuledFromMargins final : public LikelihoodReader {
 public:
  explicit RuledFromMargins(const Question& question)
      : LikelihoodReader(question),
        margins_(question, counted_),
        opened_(margins_.margins()),
        counts_now_(question.grid.cells()),
        products_(question.grid.epochs),
        opened_rests_(question.grid.epochs),
        rests_(question.grid.epochs) {}

  void open(std::span<const double> counts) override {
    counts_ = counts;
    std::copy(counts.begin(), counts.end(), counts_now_.begin());
    read(opened_rests_);
    opened_ = margins_.margins();
  }

  double score(Target target, std::span<const Changed> changed, const Lesson*) override {
    for (const Changed& one : changed) counts_now_[one.cell] = one.count;
    if (!changed.empty()) read(rests_);
    const Margins& margins = changed.empty() ? opened_ : margins_.margins();
    const double score = with_target(
        target, (changed.empty() ? opened_rests_ : rests_).of(target),
        [&](std::size_t place, std::size_t epoch, std::uint32_t) { return margins.chance(place, epoch); },
        [&](std::uint32_t cell) { return counts_now_[cell]; });
    for (const Changed& one : changed) counts_now_[one.cell] = counts_[one.cell];
    return score;
  }

 private:
  // Of the counts as they are now.
  void read(Rests& rests) {
    margins_.fill(counts_now_);
    const Margins& margins = margins_.margins();
    rests.clear();
    std::fill(products_.begin(), products_.end(), LogProduct());
    std::size_t cell = 0;
    for (std::size_t place = 0; place < question_.grid.places; ++place) {
      const bool hidden = counted_.surely_hidden(margins.most_at(place) * group_);
      for (std::size_t epoch = 0; epoch < question_.grid.epochs; ++epoch, ++cell) {
        if (hidden && std::isnan(counts_now_[cell])) continue;
        const double q = margins.chance(place, epoch);
        const double count = counted_.expected(counts_now_[cell], q);
        if (count >= group_) {
          ++rests.at(epoch).full;
          products_[epoch].multiply(1 / (1 - q));
        } else {
          products_[epoch].multiply((group_ - count) / (group_ * (1 - q)));
        }
      }
    }
    for (std::size_t epoch = 0; epoch < products_.size(); ++epoch) rests.at(epoch).log = products_[epoch].log();
    rests.finish();
  }

  FilledMargins margins_;
  Margins opened_;
  std::vector<double> counts_now_;
  std::vector<LogProduct> products_;
  Rests opened_rests_;
  Rests rests_;
};

class Likelihood final : public Distinguisher {
 public:
  explicit Likelihood(const Question& question) : question_(question) {}
  std::unique_ptr<Reader> reader() const override {
    if (!question_.crowd.chances.empty()) return std::make_unique<FromKnown>(question_);
    if (Counted(question_.rule, question_.group).plain()) return std::make_unique<PlainFromMargins>(question_);
    return std::make_unique<RuledFromMargins>(question_);
  }

 private:
  const Question& question_;
};

}  // namespace

extern const DistinguisherEntry likelihood_distinguisher;
const DistinguisherEntry likelihood_distinguisher = {
    .info = {.position = 1,
             .name = "LIKELIHOOD",
             .summary = "How much more likely the counts are with the target among the people than without.",
             .explanation =
                 "The logarithm of the likelihood ratio, in closed form and without training: cells are taken as "
                 "independent and everybody else as there by chance q, known of other people or read off the release "
                 "(the product of its margins over places and hours). A cell with count A of m people adds "
                 "log(x A / (m q) + (1 - x) (m - A) / (m (1 - q))), where x is how likely the target was there. Of a "
                 "count that is suppressed or rounded, A is its mean given what was published. Not for counts with "
                 "noise.",
             .parameters = {},
             .citation = "Neyman, Pearson: On the Problem of the Most Efficient Tests of Statistical Hypotheses. "
                         "Phil. Trans. R. Soc. A 231, 1933."},
    .make = [](const Question& question, const Parameters&) -> std::unique_ptr<Distinguisher> {
      return std::make_unique<Likelihood>(question);
    },
};

}  // namespace hearsay::membership
