// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/errors.h"
#include "base/parallel.h"
#include "goal/combination.h"
#include "goal/goal.h"
#include "goal/membership_game.h"
#include "membership/scores.h"

namespace hearsay::goal {
namespace {

// The numbers of one target, by name.
constexpr std::array kNames = {"auc",        "auc_low", "auc_high",   "loss",        "tpr_1",    "tpr_1_low",
                               "tpr_1_high", "tpr_01",  "tpr_01_low", "tpr_01_high", "above_06", "above_09"};

std::array<double, kNames.size()> numbers_of(std::span<const double> with, std::span<const double> without) {
  const membership::Estimate area = membership::area_under_curve(with, without, membership::Groups::kPaired);
  const membership::Estimate one = membership::true_positive_rate(with, without, 0.01);
  const membership::Estimate tenth = membership::true_positive_rate(with, without, 0.001);
  return {area.value,
          area.low,
          area.high,
          std::max(0.0, (area.value - 0.5) / 0.5),
          one.value,
          one.low,
          one.high,
          tenth.value,
          tenth.low,
          tenth.high,
          area.value > 0.6 ? 1.0 : 0.0,
          area.value > 0.9 ? 1.0 : 0.0};
}

class MembershipGoal final : public Goal {
 public:
  explicit MembershipGoal(const Ground& ground)
      : ground_(ground), game_(ground), company_(company_of(game_.traces(), game_.targets())) {}

  std::vector<std::string> parts() const override {
    std::vector<std::string> names = {kRaw};
    for (std::size_t i = 0; i < ground_.defences.size(); ++i) {
      if (Defence::covers(ground_.defences[i].goals, "membership")) names.push_back(std::to_string(i + 1));
    }
    return names;
  }

  void run(const std::string& part, const Emit& emit) override {
    const Defence* defence = part == kRaw ? ground_.published : &ground_.defences[std::stoull(part) - 1];
    game_.play(defence, [&](const MembershipScores& scores) { hand_over(scores, emit); });
  }

 private:
  void hand_over(const MembershipScores& scores, const Emit& emit) const {
    const std::size_t targets = scores.targets.size();
    std::vector<std::vector<double>> columns(kNames.size(), std::vector<double>(targets));
    parallel_for(targets, ground_.options.threads, [&](std::size_t t, std::size_t) {
      const auto numbers = numbers_of(scores.with_of(t), scores.without_of(t));
      for (std::size_t i = 0; i < numbers.size(); ++i) columns[i][t] = numbers[i];
    });
    std::vector<double> users;
    std::vector<double> visits;
    std::vector<double> company;
    for (const std::uint32_t target : scores.targets) {
      users.push_back(target);
      visits.push_back(static_cast<double>(game_.traces().of(target).size()));
      const auto place = std::lower_bound(game_.targets().begin(), game_.targets().end(), target);
      company.push_back(company_[static_cast<std::size_t>(place - game_.targets().begin())]);
    }
    const std::vector<double> trials(targets, static_cast<double>(scores.trials));
    const std::vector<double> near_all(targets, scores.line.near_all ? 1.0 : 0.0);

    const MembershipLine& line = scores.line;
    const Defence* defence = line.defence == ground_.published ? nullptr : line.defence;
    Measurement measurement{{{"attack", line.attack->info.name},
                             {"target", line.target->name},
                             {"crowd", line.crowd->name},
                             {"release", defence == nullptr ? kRaw : defence->chain.name()},
                             {"parameter", defence == nullptr ? "" : defence->parameter},
                             {"group", std::to_string(line.group), true}},
                            Unit::kTarget,
                            {{kUserNumber, users}}};
    for (std::size_t i = 0; i < kNames.size(); ++i) measurement.numbers.push_back({kNames[i], columns[i]});
    measurement.numbers.push_back({"visits", visits});
    measurement.numbers.push_back({"company", company});
    measurement.numbers.push_back({"trials", trials});
    measurement.numbers.push_back({"near_all", near_all});
    emit(measurement);
  }

  const Ground& ground_;
  MembershipGame game_;
  std::vector<double> company_;  // by target
};

}  // namespace

extern const GoalEntry membership_goal;
const GoalEntry membership_goal = {
    .info =
        {.position = 2,
         .name = "membership",
         .summary = "How well somebody tells from the counts of a group whether a person is in it.",
         .explanation =
             "Groups of people are drawn, half of them with a target and half without, and their counts published. "
             "An adversary who knows something of the target scores each; the AUC is the chance that a group with "
             "the target scores higher than one without: 0.5 is a blind guess, 1 is always right. [membership] of a "
             "study sets groups, targets, trials and what she knows.",
         .parameters = {},
         .citation = "Pyrgelis, Troncoso, De Cristofaro: Knock Knock, Who's There? Membership Inference on "
                     "Aggregate Location Data. NDSS 2018."},
    .make = [](const Ground& ground, const Parameters&) -> std::unique_ptr<Goal> {
      return std::make_unique<MembershipGoal>(ground);
    },
};

}  // namespace hearsay::goal
