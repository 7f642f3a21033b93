// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "attack/greedy.h"

namespace hearsay::attack {

// A user's place in the order that breaks ties.
inline std::uint32_t place_of(UserId user, const GreedyRule& rule, const dataset::Crowd& crowd) {
  return rule.by_reports ? crowd.ranks[index_of(user)] : crowd.number_of(user);
}

inline constexpr Cut kNobody = {std::numeric_limits<double>::infinity(), 0};

// The order in which candidates are taken in.
inline constexpr auto kComesBefore = [](const Cut& a, const Cut& b) {
  return a.probability != b.probability ? a.probability > b.probability : a.place < b.place;
};

// Candidates in the order they are taken in: higher probability first, then lower place.
struct Candidates {
  std::vector<double> probabilities;  // empty: all alike
  std::vector<std::uint32_t> places;

  std::size_t size() const { return places.size(); }
  double probability(std::size_t i) const { return probabilities.empty() ? 1.0 : probabilities[i]; }
  Cut cut_after(std::size_t people) const { return {probability(people - 1), places[people - 1]}; }
};

// The candidates of every ROI in one table of a prior. Null is kept apart: everybody is a candidate for it, most of
// them alike, and only those who are not alike are listed.
class GreedySummary final : public Summary {
 public:
  GreedySummary(const belief::Beliefs& prior, const GreedyRule& rule, const dataset::Crowd& crowd);
  // What write() wrote.
  GreedySummary(const GreedyRule& rule, BytesReader& bytes);
  void add(std::unique_ptr<Summary> next) override;
  bool splits() const override { return !shared_; }
  void write(PlaceRange places, BytesWriter& bytes) const override;
  void write_person(PersonKey person, PlaceRange places, BytesWriter& bytes) const override;

  // The last one taken in when `people` are, and up to which place those with prior 0 are too (0: none of them).
  struct RoiCut {
    Cut cut;
    std::uint32_t limit = 0;
  };
  // `next` is where the last search ended, 0 at first; ROIs ascend.
  RoiCut cut_of_roi(RoiId roi, std::size_t people, std::size_t& next) const;
  Cut cut_of_null(std::size_t people, std::size_t users) const;

 private:
  explicit GreedySummary(const GreedyRule& rule) : rule_(rule) {}
  void list_rows(const belief::Rows& rows, const dataset::Crowd& crowd);
  void place_in_null(std::span<const UserId> users, std::span<const double> chances, const dataset::Crowd& crowd);

  GreedyRule rule_;
  std::uint32_t null_ = 0;           // the number of null
  bool shared_ = false;              // one list of candidates for every ROI of `open_`
  std::vector<bool> open_;           // by ROI
  std::vector<RoiId> rois_;          // those with a candidate, ascending
  std::vector<std::size_t> begins_;  // of each in candidates_, and the end
  Candidates candidates_;
  std::vector<std::uint32_t> places_;  // of the candidates, each ROI's ascending; empty where candidates_ are so anyway
  Candidates later_;                   // for null: those who come after the users certain to be there
  std::vector<std::uint32_t> later_places_;  // the same, ascending
};

}  // namespace hearsay::attack
