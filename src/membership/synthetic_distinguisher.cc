// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/logistic_regression.h"
#include "base/random.h"
#include "membership/changed_counts.h"
#include "membership/distinguisher.h"

namespace hearsay::membership {
namespace {

constexpr std::uint64_t kMostCounts = 10'000'000;  // to learn from: 40 bytes each
constexpr int kCorrections = 5;                    // of the mean length of a trace

double read(double count) {
  return std::isnan(count) ? 0 : count;
}

bool is_raw(const release::Rule& rule) {
  return rule.variance == 0 && !rule.hidden && !rule.top && rule.base <= 1;
}

// Draws from weights, those below 0 taken for 0; from all alike where none is above.
class Margin {
 public:
  explicit Margin(std::vector<double> weights) : sums_(std::move(weights)) {
    for (double& weight : sums_) weight = std::max(weight, 0.0);
    if (std::all_of(sums_.begin(), sums_.end(), [](double weight) { return weight == 0; })) {
      std::fill(sums_.begin(), sums_.end(), 1.0);
    }
    std::partial_sum(sums_.begin(), sums_.end(), sums_.begin());
  }
  std::size_t draw(RandomBits& bits) const {
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), bits.unit() * sums_.back());
    return std::min<std::size_t>(static_cast<std::size_t>(found - sums_.begin()), sums_.size() - 1);
  }

 private:
  std::vector<double> sums_;
};

using Trace = std::vector<std::uint32_t>;  // cells, each once

// What the counts of a group tell about one of its people.
class Population {
 public:
  Population(const Question& question, std::span<const double> counts, const std::vector<std::uint32_t>& epochs)
      : grid_(question.grid),
        epochs_(epochs),
        places_margin_(margin_of(counts, true)),
        epochs_margin_(margin_of(counts, false)),
        mean_(std::max(total(counts) / static_cast<double>(question.group), 1.0)) {}

  double total(std::span<const double> counts) const {
    double sum = 0;
    for (std::size_t place = 0; place < grid_.places; ++place) {
      for (const std::uint32_t epoch : epochs_) sum += read(counts[place * grid_.epochs + epoch]);
    }
    return sum;
  }

  double mean() const { return mean_; }
  void set_mean(double mean) { mean_ = mean; }

  // As many visits as an exponential variable says, place and epoch drawn apart.
  void draw(RandomBits& bits, Trace& trace) const {
    const double visits = -mean_ * std::log1p(-bits.unit());
    const auto most = static_cast<double>(grid_.places * epochs_.size());
    trace.clear();
    for (auto left = static_cast<std::uint64_t>(std::min(visits, most)); left > 0; --left) {
      const std::size_t place = places_margin_.draw(bits);
      const std::uint32_t epoch = epochs_[epochs_margin_.draw(bits)];
      trace.push_back(static_cast<std::uint32_t>(place * grid_.epochs + epoch));
    }
    std::sort(trace.begin(), trace.end());
    trace.erase(std::unique(trace.begin(), trace.end()), trace.end());
  }

 private:
  Margin margin_of(std::span<const double> counts, bool of_places) const {
    std::vector<double> sums(of_places ? grid_.places : epochs_.size());
    for (std::size_t place = 0; place < grid_.places; ++place) {
      for (std::size_t e = 0; e < epochs_.size(); ++e) {
        sums[of_places ? place : e] += read(counts[place * grid_.epochs + epochs_[e]]);
      }
    }
    return Margin(std::move(sums));
  }

  Grid grid_;
  const std::vector<std::uint32_t>& epochs_;
  Margin places_margin_;
  Margin epochs_margin_;
  double mean_;
};

struct CellWeight {
  std::uint32_t cell = 0;
  double weight = 0;
};

struct SparseWeights final : Lesson {
  std::vector<CellWeight> weights;  // ascending by cell
  double intercept = 0;
};

class SyntheticReader final : public Reader {
 public:
  explicit SyntheticReader(const Question& question) : question_(question) {}

  void open(std::span<const double> counts) override {
    counts_ = counts;
    changed_ = {};
    full_.clear();
    if (!is_raw(question_.rule)) return;
    for (std::uint32_t cell = 0; cell < counts.size(); ++cell) {
      if (counts[cell] >= static_cast<double>(question_.group)) full_.push_back(cell);
    }
  }

  void change(std::span<const Changed> changed) override { changed_ = changed; }

  double score(Target target, const Lesson* lesson) override {
    if (is_raw(question_.rule) && contradicts(target)) return -std::numeric_limits<double>::infinity();
    const auto& learned = *static_cast<const SparseWeights*>(lesson);
    double score = learned.intercept;
    ChangedCounts counts(counts_, changed_);
    for (const auto& [cell, weight] : learned.weights) score += weight * read(counts.at(cell));
    return score;
  }

 private:
  // True counts rule the target out where nobody is in a cell of hers, or everybody in one that is not.
  bool contradicts(Target target) const {
    ChangedCounts counts(counts_, changed_);
    bool sure = true;
    for (const Presence& presence : target) {
      if (presence.chance < 1) {
        sure = false;
      } else if (counts.at(presence.cell) == 0) {
        return true;
      }
    }
    return sure && everybody_elsewhere(target);
  }

  bool everybody_elsewhere(Target target) const {
    // Of no other cell of the epochs she knows.
    const auto is_elsewhere = [&](std::uint32_t cell) {
      return target.knows(cell % question_.grid.epochs) &&
             !std::binary_search(target.begin(), target.end(), Presence{cell, 1},
                                 [](const Presence& a, const Presence& b) { return a.cell < b.cell; });
    };
    const auto group = static_cast<double>(question_.group);
    ChangedCounts counts(counts_, changed_);
    for (const std::uint32_t cell : full_) {
      if (counts.at(cell) >= group && is_elsewhere(cell)) return true;
    }
    return std::any_of(changed_.begin(), changed_.end(),
                       [&](const Changed& here) { return here.count >= group && is_elsewhere(here.cell); });
  }

  const Question& question_;
  std::span<const double> counts_;
  std::span<const Changed> changed_;
  std::vector<std::uint32_t> full_;  // cells with the whole group in them
};

class SyntheticDistinguisher final : public Distinguisher {
 public:
  SyntheticDistinguisher(const Question& question, const Parameters& parameters)
      : question_(question),
        pairs_(parameters.whole("groups") / 2),
        people_(std::max<std::uint64_t>(parameters.whole("people"), 2 * question.group)),
        cost_(parameters.positive("cost")) {
    if (pairs_ == 0) parameters.fail("groups", "must be at least 2");
    if (parameters.whole("people") == 0) parameters.fail("people", "must be at least 1");
    const std::uint64_t cells = std::max<std::uint64_t>(1, question.grid.cells());
    if (pairs_ > kMostCounts / 2 / cells) {
      parameters.fail("groups", "times the cells, " + std::to_string(cells) + ", is more than " +
                                    std::to_string(kMostCounts) + " counts: too many to learn from");
    }
  }

  std::unique_ptr<Reader> reader() const override { return std::make_unique<SyntheticReader>(question_); }

  std::unique_ptr<Lesson> learn(Target target, const Practice& practice) const override {
    std::vector<std::uint32_t> epochs;
    for (std::uint32_t epoch = 0; epoch < question_.grid.epochs; ++epoch) {
      if (target.knows(epoch)) epochs.push_back(epoch);
    }
    std::uint64_t key = mix(question_.seed, "synthetic people");
    for (const Presence& presence : target) key = mix(key, presence.cell);
    SeededBits bits(key);
    Population population(question_, practice.seen(), epochs);
    if (!is_raw(question_.rule)) correct_mean(population, practice, bits);
    std::vector<Trace> people(people_);
    for (Trace& trace : people) population.draw(bits, trace);

    std::vector<double> rows;
    std::vector<std::uint8_t> labels;
    std::vector<std::uint32_t> order(people.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<double> counts;
    for (std::size_t pair = 0; pair < pairs_; ++pair) {
      choose(order, bits);
      for (const bool with_target : {true, false}) {
        count(people, order, question_.group - 1, counts);
        if (with_target) {
          for (const Presence& presence : target) counts[presence.cell] += bits.unit() < presence.chance ? 1 : 0;
        } else {
          for (const std::uint32_t cell : people[order[question_.group - 1]]) counts[cell] += 1;
        }
        practice.release(pair, counts);
        append_known(counts, epochs, rows);
        labels.push_back(with_target ? 1 : 0);
      }
    }
    return sparse(fit_logistic(rows, labels, Penalty::kAbsolute, cost_), epochs);
  }

 private:
  // The first `group` of the order become people drawn without repeats.
  void choose(std::vector<std::uint32_t>& order, RandomBits& bits) const {
    for (std::size_t i = 0; i < question_.group; ++i) std::swap(order[i], order[i + bits.below(order.size() - i)]);
  }

  void count(const std::vector<Trace>& people, const std::vector<std::uint32_t>& order, std::size_t size,
             std::vector<double>& counts) const {
    counts.assign(question_.grid.cells(), 0);
    for (std::size_t i = 0; i < size; ++i) {
      for (const std::uint32_t cell : people[order[i]]) counts[cell] += 1;
    }
  }

  // What is suppressed or drowned in noise biases the mean: until a group of her own, published alike, holds as many
  // visits as the one she saw. Numbers beyond those of the pairs keep the noise apart.
  void correct_mean(Population& population, const Practice& practice, RandomBits& bits) const {
    const double seen = population.total(practice.seen());
    std::vector<double> counts;
    Trace trace;
    for (int round = 0; round < kCorrections; ++round) {
      counts.assign(question_.grid.cells(), 0);
      for (std::size_t i = 0; i < question_.group; ++i) {
        population.draw(bits, trace);
        for (const std::uint32_t cell : trace) counts[cell] += 1;
      }
      practice.release(pairs_ + static_cast<std::size_t>(round), counts);
      const double missing = (seen - population.total(counts)) / static_cast<double>(question_.group);
      population.set_mean(std::max(population.mean() + missing, population.mean() / 2));
    }
  }

  void append_known(std::span<const double> counts, const std::vector<std::uint32_t>& epochs,
                    std::vector<double>& rows) const {
    for (std::size_t place = 0; place < question_.grid.places; ++place) {
      for (const std::uint32_t epoch : epochs) rows.push_back(read(counts[place * question_.grid.epochs + epoch]));
    }
  }

  std::unique_ptr<Lesson> sparse(const LinearModel& model, const std::vector<std::uint32_t>& epochs) const {
    auto lesson = std::make_unique<SparseWeights>();
    lesson->intercept = model.intercept;
    for (std::size_t i = 0; i < model.weights.size(); ++i) {
      if (model.weights[i] == 0) continue;
      const std::size_t cell = i / epochs.size() * question_.grid.epochs + epochs[i % epochs.size()];
      lesson->weights.push_back({static_cast<std::uint32_t>(cell), model.weights[i]});
    }
    return lesson;
  }

  const Question& question_;
  std::size_t pairs_;
  std::size_t people_;
  double cost_;
};

}  // namespace

extern const DistinguisherEntry synthetic_distinguisher;
const DistinguisherEntry synthetic_distinguisher = {
    .info =
        {.position = 4,
         .name = "ZERO_KNOWLEDGE",
         .summary = "She makes up people that fit the counts, and learns from groups of them.",
         .explanation =
             "Synthetic people: as many visits as an exponential variable says whose mean is that of the counts she "
             "saw "
             "(corrected, where counts are suppressed or noisy, until groups of synthetic people published alike hold "
             "as many), places and epochs drawn from their margins. Pairs of groups with the target and with another "
             "in the target's place, published alike; logistic regression with an L1 penalty (liblinear) on all "
             "counts, "
             "standardised. The score is its decision value; true counts that rule the target out give the lowest. "
             "The published attack keeps a synthetic person to ten places next to each other and straightens noisy "
             "margins by a power; here nothing is known of a map, and margins are sums in which the noise averages "
             "out. A count that is missing is 0.",
         .parameters = {{"groups", "400", "at least 2; half of them with the target"},
                        {"people", "5000", "synthetic people to draw from; at least twice a group is made"},
                        {"cost", "1", "above 0; smaller keeps more weights at 0"}},
         .citation = "Guan, Guépin, Crețu, de Montjoye: A Zero Auxiliary Knowledge Membership Inference Attack on "
                     "Aggregate Location Data. PETS 2024."},
    .publishes = true,
    .takes_noise = true,
    .make = [](const Question& question, const Parameters& parameters) -> std::unique_ptr<Distinguisher> {
      return std::make_unique<SyntheticDistinguisher>(question, parameters);
    },
};

}  // namespace hearsay::membership
