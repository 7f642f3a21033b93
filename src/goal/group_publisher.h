// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "goal/ground.h"
#include "membership/distinguisher.h"
#include "release/draft.h"
#include "release/rule.h"

namespace hearsay::goal {

// Publishes the counts of a group of people as a defence would, or as they are.
class GroupPublisher {
 public:
  // `defence`: none publishes true counts. Ground and defence outlive it.
  GroupPublisher(const Ground& ground, const Defence* defence, const membership::Grid& grid, std::size_t group);

  bool raw() const { return defence_ == nullptr; }
  std::size_t group() const { return group_; }
  // Whether a count depends on the true one of its cell and the draw alone, so that others may be told without anew.
  bool by_cell() const;
  // The places and epochs that are published, which may be larger and longer than the study's.
  membership::Grid grid() const { return {geometry_.places, geometry_.epochs}; }
  const release::Geometry& geometry() const { return geometry_; }
  bool coarse() const { return geometry_.places != grid_.places || geometry_.epochs != grid_.epochs; }
  const release::Rule& rule() const { return rule_; }
  const release::Guarantee& guarantee() const { return guarantee_; }

  // Whether it looks at people's visits, not at counts alone.
  bool reads_visits() const { return !raw() && defence_->chain.reads_visits(); }

  // The cells of everybody in a group; asked for only where visits are read.
  using People = std::span<const std::span<const std::uint32_t>>;
  // Fills `published` by cell of grid(): counts, of a sample those of everybody, those missing not a number. Draws of
  // one number have the same noise. Called from several threads at once.
  void publish(People people, std::span<const double> counts, std::uint64_t draw, std::span<double> published) const;
  // The same in two moves, of a group that is published often. Not for true counts.
  release::Draft draft_of(People people, std::span<const double> counts) const;
  void publish(const release::Draft& group, std::uint64_t draw, std::span<double> published) const;

 private:
  const Ground& ground_;
  const Defence* defence_;
  membership::Grid grid_;
  std::size_t group_;
  release::Geometry geometry_;
  release::Rule rule_;
  release::Guarantee guarantee_;
  std::optional<dataset::VisitStore> nobody_;
  std::optional<release::Draft> empty_;
};

}  // namespace hearsay::goal
