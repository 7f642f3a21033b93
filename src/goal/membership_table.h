// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "goal/group_publisher.h"
#include "goal/traces.h"
#include "membership/distinguisher.h"

namespace hearsay::goal {

// The groups of one worker, one after another. A group is drawn once for all targets: somebody who is a target and was
// drawn is replaced by the next in line, so that for each target the others are drawn from everybody but the target.
class GroupTable {
 public:
  GroupTable(const Traces& traces, const GroupPublisher& publisher, std::span<const std::uint32_t> pool);

  // Draws the others of a group of so many people, the target among them or not; the key says whom, and which noise.
  void draw(std::size_t group, bool with_target, std::uint64_t key);

  // The counts of those drawn, as published: all but the target, or all.
  std::span<const double> published();
  // Of a publisher by cell: what is published in other counts' place for a target. Valid until the next call.
  std::span<const membership::Changed> changed_for(std::uint32_t target);

  // Of another one: whether the group of a target is just those drawn; else what is published of its own.
  bool same_for(std::uint32_t target) const;
  std::span<const double> published_for(std::uint32_t target);

 private:
  static constexpr std::uint32_t kNobody = ~0U;
  // Who comes and who goes, against those counted.
  struct Swap {
    std::uint32_t in = kNobody;
    std::uint32_t out = kNobody;
  };
  Swap swap_for(std::uint32_t target) const;
  void count(std::uint32_t person, double change);
  void publish(std::span<const double> counts, std::span<double> published) const;
  void publish_shifted();

  const Traces& traces_;
  const GroupPublisher& publisher_;
  std::vector<std::uint32_t> order_;       // the pool; those drawn come first
  std::vector<std::uint32_t> place_;       // by user: its place in line, for those drawn
  std::vector<std::uint32_t> drawn_from_;  // to put order_ back
  std::size_t counted_ = 0;                // of order_, the first, whose counts are published
  bool with_target_ = false;
  std::uint64_t key_ = 0;
  std::vector<double> counts_;
  std::vector<double> published_;
  std::vector<double> one_more_;  // published where every count is one more, or one less
  std::vector<double> one_fewer_;
  std::vector<double> own_;
  std::vector<membership::Changed> changed_;
  std::vector<std::uint32_t> people_;
};

}  // namespace hearsay::goal
