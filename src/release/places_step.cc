// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "release/step.h"

namespace hearsay::release {
namespace {

class Places final : public Step {
 public:
  explicit Places(const Parameters& parameters) : parameters_(parameters) {
    if (parameters.text("of") == "zone") return;
    together_ = parameters.whole("of");
    if (together_ < 2) parameters.fail("of", "must be at least 2, or zone");
  }

  bool gives_visits() const override { return true; }
  bool leaves_out() const override { return false; }
  bool draws() const override { return false; }
  bool by_person() const override { return true; }
  Guarantee carried(const Guarantee& later) const override { return later; }

  void check(const Shape& shape) const override {
    if (together_ == 0 && !shape.zones) {
      parameters_.fail("of", "places have no zones: name the column of rois.list that has them in rois.zone");
    }
    if (together_ > 0 && shape.columns == 0) {
      parameters_.fail("of", "places are no cells of a grid; of=zone merges those of a list by a column");
    }
  }

  Draft apply(const Draft& draft, const NoiseSource&) const override {
    const dataset::Crowd& crowd = draft.visits().crowd();
    const std::size_t places = draft.geometry().places;
    check({std::nullopt, crowd.columns, !crowd.zones.empty()});
    std::vector<std::uint32_t> epoch_of(draft.geometry().epochs);
    std::iota(epoch_of.begin(), epoch_of.end(), 0U);
    std::vector<std::uint32_t> place_of(crowd.zones.begin(), crowd.zones.end());
    if (together_ > 0) {
      const std::size_t columns = (crowd.columns + together_ - 1) / together_;
      place_of.clear();
      for (std::size_t cell = 0; cell < places; ++cell) {
        const std::size_t row = cell / crowd.columns / together_;
        place_of.push_back(static_cast<std::uint32_t>(row * columns + cell % crowd.columns / together_));
      }
    }
    const std::size_t merged = places == 0 ? 0 : *std::max_element(place_of.begin(), place_of.end()) + std::size_t{1};
    return draft.merged(place_of, merged, epoch_of, epoch_of.size());
  }

 private:
  Parameters parameters_;
  std::uint64_t together_ = 0;  // cells on each side; 0: those of a zone
};

}  // namespace

extern const StepEntry places_step;
const StepEntry places_step = {
    .info = {.position = 13,
             .name = "PLACES",
             .summary = "Counts larger places.",
             .explanation =
                 "So many rows and columns of the grid become one cell, those at its north and east edge smaller where "
                 "they do not come out even; or the places of a zone become one, by the column of rois.list that "
                 "rois.zone names. A person is counted once a place and epoch, however often it was there, and so has "
                 "less to hide. Without noise it promises nothing.",
             .parameters = {with_usual({"of", "", "cells on each side that become one, at least 2; or zone"},
                                       {2, 10, true})},
             .citation = "Hundepool and others: Statistical Disclosure Control. Wiley 2012."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> { return std::make_unique<Places>(parameters); },
};

}  // namespace hearsay::release
