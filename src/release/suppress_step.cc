// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "release/step.h"

namespace hearsay::release {
namespace {

class Suppress final : public Step {
 public:
  explicit Suppress(const Parameters& parameters) : most_(parameters.whole("at_most")) {}

  bool by_cell() const override { return true; }
  bool is_rule() const override { return true; }

  Guarantee guarantee(const Draft&) const override {
    return {std::nullopt, "none", "Small counts are left out by what they truly are, and the others are exact.",
            std::nullopt};
  }

  // Where counts were rounded before, the largest true count that is left out.
  void describe(const Draft&, Rule& rule) const override {
    const std::uint64_t most = rule.base > 1 ? most_ / rule.base * rule.base + (rule.base + 1) / 2 - 1 : most_;
    rule.hidden = std::max(rule.hidden.value_or(0), most);
  }

  // Null is no place: its count stays.
  Draft apply(const Draft& draft, const NoiseSource&) const override {
    CountMatrix counts = draft.counts();
    std::vector<Missing> missing;
    const auto most = static_cast<double>(most_);
    for (std::uint32_t epoch = 0; epoch < counts.epochs(); ++epoch) {
      for (std::uint32_t place = 0; place + 1 < counts.rois(); ++place) {
        double& count = counts.series(place)[epoch];
        if (count > most) continue;
        count = 0;
        missing.push_back({place, epoch, 0, most});
      }
    }
    return draft.with_counts(std::move(counts), std::move(missing));
  }

 private:
  std::uint64_t most_;
};

}  // namespace

constexpr const char* kPractice = "Hundepool and others: Statistical Disclosure Control. Wiley 2012.";

extern const StepEntry suppress_step;
const StepEntry suppress_step = {
    .info = {.position = 40,
             .name = "SUPPRESS",
             .summary = "Leaves out small counts.",
             .explanation = "Counts up to at_most are not published, those of nobody among them: whoever reads the "
                            "release sees that they are missing. A threshold on true counts promises nothing; after "
                            "noise it costs nothing.",
             .parameters = {with_usual({"at_most", "", "counts up to this are left out"}, {0, 50, true})},
             .citation = kPractice},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<Suppress>(parameters);
    },
};

}  // namespace hearsay::release
