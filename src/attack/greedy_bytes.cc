// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "attack/greedy_person.h"
#include "attack/greedy_summary.h"

namespace hearsay::attack {
namespace {

// `ascending`: the places of all in the list.
GreedyPerson::Standing standing_of(std::uint32_t place, std::span<const std::uint32_t> in_order,
                                   std::span<const std::uint32_t> ascending) {
  const auto below = std::lower_bound(ascending.begin(), ascending.end(), place);
  GreedyPerson::Standing standing{static_cast<std::uint32_t>(ascending.size()), GreedyPerson::kNone,
                                  static_cast<std::uint32_t>(below - ascending.begin())};
  if (below == ascending.end() || *below != place) return standing;
  const auto found = std::find(in_order.begin(), in_order.end(), place);
  // Where nobody beyond is taken in, those for null who are not certain have no order.
  standing.position = static_cast<std::uint32_t>(found - in_order.begin());
  return standing;
}

}  // namespace

void GreedySummary::write_person(PersonKey key, PlaceRange places, BytesWriter& bytes) const {
  GreedyPerson person(rule_, key);
  const std::vector<std::uint32_t>& ascending = places_.empty() ? candidates_.places : places_;
  if (shared_) {
    const GreedyPerson::Standing standing = standing_of(person.place(), candidates_.places, ascending);
    for (std::size_t roi = places.begin; roi < std::min<std::size_t>(places.end, null_); ++roi) {
      if (open_[roi]) person.add(static_cast<RoiId>(roi), standing);
    }
  }
  for (std::size_t i = 0; i < rois_.size(); ++i) {
    if (!places.contains(index_of(rois_[i]))) continue;
    const std::size_t size = begins_[i + 1] - begins_[i];
    person.add(rois_[i], standing_of(person.place(), std::span(candidates_.places).subspan(begins_[i], size),
                                     std::span(ascending).subspan(begins_[i], size)));
  }
  if (places.contains(null_)) person.set_null(standing_of(person.place(), later_.places, later_places_));
  person.write(places, bytes);
}

std::unique_ptr<Summary> GreedyAttack::read_summary(BytesReader& bytes) const {
  return std::make_unique<GreedySummary>(rule_, bytes);
}

std::unique_ptr<Summary> GreedyAttack::read_person(PersonKey person, std::span<const std::string_view> parts) const {
  auto summary = std::make_unique<GreedyPerson>(rule_, person);
  for (const std::string_view part : parts) {
    BytesReader bytes(part);
    summary->read(bytes);
  }
  return summary;
}

std::unique_ptr<Plan> GreedyAttack::read_plan(std::span<const std::string_view> parts,
                                              const dataset::Crowd& crowd) const {
  auto made = std::make_unique<GreedyPlan>(crowd);
  for (const std::string_view part : parts) {
    BytesReader bytes(part);
    made->read(bytes);
  }
  made->close();
  return made;
}

}  // namespace hearsay::attack
