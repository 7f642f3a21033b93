// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "goal/group_publisher.h"
#include "goal/membership_players.h"

namespace hearsay::goal {

// What is the same for the practice of all targets.
struct PracticeRoom {
  const KnownCrowd& crowd;
  const GroupPublisher& publisher;
  const Traces& traces;
  const Traces* past;      // where she knows of past groups
  std::size_t groups = 0;  // with a target, and as many without
  std::uint64_t key = 0;
};

// Groups she can practise on for one target: of people she knows, or past ones.
class GroupPractice final : public membership::Practice {
 public:
  GroupPractice(const PracticeRoom& room, std::uint32_t target);

  // Whether there are any groups of that size to practise on.
  static bool available(const KnownCrowd& crowd, const Traces* past, std::size_t group) {
    return !crowd.people.empty() ? crowd.people.size() >= group : past != nullptr && !crowd.chances.empty();
  }

  std::span<const double> seen() const override { return seen_; }
  void release(std::size_t number, std::span<double> counts) const override;
  std::size_t groups() const override { return room_.groups; }
  void group(std::size_t number, bool with_target, std::span<double> counts) const override;

 private:
  // Draws people but the target and publishes the counts of them, with the target or without.
  void publish_group(const Traces& traces, std::span<const std::uint32_t> pool, bool with_target, std::uint64_t key,
                     std::span<double> counts) const;

  PracticeRoom room_;
  std::uint32_t target_;
  std::vector<double> seen_;
};

}  // namespace hearsay::goal
