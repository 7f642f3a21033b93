// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "goal/ground.h"
#include "goal/traces.h"
#include "release/draft.h"
#include "release/rule.h"

namespace hearsay::goal {

// Publishes the counts of a group of people as a defence would, or as they are.
class GroupPublisher {
 public:
  // `defence`: none publishes true counts. All outlive it.
  GroupPublisher(const Ground& ground, const Defence* defence, const Traces& traces, std::size_t group);

  bool raw() const { return defence_ == nullptr; }
  std::size_t group() const { return group_; }
  // Whether a count depends on the true one of its cell and the draw alone, so that others may be told without anew.
  bool by_cell() const;
  const release::Rule& rule() const { return rule_; }
  release::Guarantee guarantee() const;

  // Fills `published` by cell: counts, those missing not a number. `people`: who is in the group, asked for only where
  // the defence looks at visits. Draws of one number have the same noise. Called from several threads at once.
  void publish(std::span<const std::uint32_t> people, std::span<const double> counts, std::uint64_t draw,
               std::span<double> published) const;

 private:
  release::Draft draft_of(std::span<const std::uint32_t> people, std::span<const double> counts) const;

  const Ground& ground_;
  const Defence* defence_;
  const Traces& traces_;
  std::size_t group_;
  release::Rule rule_;
  std::optional<dataset::VisitStore> nobody_;
  std::optional<release::Draft> empty_;
};

}  // namespace hearsay::goal
