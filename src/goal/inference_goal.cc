// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"
#include "goal/goal.h"
#include "goal/inference.h"

namespace hearsay::goal {
namespace {

constexpr const char* kBaseline = "baseline";

// Of the numbers those that there are.
Measurement measurement_of(Key key, Unit unit, const std::vector<Numbers>& numbers) {
  Measurement measurement{std::move(key), unit, {}};
  for (const Numbers& one : numbers) {
    if (!one.values.empty()) measurement.numbers.push_back(one);
  }
  return measurement;
}

class InferenceGoal final : public Goal {
 public:
  explicit InferenceGoal(const Ground& ground) : ground_(ground), inference_(ground) {}

  std::vector<std::string> parts() const override {
    std::vector<std::string> names;
    for (const prior::PriorEntry* prior : ground_.adversary.priors) names.push_back(prior->info.name);
    return names;
  }

  // What told most where the prior was fitted; of each adversary the errors by epoch and place, then those by user for
  // each baseline.
  void run(const std::string& part, const Emit& emit) override {
    AdversaryEmitter adversary;
    const auto take = [&](const Result& result) {
      adversary.emit(result, emit);
      emit(users_of(result));
    };
    const auto take_lessons = [&](std::span<const belief::Lesson> lessons) { emit_lessons(part, lessons, emit); };
    for (const prior::PriorEntry* prior : ground_.adversary.priors) {
      if (prior->info.name == part) inference_.run(*prior, take, take_lessons);
    }
  }

 private:
  const Ground& ground_;
  Inference inference_;
};

}  // namespace

Measurement epochs_of(const Result& result) {
  return measurement_of(key_of(result.combination, kBaseline), Unit::kEpoch,
                        {{"error", result.with.epochs}, {"without", result.without.epochs}});
}

Measurement places_of(const Result& result) {
  return measurement_of(key_of(result.combination, kBaseline), Unit::kPlace,
                        {{"error", result.with.rois}, {"without", result.without.rois}});
}

Measurement users_of(const Result& result) {
  const ErrorsOf& with = result.with;
  const ErrorsOf& without = result.without;
  return measurement_of(key_of(result.combination), Unit::kUser,
                        {{"error", with.users, with.sorted},
                         {"active", with.active},
                         {"without", without.users, without.sorted},
                         {"own", result.own, result.sorted_own},
                         {"active_without", without.active},
                         {"loss", result.losses},
                         {"loss_signed", result.plain_losses},
                         {"loss_without", result.losses_without},
                         {"gain", result.gains},
                         {"gain_signed", result.plain_gains}});
}

void emit_lessons(const std::string& prior, std::span<const belief::Lesson> lessons, const Emit& emit) {
  for (const belief::Lesson& lesson : lessons) {
    const Key key = {{"prior", prior}, {"feature", lesson.feature}};
    emit({key, Unit::kFeature, {{"importance", {&lesson.importance, 1}}}});
  }
}

void AdversaryEmitter::emit(const Result& result, const Emit& emit) {
  const Measurement epochs = epochs_of(result);
  if (epochs.key == last_) return;
  emit(epochs);
  if (const Measurement places = places_of(result); !places.numbers.empty()) emit(places);
  last_ = epochs.key;
}

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
