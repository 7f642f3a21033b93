// SPDX-License-Identifier: Apache-2.0
#include "advice/search.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/errors.h"
#include "base/random.h"
#include "results/repeats.h"

namespace hearsay::advice {
namespace {

// What of the budget is planned with: the work of one core, so that a machine with two is done in less than half of it
// and a slow or busy one is not cut short.
constexpr double kPlanned = 0.7;
// What of that goes where.
constexpr double kAdversaryShare = 0.05;
constexpr double kOwnShare = 0.2;      // of own loss in the first rung, if all its candidates were measured
constexpr double kCellShare = 0.4;     // of candidates that go by cell
constexpr double kPeopleShare = 0.15;  // of those whose visits go by person
constexpr double kDearShare = 0.15;    // of others
constexpr double kSecondShare = 0.15;
constexpr double kLastShare = 0.2;
constexpr double kReopenedShare = 0.1;

constexpr std::size_t kBatch = 8;
constexpr std::size_t kPeopleBatch = 8;
constexpr std::size_t kDearBatch = 4;
constexpr std::size_t kTakenOut = 8;  // people, one by one, of candidates that do not go by person
constexpr std::size_t kSpread = 8;    // measured whatever is known of others, for the frontier
constexpr std::size_t kSecond = 6;    // candidates of the second rung
constexpr std::size_t kLast = 3;      // of the last, at a time
constexpr std::size_t kLastRounds = 3;
constexpr std::size_t kTimesReopened = 2;
constexpr std::size_t kLeastPeople = 100;

using Group = std::vector<Priced*>;

Value value_of(const std::vector<double>& draws) {
  const results::Interval interval = results::interval_of(draws);
  const double half = interval.half_width.value_or(0);
  return {interval.mean, interval.mean - half, interval.mean + half};
}

class Search {
 public:
  Search(engine::Engine& engine, const experiment::Study& study, const Limits& limits, const Options& options,
         Guard& guard)
      : engine_(engine), study_(study), limits_(limits), options_(options), guard_(guard), work_(sizes()) {
    const std::vector<Candidate> candidates = options.candidates.empty() ? candidates_for(study) : options.candidates;
    for (const Candidate& candidate : candidates) found_.all.emplace_back().candidate = candidate;
    for (Priced& one : found_.all) {
      if (!one.candidate.preset.empty()) continue;
      families_[one.candidate.family()].push_back(&one);
    }
  }

  Found run() {
    if (found_.all.empty()) return std::move(found_);
    found_.cut_short = !all_rungs();
    found_.unmeasured = static_cast<std::size_t>(
        std::count_if(found_.all.begin(), found_.all.end(), [](const Priced& one) { return one.rung == kNotReached; }));
    for (Priced& one : found_.all) one.rung = one.rung == kNotReached ? 0 : one.rung;
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kNotReached = static_cast<std::size_t>(-1);

  DataSizes sizes() const {
    const dataset::Dataset& dataset = engine_.loaded().dataset;
    const dataset::Truth truth = dataset.truth();
    DataSizes sizes{static_cast<double>(truth.crowd().users), static_cast<double>(truth.epochs()),
                    static_cast<double>(truth.crowd().rois * truth.epochs()), 0};
    for (std::size_t e = 0; e < truth.epochs(); ++e) {
      sizes.visits += static_cast<double>(truth.at(static_cast<EpochId>(e)).rois.size());
    }
    return sizes;
  }

  double budget(double share) const { return kPlanned * share * options_.budget_seconds; }

  std::size_t groups() const {
    const std::size_t named = study_.adversary.membership.groups.size();
    return named > 0 ? named : goal::kUsualGroups.size();
  }

  // False where time was over.
  bool all_rungs() {
    Pricing first(engine_, study_, guard_, mix(options_.seed, "advice"));
    if (!measure_errors(first)) return false;
    const Group within = within_mae();
    const std::size_t contests = study_.adversary.priors.size() * study_.adversary.attacks.size();
    const std::size_t people = work_.people(budget(kAdversaryShare), 1, contests, kLeastPeople);
    if (!first.find_adversaries(people, found_.adversaries)) return false;
    // Draws of their own: what was picked for what its draws were is not judged by them.
    Pricing last(engine_, study_, guard_, mix(options_.seed, "advice, last"));
    if (!first_rung(first, within) || !later_rungs(first, last)) return false;
    for (std::size_t time = 0; time < kTimesReopened && best_of(3) == nullptr; ++time) {
      const Group others = left_out(within);
      if (others.empty()) break;
      if (!price(first, others, kBatch, budget(kReopenedShare)) || !later_rungs(first, last)) return false;
    }
    return true;
  }

  bool later_rungs(Pricing& first, Pricing& last) {
    const double each = budget(kSecondShare) / 2 / kSecond;
    const OwnFidelity own{3, work_.people(each, 3, contests_of(found_.adversaries), kLeastPeople), kTakenOut};
    if (!measure(first, promising(kSecond, 2), own, {24, 40, true}, each, found_.adversaries, 2)) return false;
    for (std::size_t round = 0; round < kLastRounds; ++round) {
      const Group finalists = promising(kLast, 3);
      if (finalists.empty() || !last_rung(last, finalists)) return finalists.empty();
      if (best_of(3) != nullptr) break;
    }
    return true;
  }

  static std::size_t contests_of(const Adversaries& adversaries) {
    const auto uses = std::count_if(adversaries.attacks.begin(), adversaries.attacks.end(),
                                    [](const attack::AttackEntry* entry) { return entry->uses_release; });
    return adversaries.priors.size() * static_cast<std::size_t>(uses);
  }

  // Rung 0: what every candidate is good for.
  bool measure_errors(Pricing& pricing) {
    std::vector<BaselineError> baselines;
    if (!pricing.baselines(found_.all.front().candidate, baselines)) return false;
    Group all;
    for (Priced& one : found_.all) all.push_back(&one);
    std::vector<std::vector<double>> errors;
    if (!pricing.errors(all, 1, errors)) return false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Priced& one = *all[i];
      one.mae = value_of(errors[i]);
      const BaselineError* nearest = nullptr;
      for (const BaselineError& baseline : baselines) {
        if (baseline.mae < one.mae->mean && (nearest == nullptr || baseline.mae < nearest->mae)) nearest = &baseline;
      }
      if (nearest != nullptr) one.worse_than = nearest->name;
    }
    found_.rungs.push_back(all.size());
    return true;
  }

  // By MAE those that keep to its limit, or the nearest to it; and the one with most noise, which shows whether the
  // other limits can be met at all.
  Group within_mae() {
    Group sorted;
    for (Priced& one : found_.all) sorted.push_back(&one);
    std::stable_sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->mae->mean < b->mae->mean; });
    Group within;
    for (Priced* one : sorted) {
      if (!limits_.mae || one->mae->mean <= *limits_.mae || within.size() < kSpread) within.push_back(one);
    }
    if (within.back() != sorted.back()) within.push_back(sorted.back());
    for (Priced* one : within) one->rung = kNotReached;
    return within;
  }

  bool first_rung(Pricing& pricing, const Group& within) {
    // By what it takes to leave a person out, and to publish a group's counts. What is dear to measure comes last, and
    // only where it could be better than what was found.
    Group cells;
    Group people;
    Group dear;
    for (Priced* one : within) {
      const release::Chain& chain = one->candidate.chain;
      (chain.by_cell() ? cells : chain.by_person() ? people : dear).push_back(one);
    }
    own_.people = work_.people(budget(kOwnShare), static_cast<double>(cells.size() + people.size()),
                               contests_of(found_.adversaries), kLeastPeople);
    own_.control_sample = kTakenOut;
    if (!price(pricing, cells, kBatch, budget(kCellShare)) ||
        !price(pricing, better(people), kPeopleBatch, budget(kPeopleShare)) ||
        !price(pricing, better(dear), kDearBatch, budget(kDearShare))) {
      return false;
    }
    return true;
  }

  // Whether one with more noise, the same otherwise, is beyond a limit already: less noise hides no more.
  bool hopeless(const Priced& one) const {
    const auto family = families_.find(one.candidate.family());
    if (family == families_.end() || one.candidate.epsilon() == 0) return false;
    Limits privacy = limits_;
    privacy.mae.reset();
    return std::any_of(family->second.begin(), family->second.end(), [&](const Priced* other) {
      return other != &one && other->candidate.epsilon() < one.candidate.epsilon() && clearly_over(*other, privacy);
    });
  }

  // Those that could be better than the best found; the others are done with.
  Group better(const Group& sorted) {
    const Priced* best = best_of(0);
    Group some;
    for (Priced* one : sorted) {
      const bool could = best == nullptr || one->mae->mean < best->mae->mean;
      if (could) some.push_back(one);
      if (!could) one->rung = 0;
    }
    return some;
  }

  // What was left out for a candidate that then, measured better, did not keep to the limits.
  Group left_out(const Group& within) const {
    Group others;
    std::copy_if(within.begin(), within.end(), std::back_inserter(others), [&](const Priced* one) {
      const bool whole = one->own_loss && (one->membership || !limits_.membership);
      return !whole && one->rung != kNotReached && !clearly_over(*one, limits_) && !hopeless(*one);
    });
    return others;
  }

  // Own loss and membership, in an order that is spread over all, a batch at a time. What is no longer of interest by
  // then is left out, but for the first few, which show the frontier.
  bool price(Pricing& pricing, const Group& sorted, std::size_t batch_size, double allowed) {
    // The first few of all are measured whatever they take: advice without a measurement is none.
    double left = allowed;
    std::size_t seen = 0;
    const Group order = spread(sorted);
    const auto affords = [&] { return left > 0 || asked_ < kSpread; };
    for (std::size_t next = 0; next < order.size() && affords();) {
      Group batch;
      const Priced* best = best_of(0);
      for (; next < order.size() && batch.size() < batch_size && affords(); ++next) {
        Priced* one = order[next];
        const bool worse = best != nullptr && best->mae->mean <= one->mae->mean;
        if (seen++ >= kSpread && (worse || hopeless(*one))) {
          one->rung = 0;
          continue;
        }
        left -= work_.own(one->candidate.chain, own_, contests_of(found_.adversaries));
        batch.push_back(one);
      }
      const Group in_order = batch;
      std::stable_sort(batch.begin(), batch.end(), [](const Priced* a, const Priced* b) {
        return a->candidate.chain.drawless_visits() < b->candidate.chain.drawless_visits();
      });
      if (batch.empty()) break;
      if (!take_own(pricing, batch, own_, found_.adversaries, 1) || !price_game(pricing, in_order, left)) {
        return false;
      }
    }
    return true;
  }

  bool take_own(Pricing& pricing, const Group& batch, const OwnFidelity& how, const Adversaries& adversaries,
                std::size_t rung) {
    std::vector<OwnLoss> losses;
    if (!pricing.own_losses(batch, adversaries, how, losses)) return false;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      Priced& one = *batch[i];
      one.own_loss = losses[i].value;
      one.own_goal = losses[i].goal;
      one.own_prior = losses[i].prior;
      one.people = losses[i].people;
      one.draws = how.draws;
      one.rung = rung;
    }
    if (found_.rungs.size() <= rung) found_.rungs.resize(rung + 1);
    found_.rungs[rung] += batch.size();
    return true;
  }

  // In the first rung: of each what may still matter.
  bool price_game(Pricing& pricing, const Group& order, double& left) {
    const auto wanted = [&](std::size_t i) {
      const Priced& one = *order[i];
      const Priced* best = best_of(0);
      const bool worse = best != nullptr && best->mae->mean <= one.mae->mean;
      if (asked_ >= kSpread && (worse || clearly_over(one, limits_) || hopeless(one))) return false;
      if (left <= 0 && asked_ >= kSpread) {
        order[i]->rung = kNotReached;
        return false;
      }
      ++asked_;
      left -= work_.game(one.candidate.chain, kFirstGame, groups());
      return true;
    };
    return take_game(pricing, order, kFirstGame, wanted);
  }

  bool take_game(Pricing& pricing, const Group& order, const GameFidelity& how,
                 const std::function<bool(std::size_t)>& wanted) {
    if (order.empty() || !found_.no_membership.empty()) return true;
    const goal::MembershipSpec& spec = study_.adversary.membership;
    try {
      return pricing.memberships(order, how, wanted, [&](std::size_t i, const Value& value) {
        order[i]->membership = value;
        order[i]->targets = spec.targets == 0 ? how.targets : std::min(spec.targets, how.targets);
        order[i]->trials = std::min(spec.trials, how.trials);
      });
    } catch (const ConfigError& error) {
      if (limits_.membership) throw;
      found_.no_membership = error.what();
      return true;
    }
  }

  // Of those not yet in a rung, the most promising: what may keep to the limits by MAE, then what misses least.
  Group promising(std::size_t most, std::size_t rung) {
    Group group;
    for (Priced& one : found_.all) {
      const bool measured = one.own_loss && (one.membership || !limits_.membership) && one.rung != kNotReached;
      if (measured && one.rung < rung) group.push_back(&one);
    }
    std::stable_sort(group.begin(), group.end(), [&](const Priced* a, const Priced* b) {
      const bool a_over = clearly_over(*a, limits_);
      const bool b_over = clearly_over(*b, limits_);
      if (a_over != b_over) return b_over;
      if (!a_over) return a->mae->mean < b->mae->mean;
      return distance_from(*a, limits_) < distance_from(*b, limits_);
    });
    if (group.size() > most) group.resize(most);
    return group;
  }

  // The game with no more work than allowed, but never less than that of the first rung.
  GameFidelity fitted(GameFidelity game, const release::Chain& chain, double allowed) const {
    while (game.trials > kFirstGame.trials && work_.game(chain, game, groups()) > allowed) {
      game.trials = std::max(kFirstGame.trials, game.trials - game.trials / 4);
    }
    while (!chain.by_cell() && game.targets > kFirstGame.targets && work_.game(chain, game, groups()) > allowed) {
      game.targets = std::max(kFirstGame.targets, game.targets - game.targets / 4);
    }
    return game;
  }

  // `each`: what the game of one candidate may take.
  bool measure(Pricing& pricing, const Group& group, const OwnFidelity& own, const GameFidelity& game, double each,
               const Adversaries& adversaries, std::size_t rung) {
    if (group.empty()) return true;
    std::vector<std::vector<double>> errors;
    if (!pricing.errors(group, own.draws, errors)) return false;
    for (std::size_t i = 0; i < group.size(); ++i) group[i]->mae = value_of(errors[i]);
    if (!take_own(pricing, group, own, adversaries, rung)) return false;
    for (Priced* one : group) {
      const GameFidelity how = fitted(game, one->candidate.chain, each);
      if (!take_game(pricing, {one}, how, [](std::size_t) { return true; })) return false;
    }
    return true;
  }

  // As well as the study asks for, as far as the budget goes: all its adversaries, everybody, five draws, its game.
  bool last_rung(Pricing& pricing, const Group& finalists) {
    const Adversaries all{study_.adversary.priors, study_.adversary.attacks};
    const double each = budget(kLastShare) / 2 / static_cast<double>(kLast);
    OwnFidelity own{5, 0, study_.adversary.control_sample};
    const bool affords = work_.own(finalists.front()->candidate.chain, own, contests_of(all)) <= each;
    const Adversaries& adversaries = affords ? all : found_.adversaries;
    found_.by_all = affords;
    own.people = work_.people(each, static_cast<double>(own.draws), contests_of(adversaries), kLeastPeople);
    const goal::MembershipSpec& spec = study_.adversary.membership;
    const GameFidelity game{spec.targets == 0 ? 1000 : spec.targets, spec.trials, true};
    return measure(pricing, finalists, own, game, each, adversaries, 3);
  }

  // Of those measured in this rung or a later one, the most useful that keeps to the limits; none.
  const Priced* best_of(std::size_t rung) const {
    const Priced* best = nullptr;
    for (const Priced& one : found_.all) {
      if (one.rung == kNotReached || one.rung < rung || !one.own_loss || !keeps_to(one, limits_)) continue;
      if (best == nullptr || one.mae->mean < best->mae->mean) best = &one;
    }
    return best;
  }

  static constexpr GameFidelity kFirstGame{12, 16, false};

  engine::Engine& engine_;
  const experiment::Study& study_;
  const Limits& limits_;
  const Options& options_;
  Guard& guard_;
  Work work_;
  Found found_;
  OwnFidelity own_;
  std::size_t asked_ = 0;  // candidates whose membership was asked for
  std::map<std::string, std::vector<Priced*>> families_;
};

}  // namespace

Found search(engine::Engine& engine, const experiment::Study& study, const Limits& limits, const Options& options,
             Guard& guard) {
  return Search(engine, study, limits, options, guard).run();
}

}  // namespace hearsay::advice
