// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "release/step.h"

namespace hearsay::release {
namespace {

class TopCode final : public Step {
 public:
  explicit TopCode(const Parameters& parameters) : most_(parameters.whole("at_least")) {
    if (most_ == 0) parameters.fail("at_least", "must be at least 1");
  }

  bool by_cell() const override { return true; }
  bool is_rule() const override { return true; }

  Guarantee guarantee(const Draft&) const override {
    return {std::nullopt, "none", "Large counts are cut by what they truly are, and the others are exact.",
            std::nullopt};
  }

  void describe(const Draft&, Rule& rule) const override { rule.top = std::min(rule.top.value_or(most_), most_); }

  // Null is no place: its count stays.
  Draft apply(const Draft& draft, const NoiseSource&) const override {
    CountMatrix counts = draft.counts();
    const auto most = static_cast<double>(most_);
    for (double& count : counts.all().first(counts.all().size() - counts.epochs())) count = std::min(count, most);
    return draft.with_counts(std::move(counts));
  }

 private:
  std::uint64_t most_;
};

}  // namespace

extern const StepEntry top_code_step;
const StepEntry top_code_step = {
    .info = {.position = 42,
             .name = "TOP_CODE",
             .summary = "Prints large counts as \"so many or more\".",
             .explanation =
                 "Counts above at_least are published as at_least: whoever reads that number knows that there "
                 "were so many or more. A rule on true counts promises nothing; after noise it costs nothing.",
             .parameters = {with_usual({"at_least", "", "the largest number printed"}, {10, 10000, true, true})},
             .citation = "Hundepool and others: Statistical Disclosure Control. Wiley 2012."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> { return std::make_unique<TopCode>(parameters); },
};

}  // namespace hearsay::release
