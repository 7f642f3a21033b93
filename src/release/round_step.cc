// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "release/step.h"

namespace hearsay::release {
namespace {

class Round final : public Step {
 public:
  explicit Round(const Parameters& parameters) : base_(parameters.whole("base")) {
    if (base_ < 2) parameters.fail("base", "must be at least 2");
  }

  bool by_cell() const override { return true; }
  bool is_rule() const override { return true; }

  Guarantee guarantee(const Draft&) const override {
    return {std::nullopt, "none", "Counts are rounded by what they truly are.", std::nullopt};
  }

  void describe(const Draft&, Rule& rule) const override { rule.base = std::max(rule.base, base_); }

  Draft apply(const Draft& draft, const NoiseSource&) const override {
    CountMatrix counts = draft.counts();
    const auto base = static_cast<double>(base_);
    for (double& count : counts.all()) count = std::floor(count / base + 0.5) * base;
    return draft.with_counts(std::move(counts));
  }

 private:
  std::uint64_t base_;
};

}  // namespace

constexpr const char* kPractice = "Hundepool and others: Statistical Disclosure Control. Wiley 2012.";

extern const StepEntry round_step;
const StepEntry round_step = {
    .info = {.position = 41,
             .name = "ROUND",
             .summary = "Rounds counts to multiples of a number.",
             .explanation = "Every count becomes the nearest multiple of base, halves up. On true counts that promises "
                            "nothing; after noise it costs nothing.",
             .parameters = {with_usual({"base", "", "counts become multiples of this"}, {2, 100, true, true})},
             .citation = kPractice},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> { return std::make_unique<Round>(parameters); },
};

}  // namespace hearsay::release
