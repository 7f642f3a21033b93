// SPDX-License-Identifier: Apache-2.0
#include "attack/greedy_person.h"

#include <stdexcept>

namespace hearsay::attack {
namespace {

constexpr Cut kEverybody = {0.0, std::numeric_limits<std::uint32_t>::max()};

}  // namespace

void GreedyPerson::add(RoiId roi, const Standing& standing) {
  rois_.push_back(roi);
  standings_.push_back(standing);
}

void GreedyPerson::write(PlaceRange, BytesWriter& bytes) const {
  bytes.put(rois_);
  bytes.put(standings_);
  bytes.put(later_);
}

void GreedyPerson::read(BytesReader& bytes) {
  const auto rois = bytes.get<std::vector<RoiId>>();
  const auto standings = bytes.get<std::vector<Standing>>();
  rois_.insert(rois_.end(), rois.begin(), rois.end());
  standings_.insert(standings_.end(), standings.begin(), standings.end());
  const auto later = bytes.get<Standing>();
  if (later.candidates > 0) later_ = later;
}

void GreedyPerson::add(std::unique_ptr<Summary>) {
  throw std::logic_error("one person is no summary of others");
}

bool GreedyPerson::takes_in(const Standing& standing, std::size_t people) const {
  if (standing.position != kNone) return standing.position < people;
  return rule_.beyond && people > standing.candidates && place_ - standing.below < people - standing.candidates;
}

bool GreedyPerson::null_takes_in(std::size_t people, std::size_t users) const {
  const std::size_t certain = users - later_.candidates;
  if (later_.position == kNone) return people > certain || place_ - later_.below < people;
  return rule_.beyond && people > certain && later_.position < people - certain;
}

std::unique_ptr<GreedyPlan> GreedyPerson::plan(std::span<const RoiId> counted, const release::EpochCounts& counts,
                                               const dataset::Crowd& crowd) const {
  auto made = std::make_unique<GreedyPlan>(crowd);
  std::size_t next = 0;
  for (const RoiId roi : counted) {
    while (next < rois_.size() && rois_[next] < roi) ++next;
    const Standing standing = next < rois_.size() && rois_[next] == roi ? standings_[next] : Standing{};
    const bool in = takes_in(standing, whole_people(counts.dense[index_of(roi)], crowd));
    const bool by_limit = standing.position == kNone;
    made->add(roi, {in && !by_limit ? kEverybody : kNobody, in && by_limit ? place_ + 1 : 0});
  }
  made->close();
  if (null_takes_in(whole_people(counts.dense.back(), crowd), crowd.people())) made->null_cut = kEverybody;
  return made;
}

}  // namespace hearsay::attack
