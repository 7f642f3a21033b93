// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"
#include "goal/goal.h"
#include "goal/inference.h"

namespace hearsay::goal {
namespace {

constexpr const char* kBaseline = "baseline";

class InferenceGoal final : public Goal {
 public:
  explicit InferenceGoal(const Ground& ground) : ground_(ground), inference_(ground) {}

  std::vector<std::string> parts() const override {
    std::vector<std::string> names;
    for (const prior::PriorEntry* prior : ground_.adversary.priors) names.push_back(prior->info.name);
    return names;
  }

  // Of each adversary the errors by epoch and place, then those by user for each baseline.
  void run(const std::string& part, const Emit& emit) override {
    Key last;
    const auto take = [&](const Result& result) {
      const Key adversary = key_of(result.combination, kBaseline);
      if (adversary != last) {
        emit({adversary, Unit::kEpoch, {{"error", result.epoch_errors}}});
        if (!result.roi_errors.empty()) emit({adversary, Unit::kPlace, {{"error", result.roi_errors}}});
        last = adversary;
      }
      Measurement users{key_of(result.combination), Unit::kUser, {{"error", result.errors, result.sorted_errors}}};
      if (!result.losses.empty()) {
        users.numbers.push_back({"loss", result.losses});
        users.numbers.push_back({"loss_signed", result.plain_losses});
      }
      if (!result.gains.empty()) {
        users.numbers.push_back({"gain", result.gains});
        users.numbers.push_back({"gain_signed", result.plain_gains});
      }
      emit(users);
    };
    for (const prior::PriorEntry* prior : ground_.adversary.priors) {
      if (prior->info.name == part) inference_.run(*prior, take);
    }
  }

 private:
  const Ground& ground_;
  Inference inference_;
};

}  // namespace

extern const GoalEntry inference_goal;
const GoalEntry inference_goal = {
    .info = {.position = 1,
             .name = "inference",
             .summary = "What an adversary gets wrong about each person, with the counts and without.",
             .explanation =
                 "For each prior, release, attack and decision, the error of each person by every metric the "
                 "study names, and what it changed against the prior (loss) and the raw counts (gain).",
             .parameters = {},
             .citation = kPaper},
    .of_errors = true,
    .make = [](const Ground& ground, const Parameters&) -> std::unique_ptr<Goal> {
      return std::make_unique<InferenceGoal>(ground);
    },
};

}  // namespace hearsay::goal
