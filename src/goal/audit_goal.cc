// SPDX-License-Identifier: Apache-2.0
#include "goal/audit.h"
#include "goal/goal.h"
#include "goal/membership_players.h"

namespace hearsay::goal {
namespace {

class AuditGoal final : public Goal {
 public:
  explicit AuditGoal(const Ground& ground) : ground_(ground) {}

  std::vector<std::string> parts() const override {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ground_.defences.size(); ++i) {
      const bool asked = Defence::covers(ground_.defences[i].goals, "membership") ||
                         Defence::covers(ground_.defences[i].goals, "audit");
      if (asked && ground_.adversary.membership.audit_trials > 0) names.push_back(std::to_string(i + 1));
    }
    return names;
  }

  void run(const std::string& part, const Emit& emit) override {
    const Defence& defence = ground_.defences[std::stoull(part) - 1];
    if (ground_.options.progress) ground_.options.progress("auditing " + defence.chain.name(), 0, 0);
    if (!traces_) traces_.emplace(inference_traces(ground_));
    const std::optional<Audit> result = audit(ground_, *traces_, defence);
    if (!result) return;
    const double claimed[] = {result->claim.epsilon};
    const double found[] = {result->found};
    const double trials[] = {static_cast<double>(result->trials)};
    const double broken[] = {result->broken() ? 1.0 : 0.0};
    emit({{{"release", defence.chain.name()}, {"parameter", defence.parameter}, {"hides", result->claim.unit}},
          Unit::kGroup,
          {{"claimed", claimed}, {"found", found}, {"trials", trials}, {"broken", broken}}});
  }

 private:
  const Ground& ground_;
  std::optional<Traces> traces_;  // made for the first release, and serve all
};

}  // namespace

extern const GoalEntry audit_goal;
const GoalEntry audit_goal = {
    .info =
        {.position = 3,
         .name = "audit",
         .summary = "Whether releases keep the epsilon they claim: a lower bound of the true one.",
         .explanation =
             "For every release that claims an epsilon, the counts of 100 people are published many times, with and "
             "without the one event or person that is to be hidden, in the busiest cells. How well the two can be "
             "told apart bounds the true epsilon from below, at 95% (Clopper and Pearson). A bound above the claim "
             "means that the release is broken; a bound below it proves nothing. Runs with the goal membership.",
         .parameters = {},
         .citation = "Jagielski, Ullman, Oprea: Auditing Differentially Private Machine Learning. NeurIPS 2020."},
    .make = [](const Ground& ground, const Parameters&) -> std::unique_ptr<Goal> {
      return std::make_unique<AuditGoal>(ground);
    },
};

}  // namespace hearsay::goal
