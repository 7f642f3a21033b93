// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

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
  void finish() { all_ = sum({}); }
  Rest of(const Target& target) const { return target.known.empty() ? all_ : sum(target); }

 private:
  Rest sum(const Target& target) const {
    Rest sum;
    for (std::size_t epoch = 0; epoch < epochs_.size(); ++epoch) {
      if (!target.knows(epoch)) continue;
      sum.log += epochs_[epoch].log;
      sum.full += epochs_[epoch].full;
    }
    return sum;
  }
  std::vector<Rest> epochs_;
  Rest all_;
};

// What readers have in common: the target's own cells in place of those of the rest.
class LikelihoodReader : public Reader {
 public:
  explicit LikelihoodReader(const Question& question)
      : question_(question),
        group_(static_cast<double>(question.group)),
        counted_(question.rule, question.group),
        plain_(counted_.plain()) {
    for (std::size_t count = 0; plain_ && count <= question.group; ++count) {
      ratios_.push_back(ratio_of(static_cast<double>(count)));
      logs_.push_back(std::log1p(-static_cast<double>(count) / group_));
    }
  }

 protected:
  // against(place, epoch, cell): (1 - chance) / chance; ratio(cell, against): count / (group - count), infinite where
  // the whole group is there.
  template <typename Against, typename Ratio>
  double with_target(const Target& target, Rest rest, const Against& against, const Ratio& ratio) const {
    LogProduct product;
    CellWalk walk(question_.grid);
    for (const Presence& presence : target) {
      walk.go(presence.cell);
      const double odds = against(walk.place(), walk.epoch(), presence.cell);
      const double here = ratio(presence.cell, odds);
      const double x = presence.chance;
      if (std::isinf(here)) {
        product.multiply(x * odds);
        --rest.full;
      } else {
        product.multiply(here == 0 ? 1 - x : x * (here * odds) + (1 - x));
      }
    }
    return rest.full > 0 ? kImpossible : rest.log + product.log();
  }

  double ratio_of(double count) const {
    return count >= group_ ? std::numeric_limits<double>::infinity() : count / (group_ - count);
  }
  // Of a count as published, where somebody is there with this chance.
  double ratio_of(double published, double chance) const {
    if (plain_) return ratios_[static_cast<std::size_t>(published)];
    return ratio_of(counted_.expected(published, chance));
  }

  // Of one cell, without its 1 - chance.
  void add(Rest& rest, double published, double chance, int sign) const {
    const double count = plain_ ? published : counted_.expected(published, chance);
    if (count >= group_) {
      rest.full += sign;
    } else {
      rest.log += sign * (plain_ ? logs_[static_cast<std::size_t>(count)] : std::log1p(-count / group_));
    }
  }

  const Question& question_;
  double group_;
  Counted counted_;
  bool plain_;                  // published counts are the true ones
  std::vector<double> ratios_;  // by count, where plain: count / (group - count)
  std::vector<double> logs_;    // by count, where plain: log((group - count) / group)
  std::span<const double> counts_;
};

// True counts, chances by their margins. A target costs its own cells and the margins.
class PlainFromMargins final : public LikelihoodReader {
 public:
  explicit PlainFromMargins(const Question& question)
      : LikelihoodReader(question),
        opened_(question.grid, question.group),
        now_(opened_),
        whole_(question.grid.cells()),
        rests_(question.grid.epochs) {}

  void open(std::span<const double> counts) override {
    counts_ = counts;
    opened_.sum(counts);
    opened_.invert();
    rests_.clear();
    std::size_t cell = 0;
    for (std::size_t place = 0; place < question_.grid.places; ++place) {
      for (std::size_t epoch = 0; epoch < question_.grid.epochs; ++epoch, ++cell) {
        if (counts[cell] > 0) add(rests_.at(epoch), counts[cell], 0, 1);
      }
    }
    rests_.finish();
    opened_log_absent_ = opened_.log_absent({});
    std::transform(counts.begin(), counts.end(), whole_.begin(),
                   [](double one) { return static_cast<std::uint32_t>(one); });
    changed_.clear();
    change({});
  }

  void change(std::span<const Changed> changed) override {
    for (const Changed& one : changed_) whole_[one.cell] = static_cast<std::uint32_t>(counts_[one.cell]);
    changed_.assign(changed.begin(), changed.end());
    if (changed.empty()) {
      now_ = opened_;
      log_absent_ = opened_log_absent_;
      return;
    }
    now_.start_from(opened_);
    CellWalk walk(question_.grid);
    for (const Changed& one : changed) {
      walk.go(one.cell);
      now_.add(walk.place(), walk.epoch(), one.count - counts_[one.cell]);
      whole_[one.cell] = static_cast<std::uint32_t>(one.count);
    }
    now_.finish();
    now_.invert();
    log_absent_ = now_.log_absent({});
  }

  double score(Target target, const Lesson*) override {
    Rest rest = rests_.of(target);
    CellWalk walk(question_.grid);
    for (const Changed& one : changed_) {
      walk.go(one.cell);
      if (!target.knows(walk.epoch())) continue;
      add(rest, counts_[one.cell], 0, -1);
      add(rest, one.count, 0, 1);
    }
    rest.log -= target.known.empty() ? log_absent_ : now_.log_absent(target);
    if (rest.full == 0) return rest.log + log_product(target);
    return with_target(
        target, rest, [&](std::size_t place, std::size_t epoch, std::uint32_t) { return now_.against(place, epoch); },
        [&](std::uint32_t cell, double) { return ratios_[whole_[cell]]; });
  }

 private:
  // The same where no cell holds the whole group: what nearly every score costs, so in a form that does several cells
  // at a time.
  double log_product(const Target& target) const {
    LogProduct product;
    CellWalk walk(question_.grid);
    const auto factor = [&](const Presence& presence) {
      walk.go(presence.cell);
      const double odds = ratios_[whole_[presence.cell]] * now_.against(walk.place(), walk.epoch());
      return presence.chance * odds + (1 - presence.chance);
    };
    std::size_t i = 0;
    for (; i + 4 <= target.size(); i += 4) {
      const double a = factor(target[i]);
      const double b = factor(target[i + 1]);
      const double c = factor(target[i + 2]);
      product.multiply(a, b, c, factor(target[i + 3]));
    }
    for (; i < target.size(); ++i) product.multiply(factor(target[i]));
    return product.log();
  }

  Margins opened_;
  Margins now_;
  std::vector<std::uint32_t> whole_;  // the counts as they are now
  std::vector<Changed> changed_;      // to be undone
  Rests rests_;
  double opened_log_absent_ = 0;
  double log_absent_ = 0;
};

// Chances of people she knows: nothing but the target's cells and those that changed need work.
class LikelihoodFromKnown final : public LikelihoodReader {
 public:
  explicit LikelihoodFromKnown(const Question& question)
      : LikelihoodReader(question),
        chances_(question.crowd.chances),
        log_absent_(question.grid.epochs),
        rests_(question.grid.epochs) {
    for (std::size_t cell = 0; cell < chances_.size(); ++cell) {
      log_absent_[cell % question.grid.epochs] += std::log1p(-chances_[cell]);
      against_.push_back((1 - chances_[cell]) / chances_[cell]);
    }
  }

  void open(std::span<const double> counts) override {
    counts_ = counts;
    for (std::size_t epoch = 0; epoch < question_.grid.epochs; ++epoch) rests_.at(epoch) = {-log_absent_[epoch], 0};
    std::size_t cell = 0;
    for (std::size_t place = 0; place < question_.grid.places; ++place) {
      for (std::size_t epoch = 0; epoch < question_.grid.epochs; ++epoch, ++cell) {
        if (counts[cell] != 0 || !plain_) add(rests_.at(epoch), counts[cell], chances_[cell], 1);
      }
    }
    rests_.finish();
    changed_ = {};
  }

  void change(std::span<const Changed> changed) override { changed_ = changed; }

  double score(Target target, const Lesson*) override {
    Rest rest = rests_.of(target);
    CellWalk walk(question_.grid);
    for (const Changed& one : changed_) {
      walk.go(one.cell);
      if (!target.knows(walk.epoch())) continue;
      add(rest, counts_[one.cell], chances_[one.cell], -1);
      add(rest, one.count, chances_[one.cell], 1);
    }
    ChangedCounts counts(counts_, changed_);
    return with_target(
        target, rest, [&](std::size_t, std::size_t, std::uint32_t cell) { return against_[cell]; },
        [&](std::uint32_t cell, double) { return ratio_of(counts.at(cell), chances_[cell]); });
  }

 private:
  std::span<const double> chances_;
  std::span<const Changed> changed_;
  std::vector<double> against_;     // by cell: (1 - chance) / chance
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
    changed_.clear();
    read(opened_rests_);
    opened_ = margins_.margins();
  }

  void change(std::span<const Changed> changed) override {
    for (const Changed& one : changed_) counts_now_[one.cell] = counts_[one.cell];
    for (const Changed& one : changed) counts_now_[one.cell] = one.count;
    changed_.assign(changed.begin(), changed.end());
    if (!changed.empty()) read(rests_);
  }

  double score(Target target, const Lesson*) override {
    const Margins& margins = changed_.empty() ? opened_ : margins_.margins();
    return with_target(
        target, (changed_.empty() ? opened_rests_ : rests_).of(target),
        [&](std::size_t place, std::size_t epoch, std::uint32_t) { return 1 / margins.chance(place, epoch) - 1; },
        [&](std::uint32_t cell, double against) { return ratio_of(counts_now_[cell], 1 / (1 + against)); });
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
  std::vector<Changed> changed_;  // to be undone
  std::vector<LogProduct> products_;
  Rests opened_rests_;
  Rests rests_;
};

class Likelihood final : public Distinguisher {
 public:
  explicit Likelihood(const Question& question) : question_(question) {}
  std::unique_ptr<Reader> reader() const override {
    if (!question_.crowd.chances.empty()) return std::make_unique<LikelihoodFromKnown>(question_);
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
