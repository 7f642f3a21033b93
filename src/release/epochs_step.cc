// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "release/step.h"

namespace hearsay::release {
namespace {

class Epochs final : public Step {
 public:
  explicit Epochs(const Parameters& parameters) : together_(parameters.whole("of")) {
    if (together_ < 2) parameters.fail("of", "must be at least 2");
  }

  bool gives_visits() const override { return true; }
  bool leaves_out() const override { return false; }
  bool draws() const override { return false; }
  bool by_person() const override { return true; }
  Guarantee carried(const Guarantee& later) const override { return later; }

  Draft apply(const Draft& draft, const NoiseSource&) const override {
    const std::size_t epochs = draft.geometry().epochs;
    const std::size_t places = draft.geometry().places;
    std::vector<std::uint32_t> place_of(places);
    std::iota(place_of.begin(), place_of.end(), 0U);
    std::vector<std::uint32_t> epoch_of(epochs);
    for (std::size_t e = 0; e < epochs; ++e) epoch_of[e] = static_cast<std::uint32_t>(e / together_);
    return draft.merged(place_of, places, epoch_of, (epochs + together_ - 1) / together_);
  }

 private:
  std::uint64_t together_;
};

}  // namespace

extern const StepEntry epochs_step;
const StepEntry epochs_step = {
    .info = {.position = 12,
             .name = "EPOCHS",
             .summary = "Counts longer epochs.",
             .explanation =
                 "So many epochs in a row become one, the last of them shorter where they do not come out even. "
                 "A person is counted once a place and epoch, however often it was there, and so has less to "
                 "hide. Without noise it promises nothing.",
             .parameters = {with_usual({"of", "", "epochs that become one, at least 2"}, {2, 24, true})},
             .citation = "Hundepool and others: Statistical Disclosure Control. Wiley 2012."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> { return std::make_unique<Epochs>(parameters); },
};

}  // namespace hearsay::release
