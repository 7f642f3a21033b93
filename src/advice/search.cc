// SPDX-License-Identifier: Apache-2.0
#include "advice/search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "base/errors.h"
#include "base/random.h"
#include "results/repeats.h"

namespace hearsay::advice {
namespace {

// What of the budget is planned with, as work of one core, so that a machine with two is done in half of it. More than
// all: schedule.h reckons what a measurement takes rather too high.
constexpr double kPlanned = 1.25;
// What of that goes where.
constexpr double kAdversaryShare = 0.05;
constexpr double kOwnShare = 0.2;      // of own loss in the first rung, if all its candidates were measured
constexpr double kCellShare = 0.15;    // of candidates that go by cell
constexpr double kPeopleShare = 0.15;  // of those whose visits go by person
constexpr double kDearShare = 0.05;    // of others
constexpr double kBetterShare = 0.6;   // of measuring the promising better, and what was left out before
constexpr double kSecondEach = 0.01;   // of a candidate in the second rung
constexpr double kLastEach = 0.07;     // in the last
constexpr double kLastGame = 0.4;      // of that, its game

constexpr std::size_t kBatch = 8;
constexpr std::size_t kPeopleBatch = 8;
constexpr std::size_t kDearBatch = 4;
constexpr std::size_t kTakenOut = 16;  // people, one by one, of candidates that do not go by person
constexpr std::size_t kSpread = 8;     // measured whatever is known of others, for the frontier
constexpr double kReserved = 1.5;      // candidates of the last rung that work is kept for
constexpr std::size_t kReopened = 4;   // of what was left out before, at a time
constexpr std::size_t kSecond = 4;     // candidates of the second rung, at a time
constexpr std::size_t kLastDraws = 3;
constexpr std::size_t kLeastPeople = 100;
constexpr std::size_t kLeastShare = 20;  // or one in so many

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
  static constexpr std::size_t kSecondRung = 2;
  static constexpr std::size_t kLastRung = 3;

  // How promising one is: it keeps to the limits as far as is known, it may, it does not.
  enum class Hope { kKeeps, kMay, kOver };

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
    own_.people = std::max(kLeastPeople, engine_.loaded().dataset.crowd().users / kLeastShare);
    const std::size_t people = work_.people(budget(kAdversaryShare), 1, contests, own_.people);
    if (!first.find_adversaries(people, found_.adversaries)) return false;
    Pricing last(engine_, study_, guard_, mix(options_.seed, "advice, last"));
    if (!first_rung(first, within)) return false;
    for (bool more = true; more;) {
      more = false;
      // What may keep to the limits is looked at again when nothing is left that could do better.
      const Group others = left_ > kReserved * budget(kLastEach) ? left_out(within) : Group();
      const Hope least = others.empty() ? Hope::kOver : Hope::kKeeps;
      if (!second_rung(first, least, more) || !last_rung(last, least, more)) return false;
      if (others.empty() || more) continue;
      more = true;
      if (!price(first, most_telling(others), 0, kReopened, left_)) return false;
    }
    // What cannot be better than what was found is done with, whatever was not measured of it.
    for (Priced* one : within) one->rung = one->rung == kNotReached ? 0 : one->rung;
    for (Priced* one : left_out(within)) one->rung = one->rung == 0 ? kNotReached : one->rung;
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
                               contests_of(found_.adversaries), own_.people);
    own_.control_sample = kTakenOut;
    left_ = budget(kBetterShare);
    const auto some = [&](const Group& group, std::size_t batch, double share) {
      double left = budget(share);
      if (!price(pricing, spread(group), kSpread, batch, left)) return false;
      left_ += left;
      return true;
    };
    return some(cells, kBatch, kCellShare) && some(better(people), kPeopleBatch, kPeopleShare) &&
           some(better(dear), kDearBatch, kDearShare);
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

  // What was left out, because of the budget or for a candidate that then, measured better, did not keep to the limits,
  // and could be better than the best known now.
  Group left_out(const Group& within) const {
    const Priced* best = best_of(0);
    Group others;
    std::copy_if(within.begin(), within.end(), std::back_inserter(others), [&](const Priced* one) {
      const bool could = best == nullptr || one->mae->mean < best->mae->mean;
      return could && !is_measured(*one) && !clearly_over(*one, limits_) && !hopeless(*one);
    });
    return others;
  }

  bool is_measured(const Priced& one) const {
    const bool plays = limits_.membership && found_.no_membership.empty();
    return one.own_loss && (one.membership || !plays);
  }

  // What a candidate probably gives away, as others of the same places and epochs tell: what is between the nearest
  // with a smaller and with a larger error. `most`: where nothing would be given away any more.
  std::optional<Value> between(const Priced& one, std::optional<Value> Priced::*figure, double blind,
                               double most) const {
    const Priced* below = nullptr;
    const Priced* above = nullptr;
    const double mae = one.mae->mean;
    const std::string geometry = one.candidate.chain.drawless_visits();
    for (const Priced& other : found_.all) {
      if (!(other.*figure) || other.candidate.chain.drawless_visits() != geometry) continue;
      if (other.mae->mean <= mae && (below == nullptr || other.mae->mean > below->mae->mean)) below = &other;
      if (other.mae->mean >= mae && (above == nullptr || other.mae->mean < above->mae->mean)) above = &other;
    }
    if (below == nullptr) return above == nullptr ? std::nullopt : above->*figure;
    const double from = below->mae->mean;
    const double to = above == nullptr ? std::max(most, mae) : above->mae->mean;
    const double end = above == nullptr ? blind : (above->*figure)->mean;
    const double share = to > from ? (mae - from) / (to - from) : 0;
    const double mean = (below->*figure)->mean + share * (end - (below->*figure)->mean);
    return Value{mean, mean, mean};
  }

  // A few to measure next: what probably keeps to the limits, by MAE, then what is probably least over; of the same
  // places and epochs not all at once.
  Group most_telling(const Group& group) const {
    struct Guess {
      Priced* one;
      bool over;
      double order;
    };
    const Priced* best = best_of(0);
    const double most = best != nullptr ? best->mae->mean : group.back()->mae->mean;
    std::vector<Guess> guesses;
    for (Priced* one : group) {
      Priced guess;
      guess.mae = one->mae;
      guess.own_loss = between(*one, &Priced::own_loss, 0, most);
      guess.membership = between(*one, &Priced::membership, kBlindGuess, most);
      const bool over = !probably_keeps_to(guess, limits_);
      guesses.push_back({one, over, over ? distance_from(guess, limits_) : one->mae->mean});
    }
    std::stable_sort(guesses.begin(), guesses.end(), [](const Guess& a, const Guess& b) {
      return std::pair(a.over, a.order) < std::pair(b.over, b.order);
    });
    Group few;
    std::map<std::string, std::size_t> of_geometry;
    for (const Guess& guess : guesses) {
      if (few.size() == kReopened) break;
      if (++of_geometry[guess.one->candidate.chain.drawless_visits()] <= kReopened / 2) few.push_back(guess.one);
    }
    return few;
  }

  // Own loss and membership, a batch at a time. What is no longer of interest by then is left out, but for the first
  // `shown`, which show the frontier.
  bool price(Pricing& pricing, const Group& order, std::size_t shown, std::size_t batch_size, double& left) {
    // The first few of all are measured whatever they take: advice without a measurement is none.
    std::size_t seen = 0;
    const auto affords = [&] { return left > 0 || asked_ < kSpread; };
    for (std::size_t next = 0; next < order.size() && affords();) {
      Group batch;
      const Priced* best = best_of(0);
      for (; next < order.size() && batch.size() < batch_size && affords(); ++next) {
        Priced* one = order[next];
        const bool worse = best != nullptr && best->mae->mean <= one->mae->mean;
        if (seen++ >= shown && (worse || hopeless(*one))) {
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

  Hope hope_of(const Priced& one) const {
    return clearly_over(one, limits_) ? Hope::kOver : probably_keeps_to(one, limits_) ? Hope::kKeeps : Hope::kMay;
  }

  // The most promising of those that were last measured in a rung. Where one is known that keeps to the limits, only
  // what probably is better; what is over is measured once, to show what is nearest.
  Group promising(std::size_t most, std::size_t rung, Hope least) {
    const Priced* best = best_of(kLastRung);
    Group group;
    for (Priced& one : found_.all) {
      if (one.rung != rung || !is_measured(one)) continue;
      const Hope hope = hope_of(one);
      if (hope > least) continue;
      if (best != nullptr && (hope != Hope::kKeeps || one.mae->mean >= best->mae->mean)) continue;
      if (hope == Hope::kOver && found_.rungs.size() > kLastRung) continue;
      group.push_back(&one);
    }
    std::stable_sort(group.begin(), group.end(), [&](const Priced* a, const Priced* b) {
      const Hope hope = hope_of(*a);
      if (hope != hope_of(*b)) return hope < hope_of(*b);
      if (hope == Hope::kKeeps) return a->mae->mean < b->mae->mean;
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

  // Never fewer than in the first rung.
  std::size_t least_people() const { return own_.people == 0 ? std::numeric_limits<std::size_t>::max() : own_.people; }

  // Errors of more people, and a larger game, of a few that are promising.
  bool second_rung(Pricing& pricing, Hope least, bool& more) {
    const Group group = promising(kSecond, 1, least);
    if (group.empty() || (left_ <= 0 && found_.rungs.size() > kSecondRung)) return true;
    more = true;
    const double each = budget(kSecondEach);
    const std::size_t contests = contests_of(found_.adversaries);
    const OwnFidelity own{1, work_.people(each, 1, contests, least_people()), kTakenOut};
    if (!take_own(pricing, group, own, found_.adversaries, kSecondRung)) return false;
    for (Priced* one : group) {
      const GameFidelity game = fitted({24, 40, true}, one->candidate.chain, each);
      left_ -= work_.own(one->candidate.chain, own, contests);
      if (game.trials == kFirstGame.trials) continue;
      left_ -= work_.game(one->candidate.chain, game, groups());
      if (!take_game(pricing, {one}, game, [](std::size_t) { return true; })) return false;
    }
    return true;
  }

  // One as well as the study asks for, as far as the budget goes: all its adversaries, everybody, a few draws, its
  // game. On draws of its own: what was picked for what its draws were is not judged by them.
  bool last_rung(Pricing& pricing, Hope least, bool& more) {
    const Group finalist = promising(1, kSecondRung, least);
    if (finalist.empty() || (left_ <= 0 && found_.rungs.size() > kLastRung)) return true;
    more = true;
    Priced& one = *finalist.front();
    const release::Chain& chain = one.candidate.chain;
    std::vector<std::vector<double>> errors;
    if (!pricing.errors(finalist, kLastDraws, errors)) return false;
    one.mae = value_of(errors.front());
    const std::size_t draws =
        one.mae->low == one.mae->high ? 1 : kLastDraws;  // nothing is drawn, or nothing of it seen
    const double each = budget(kLastEach);
    const double own_each = (1 - kLastGame) * each;
    const Adversaries all{study_.adversary.priors, study_.adversary.attacks};
    const std::size_t taken_out = std::max(kTakenOut, study_.adversary.control_sample);
    if (found_.rungs.size() <= kLastRung) {
      found_.by_all = work_.own(chain, {draws, 0, taken_out}, contests_of(all)) <= own_each;
    }
    const Adversaries& adversaries = found_.by_all ? all : found_.adversaries;
    const std::size_t contests = contests_of(adversaries);
    // The raw counts are attacked with every release.
    const std::size_t people = work_.people(own_each, static_cast<double>(draws + 1), contests, least_people());
    const OwnFidelity own{draws, people, work_.taken_out(own_each, draws, contests, taken_out)};
    const goal::MembershipSpec& spec = study_.adversary.membership;
    const GameFidelity game =
        fitted({spec.targets == 0 ? 1000 : spec.targets, spec.trials, true}, chain, kLastGame * each);
    left_ -=
        work_.own(chain, {own.draws + 1, own.people, own.control_sample}, contests) + work_.game(chain, game, groups());
    return take_own(pricing, finalist, own, adversaries, kLastRung) &&
           take_game(pricing, finalist, game, [](std::size_t) { return true; });
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
  double left_ = 0;        // work, of the rungs after the first
  std::size_t asked_ = 0;  // candidates whose membership was asked for
  std::map<std::string, std::vector<Priced*>> families_;
};

}  // namespace

Found search(engine::Engine& engine, const experiment::Study& study, const Limits& limits, const Options& options,
             Guard& guard) {
  return Search(engine, study, limits, options, guard).run();
}

}  // namespace hearsay::advice
