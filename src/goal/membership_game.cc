// SPDX-License-Identifier: Apache-2.0
#include "goal/membership_game.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.h"
#include "base/parallel.h"
#include "base/random.h"
#include "goal/coarse_knowledge.h"
#include "goal/membership_practice.h"
#include "goal/membership_table.h"

namespace hearsay::goal {
namespace {

std::vector<std::uint32_t> evenly_spaced(const std::vector<std::uint32_t>& all, std::size_t number) {
  std::vector<std::uint32_t> some;
  for (std::size_t i = 0; i < std::min(number, all.size()); ++i) {
    some.push_back(all[i * all.size() / std::min(number, all.size())]);
  }
  return some;
}

}  // namespace

// One release, one crowd she knows, one size of groups.
class MembershipGame::Round {
 public:
  Round(const MembershipGame& game, const Defence* defence, std::size_t crowd, std::size_t group)
      : game_(game),
        crowd_(game.known_crowds_[crowd]),
        publisher_(game.ground_, defence, game.traces_.grid(), group),
        group_(group),
        targets_(publisher_.by_cell() ? game.targets_ : game.slow_targets_),
        key_(mix(mix(mix(game.seed_, "groups"), game.spec_.crowd[crowd].name), group)) {
    const MembershipSpec& spec = game.spec_;
    if (publisher_.coarse()) coarsen();
    for (const membership::DistinguisherEntry* entry : fitting()) {
      Player& player = players_.emplace_back();
      player.question = std::make_unique<membership::Question>(
          membership::Question{publisher_.grid(), group, publisher_.rule(),
                               (publisher_.coarse() ? coarse_crowd_ : crowd_).view(), mix(key_, "own draws")});
      player.distinguisher = entry->create(*player.question);
      for (std::size_t t = 0; t < spec.target.size(); ++t) {
        Line& line = player.lines.emplace_back();
        line.known = publisher_.coarse() ? &coarse_targets_[t] : &game.known_targets_[t];
        const bool near_all = group * kHonestShare > crowd_.pool.size();
        line.scores = {
            {entry, &spec.target[t], &spec.crowd[crowd], defence, group, near_all}, targets_, spec.trials, {}, {}};
        line.scores.with.resize(targets_.size() * spec.trials);
        line.scores.without.resize(targets_.size() * spec.trials);
      }
    }
  }

  void learn() {
    for (Player& player : players_) {
      for (Line& line : player.lines) line.lessons.resize(targets_.size());
      parallel_for(targets_.size(), game_.ground_.options.threads, [&](std::size_t t, std::size_t) {
        const GroupPractice practice(
            {crowd_, publisher_, game_.traces_, game_.past_.get(), practice_groups(), mix(key_, "practice")},
            targets_[t]);
        for (Line& line : player.lines) {
          if (!stopped()) line.lessons[t] = player.distinguisher->learn(presences(line, t), practice);
        }
      });
    }
    game_.ground_.check_stop();
  }

  // `done`: called by the calling thread with how many groups were played.
  void play(const std::function<void(std::size_t done)>& done) {
    const std::size_t threads = game_.ground_.options.threads;
    std::vector<std::unique_ptr<GroupTable>> tables(std::max<std::size_t>(1, threads));
    std::vector<std::vector<std::unique_ptr<membership::Reader>>> readers(tables.size());
    parallel_for(2 * game_.spec_.trials, threads, [&](std::size_t number, std::size_t worker) {
      if (stopped()) return;
      if (tables[worker] == nullptr) {
        tables[worker] = std::make_unique<GroupTable>(game_.traces_, publisher_, crowd_.pool);
        for (const Player& player : players_) readers[worker].push_back(player.distinguisher->reader());
      }
      play_group(number / 2, number % 2 == 0, *tables[worker], readers[worker]);
      if (worker == 0 && done) done(number + 1);
    });
    game_.ground_.check_stop();
  }

  bool has_players() const { return !players_.empty(); }

  void hand_over(const std::function<void(const MembershipScores& scores)>& take) {
    for (const Player& player : players_) {
      for (const Line& line : player.lines) take(line.scores);
    }
  }

 private:
  // What one knowledge of targets makes of a distinguisher.
  struct Line {
    const std::vector<KnownTarget>* known = nullptr;
    std::vector<std::unique_ptr<membership::Lesson>> lessons;
    MembershipScores scores;
  };
  struct Player {
    std::unique_ptr<membership::Question> question;
    std::unique_ptr<membership::Distinguisher> distinguisher;
    std::vector<Line> lines;
  };
  using Readers = std::vector<std::unique_ptr<membership::Reader>>;

  // The attacks that have something to say of this release with what she knows.
  std::vector<const membership::DistinguisherEntry*> fitting() const {
    const bool any = game_.spec_.attacks.empty();
    std::vector<const membership::DistinguisherEntry*> list;
    for (const membership::DistinguisherEntry* entry : any ? membership::all_distinguishers() : game_.spec_.attacks) {
      if (!publisher_.rule().exact && !entry->takes_noise) continue;
      if (entry->needs_groups && practice_groups() == 0) continue;
      if (entry->publishes && publisher_.reads_visits()) continue;
      list.push_back(entry);
      if (any) break;
    }
    return list;
  }

  // She knows what the larger places and longer epochs are.
  void coarsen() {
    coarse_crowd_ = coarse_crowd(crowd_, publisher_.geometry());
    for (const std::vector<KnownTarget>& known : game_.known_targets_) {
      std::vector<KnownTarget>& coarse = coarse_targets_.emplace_back();
      for (const KnownTarget& target : known) coarse.push_back(coarse_target(target, publisher_.geometry()));
    }
  }

  bool stopped() const { return game_.ground_.options.stop.stop_requested(); }

  std::size_t practice_groups() const {
    return GroupPractice::available(crowd_, game_.past_.get(), group_) ? game_.spec_.trials : 0;
  }

  // Targets are by number among all of the game.
  membership::Target presences(const Line& line, std::size_t target) const {
    const auto place = std::lower_bound(game_.targets_.begin(), game_.targets_.end(), targets_[target]);
    return (*line.known)[static_cast<std::size_t>(place - game_.targets_.begin())].view();
  }

  void play_group(std::size_t trial, bool with_target, GroupTable& table, Readers& readers) {
    table.draw(group_, with_target, mix(key_, trial));
    if (publisher_.by_cell()) {
      for (const auto& reader : readers) reader->open(table.published());
      for (std::size_t t = 0; t < targets_.size(); ++t) {
        score(trial, with_target, t, readers, table.changed_for(targets_[t]));
      }
      return;
    }
    // Groups that are the same for several targets first: those are published once.
    std::vector<std::size_t> own;
    bool opened = false;
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      if (!table.same_for(targets_[t])) {
        own.push_back(t);
        continue;
      }
      if (!opened) {
        for (const auto& reader : readers) reader->open(table.published());
      }
      opened = true;
      score(trial, with_target, t, readers, {});
    }
    for (const std::size_t t : own) {
      if (stopped()) return;
      const std::span<const double> counts = table.published_for(targets_[t]);
      for (const auto& reader : readers) reader->open(counts);
      score(trial, with_target, t, readers, {});
    }
  }

  void score(std::size_t trial, bool with_target, std::size_t target, Readers& readers,
             std::span<const membership::Changed> changed) {
    for (std::size_t i = 0; i < players_.size(); ++i) {
      readers[i]->change(changed);
      for (Line& line : players_[i].lines) {
        std::vector<double>& scores = with_target ? line.scores.with : line.scores.without;
        scores[target * line.scores.trials + trial] =
            readers[i]->score(presences(line, target), line.lessons[target].get());
      }
    }
  }

  const MembershipGame& game_;
  const KnownCrowd& crowd_;
  GroupPublisher publisher_;
  KnownCrowd coarse_crowd_;                               // where counts are of larger places or longer epochs
  std::vector<std::vector<KnownTarget>> coarse_targets_;  // by knowledge and target
  std::size_t group_;
  const std::vector<std::uint32_t>& targets_;
  std::uint64_t key_;
  std::vector<Player> players_;
};

MembershipGame::MembershipGame(const Ground& ground)
    : ground_(ground),
      spec_(ground.adversary.membership),
      seed_(spec_.seed.value_or(ground.seed)),
      traces_(inference_traces(ground)),
      targets_(choose_targets(traces_, spec_.targets, seed_)),
      slow_targets_(evenly_spaced(targets_, kSlowTargets)) {
  if (targets_.empty()) {
    throw ConfigError("study.goals", "membership", "nobody was anywhere in the inference period");
  }
  bool learns = false;
  const bool nobody_known = std::all_of(spec_.crowd.begin(), spec_.crowd.end(), [](const CrowdKnowledge& knowledge) {
    return knowledge.kind == CrowdKnowledge::Kind::kNone;
  });
  for (const membership::DistinguisherEntry* entry : spec_.attacks) {
    learns = learns || entry->needs_groups;
    if (entry->needs_groups && nobody_known) {
      throw ConfigError("membership.attacks", entry->info.name,
                        "learns of groups of people she knows: membership.crowd must name sample or past");
    }
  }
  for (const TargetKnowledge& knowledge : spec_.target) {
    known_targets_.push_back(know_targets(ground, knowledge, traces_, targets_, seed_));
  }
  for (const CrowdKnowledge& knowledge : spec_.crowd) {
    known_crowds_.push_back(know_crowd(ground, knowledge, traces_, targets_, seed_));
    groups_of(known_crowds_.back(), knowledge);
    if (learns && knowledge.kind == CrowdKnowledge::Kind::kPast && past_ == nullptr) past_ = past_traces(ground);
  }
}

MembershipGame::~MembershipGame() = default;

std::vector<std::size_t> MembershipGame::groups_of(const KnownCrowd& crowd, const CrowdKnowledge& knowledge) const {
  const std::size_t people = crowd.pool.size();
  if (people < 3) throw ConfigError("study.goals", "membership", "there are too few people to draw groups from");
  if (!spec_.groups.empty()) {
    for (const std::size_t group : spec_.groups) {
      const std::string shown = std::to_string(group);
      if (group + 1 > people) {
        throw ConfigError("membership.groups", shown,
                          fmt::format("there are {} people to draw groups from (crowd {})", people, knowledge.name));
      }
      if (group > people / 2 && !spec_.beyond_half) {
        throw ConfigError("membership.groups", shown,
                          fmt::format("is more than half of the {} people to draw groups from (crowd {}): such groups "
                                      "hardly differ, and the target would seem more exposed than it is; "
                                      "membership.beyond_half = true plays them anyway",
                                      people, knowledge.name));
      }
    }
    return spec_.groups;
  }
  std::vector<std::size_t> groups;
  for (const std::size_t group : kUsualGroups) {
    if (group * kHonestShare <= people) groups.push_back(group);
  }
  if (groups.empty()) groups.push_back(std::max<std::size_t>(1, people / kHonestShare));
  return groups;
}

void MembershipGame::play(const Defence* defence, const std::function<void(const MembershipScores& scores)>& take) {
  for (std::size_t crowd = 0; crowd < spec_.crowd.size(); ++crowd) {
    for (const std::size_t group : groups_of(known_crowds_[crowd], spec_.crowd[crowd])) {
      ground_.check_stop();
      const Progress& progress = ground_.options.progress;
      const std::string what = fmt::format("drawing groups of {}", group);
      if (progress) progress(what, 0, 2 * spec_.trials);
      Round round(*this, defence, crowd, group);
      if (!round.has_players()) continue;
      round.learn();
      round.play([&](std::size_t done) {
        if (progress) progress(what, done, 2 * spec_.trials);
      });
      round.hand_over(take);
    }
  }
}

}  // namespace hearsay::goal
