// SPDX-License-Identifier: Apache-2.0
//
// One person among the candidates of every place. Whether a place takes the person in follows from these few numbers
// and the place's count, so that nobody else's need be at hand.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "attack/greedy_plan.h"

namespace hearsay::attack {

class GreedyPerson final : public Summary {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // Where a person stands in a list of candidates.
  struct Standing {
    std::uint32_t candidates = 0;
    std::uint32_t position = kNone;  // of the person among them
    std::uint32_t below = 0;         // candidates whose place comes before the person's
  };

  GreedyPerson(const GreedyRule& rule, PersonKey person)
      : rule_(rule), place_(rule.by_reports ? person.rank : person.number) {}

  std::uint32_t place() const { return place_; }
  // ROIs ascend.
  void add(RoiId roi, const Standing& standing);
  // Among those for null who are not certain to be there.
  void set_null(const Standing& later) { later_ = later; }

  void write(PlaceRange places, BytesWriter& bytes) const override;
  // What write() wrote of the next places.
  void read(BytesReader& bytes);
  void add(std::unique_ptr<Summary> next) override;

  // A plan in which no more is right than what concerns the person.
  std::unique_ptr<GreedyPlan> plan(std::span<const RoiId> counted, const release::EpochCounts& counts,
                                   const dataset::Crowd& crowd) const;

 private:
  bool takes_in(const Standing& standing, std::size_t people) const;
  bool null_takes_in(std::size_t people, std::size_t users) const;

  GreedyRule rule_;
  std::uint32_t place_;
  std::vector<RoiId> rois_;
  std::vector<Standing> standings_;
  Standing later_;
};

}  // namespace hearsay::attack
