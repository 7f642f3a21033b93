// SPDX-License-Identifier: Apache-2.0
//
// The game of membership: a group of people is drawn, its counts are published, and somebody says whether the target is
// among them. In half of the groups it is: m - 1 others and the target, else m others. A group with the target and one
// without have the same others, but one, and the same noise: what they have in common says nothing, and is no chance.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "goal/group_publisher.h"
#include "goal/membership_players.h"

namespace hearsay::goal {

// A way to tell, on groups of one size of one release.
struct MembershipLine {
  const membership::DistinguisherEntry* attack = nullptr;
  const TargetKnowledge* target = nullptr;
  const CrowdKnowledge* crowd = nullptr;
  const Defence* defence = nullptr;  // none: true counts
  std::size_t group = 0;
  bool near_all = false;  // the group is more than a quarter of those it is drawn from
};

// The scores of one line, by target and trial.
struct MembershipScores {
  MembershipLine line;
  std::span<const std::uint32_t> targets;  // users; all of the game or, where each costs a release of its own, some
  std::size_t trials = 0;
  std::vector<double> with;
  std::vector<double> without;
  std::span<const double> with_of(std::size_t target) const { return std::span(with).subspan(target * trials, trials); }
  std::span<const double> without_of(std::size_t target) const {
    return std::span(without).subspan(target * trials, trials);
  }
};

// Where each group costs a release of its own for every target, this many are asked about.
inline constexpr std::size_t kSlowTargets = 30;
// Groups of more than this share of all people vary too little.
inline constexpr std::size_t kHonestShare = 4;

class MembershipGame {
 public:
  // The ground outlives it. Throws ConfigError where the data does not allow what the study asks for.
  explicit MembershipGame(const Ground& ground);
  ~MembershipGame();

  const Traces& traces() const { return traces_; }
  const std::vector<std::uint32_t>& targets() const { return targets_; }

  // Plays one release, none for true counts, and hands over what came of it, in a fixed order.
  void play(const Defence* defence, const std::function<void(const MembershipScores& scores)>& take);

 private:
  class Round;
  std::vector<std::size_t> groups_of(const KnownCrowd& crowd, const CrowdKnowledge& knowledge) const;

  const Ground& ground_;
  const MembershipSpec& spec_;
  std::uint64_t seed_;
  Traces traces_;
  std::vector<std::uint32_t> targets_;
  std::vector<std::uint32_t> slow_targets_;
  std::vector<std::vector<KnownTarget>> known_targets_;  // by knowledge and target
  std::vector<KnownCrowd> known_crowds_;
  std::unique_ptr<Traces> past_;  // where somebody learns of past groups
};

}  // namespace hearsay::goal
