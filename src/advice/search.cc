// SPDX-License-Identifier: Apache-2.0
#include "advice/search.h"

#include <algorithm>
#include <limits>

#include "advice/field.h"
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
constexpr double kReserved = 1.5;      // candidates of the last rung that work is kept for
constexpr std::size_t kSecond = 4;     // candidates of the second rung, at a time
constexpr std::size_t kLastDraws = 3;
constexpr std::size_t kLeastPeople = 100;
constexpr std::size_t kLeastShare = 20;  // or one in so many

Value value_of(const std::vector<double>& draws) {
  const results::Interval interval = results::interval_of(draws);
  return {interval.mean, interval.low().value_or(interval.mean), interval.high().value_or(interval.mean)};
}

class Search {
 public:
  Search(engine::Engine& engine, const experiment::Study& study, const Limits& limits, const Options& options,
         Guard& guard)
      : engine_(engine),
        study_(study),
        limits_(limits),
        options_(options),
        guard_(guard),
        work_(sizes()),
        field_(options.candidates.empty() ? candidates_for(study) : options.candidates, limits) {}

  Found run() {
    if (!field_.all().empty()) found_.cut_short = !all_rungs();
    for (Priced& one : field_.all()) one.rung = one.rung == kNotReached ? 0 : one.rung;
    found_.unmeasured = found_.rungs.empty() ? field_.all().size() : field_.unfinished(within_);
    found_.all = std::move(field_.all());
    return std::move(found_);
  }

 private:
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

  // What a candidate is measured for: it may keep to the limits with less error, or be nearest to them.
  enum class Aim { kBest, kNearest };

  double budget(double share) const { return kPlanned * share * options_.budget_seconds; }

  std::size_t groups() const {
    const std::size_t named = study_.adversary.membership.groups.size();
    return named > 0 ? named : goal::kUsualGroups.size();
  }

  // False where time was over.
  bool all_rungs() {
    Pricing first(engine_, study_, guard_, mix(options_.seed, "advice"));
    if (!measure_errors(first)) return false;
    within_ = field_.take_within_mae();
    const std::size_t contests = study_.adversary.priors.size() * study_.adversary.attacks.size();
    own_.people = std::max(kLeastPeople, engine_.loaded().dataset.crowd().users / kLeastShare);
    const std::size_t people = work_.people(budget(kAdversaryShare), 1, contests, own_.people);
    if (!first.find_adversaries(people, found_.adversaries)) return false;
    Pricing last(engine_, study_, guard_, mix(options_.seed, "advice, last"));
    if (!first_rung(first)) return false;
    for (bool more = true; more;) {
      more = false;
      // What may keep to the limits is looked at again when nothing is left that could do better. Where nothing keeps
      // to them, what could be nearest is looked at then.
      const bool affords = left_ > kReserved * budget(kLastEach);
      Group others = affords ? field_.left_out(within_) : Group();
      const Aim aim = others.empty() ? Aim::kNearest : Aim::kBest;
      if (others.empty() && affords) others = field_.could_be_nearest();
      const Hope least = others.empty() ? Hope::kOver : aim == Aim::kNearest ? Hope::kMay : Hope::kKeeps;
      if (!second_rung(first, least, more) || !last_rung(last, least, more)) return false;
      if (others.empty() || more) continue;
      more = true;
      if (!price(first, field_.most_telling(others), aim, 0, kReopened, left_)) return false;
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
    if (!pricing.baselines(field_.all().front().candidate, baselines_)) return false;
    Group all;
    for (Priced& one : field_.all()) all.push_back(&one);
    if (!take_errors(pricing, all, 1)) return false;
    found_.rungs.push_back(all.size());
    return true;
  }

  bool take_errors(Pricing& pricing, const Group& group, std::size_t draws) {
    std::vector<Counted> counted;
    if (!pricing.errors(group, draws, counted)) return false;
    for (std::size_t i = 0; i < group.size(); ++i) {
      Priced& one = *group[i];
      one.mae = value_of(counted[i].errors);
      one.left_out = counted[i].left_out;
      one.publishes_nothing = counted[i].nothing;
      one.worse_than = results::nearer_baseline(baselines_, &release::Utility::mae, one.mae->mean);
    }
    return true;
  }

  bool first_rung(Pricing& pricing) {
    // By what it takes to leave a person out, and to publish a group's counts. What is dear to measure comes last, and
    // only where it could be better than what was found.
    Group cells;
    Group people;
    Group dear;
    for (Priced* one : within_) {
      const release::Chain& chain = one->candidate.chain;
      (chain.by_cell() ? cells : chain.by_person() ? people : dear).push_back(one);
    }
    own_.people = work_.people(budget(kOwnShare), static_cast<double>(cells.size() + people.size()),
                               contests_of(found_.adversaries), own_.people);
    own_.control_sample = kTakenOut;
    left_ = budget(kBetterShare);
    const auto some = [&](const Group& group, std::size_t batch, double share) {
      double left = budget(share);
      if (!price(pricing, spread(group), Aim::kBest, kSpread, batch, left)) return false;
      left_ += left;
      return true;
    };
    return some(cells, kBatch, kCellShare) && some(field_.better(people), kPeopleBatch, kPeopleShare) &&
           some(field_.better(dear), kDearBatch, kDearShare);
  }

  // Own loss and membership, a batch at a time. What is no longer of interest by then is left out, but for the first
  // `shown`, which show the frontier.
  bool price(Pricing& pricing, const Group& order, Aim aim, std::size_t shown, std::size_t batch_size, double& left) {
    // The first few of all are measured whatever they take: advice without a measurement is none.
    std::size_t seen = 0;
    const auto affords = [&] { return left > 0 || asked_ < kSpread; };
    for (std::size_t next = 0; next < order.size() && affords();) {
      Group batch;
      for (; next < order.size() && batch.size() < batch_size && affords(); ++next) {
        Priced* one = order[next];
        if (seen++ >= shown && !matters(*one, aim)) {
          if (aim == Aim::kBest) one->rung = 0;
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
      if (!take_own(pricing, batch, own_, found_.adversaries, 1) || !price_game(pricing, in_order, aim, left)) {
        return false;
      }
    }
    return true;
  }

  bool matters(const Priced& one, Aim aim) const {
    return aim == Aim::kBest ? !field_.is_worse(one) && !field_.hopeless(one) : field_.could_be_nearer(one);
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
  bool price_game(Pricing& pricing, const Group& order, Aim aim, double& left) {
    if (!found_.no_membership.empty()) {
      asked_ += order.size();
      return true;
    }
    const auto wanted = [&](std::size_t i) {
      const Priced& one = *order[i];
      const bool over = aim == Aim::kBest && clearly_over(one, limits_);
      if (asked_ >= kSpread && (over || !matters(one, aim))) return false;
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
    try {
      return pricing.memberships(order, how, wanted, [&](std::size_t i, const std::optional<Played>& played) {
        order[i]->unplayable = !played;
        if (!played) return;
        order[i]->membership = played->value;
        order[i]->targets = played->targets;
        order[i]->trials = played->trials;
      });
    } catch (const ConfigError& error) {
      if (limits_.membership) throw;
      found_.no_membership = error.what();
      asked_ += order.size();
      return true;
    }
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
    const Group group = field_.promising(kSecond, 1, least);
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
    const Group finalist = field_.promising(1, kSecondRung, least);
    if (finalist.empty() || (left_ <= 0 && found_.rungs.size() > kLastRung)) return true;
    more = true;
    Priced& one = *finalist.front();
    const release::Chain& chain = one.candidate.chain;
    if (!take_errors(pricing, finalist, kLastDraws)) return false;
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

  static constexpr GameFidelity kFirstGame{12, 16, false};

  engine::Engine& engine_;
  const experiment::Study& study_;
  const Limits& limits_;
  const Options& options_;
  Guard& guard_;
  Work work_;
  Field field_;
  Group within_;  // what is measured at first
  std::vector<goal::ReleaseResult> baselines_;
  Found found_;
  OwnFidelity own_;
  double left_ = 0;        // work, of the rungs after the first
  std::size_t asked_ = 0;  // candidates whose membership was asked for
};

}  // namespace

Found search(engine::Engine& engine, const experiment::Study& study, const Limits& limits, const Options& options,
             Guard& guard) {
  return Search(engine, study, limits, options, guard).run();
}

}  // namespace hearsay::advice
