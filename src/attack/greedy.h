// SPDX-License-Identifier: Apache-2.0
//
// MAX_ROI and MAX_USER are the same walk: for every ROI the users in some order, of whom the first A[s,t'] are assigned
// to it. They differ in the order, and in whether users with prior 0 may follow. (MAX_USER as printed goes user by
// user, but a user takes every ROI still open to it, so the ROIs do not touch each other.) Whether a user is among the
// first is told by one comparison with the last one taken in, the cut: candidates are summarised place by place, the
// plan finds the cuts, and each user is inferred alone.
#pragma once

#include "attack/attack.h"

namespace hearsay::attack {

struct GreedyRule {
  bool by_probability = true;  // higher prior first; else everybody with a prior above 0 alike
  bool by_reports = false;     // ties to more reports observed; else to the first in order of ids
  bool beyond = true;          // users with prior 0 follow, in the same order, where counts exceed the others
  Reads reads = Reads::kPrinted;
};

// Summary: 16 bytes a candidate, sorted. Plan: a few numbers a place with a count. Inference: time follows the people
// assigned where a table serves many epochs or many people, else the entries of its rows. Counts are rounded to whole
// people.
class GreedyAttack final : public EpochAttack {
 public:
  explicit GreedyAttack(GreedyRule rule) : rule_(rule) {}

  Reads reads() const override { return rule_.reads; }

  bool summarises() const override { return true; }
  std::unique_ptr<Summary> summarise(const belief::Beliefs& prior, const dataset::Crowd& crowd) const override;
  std::unique_ptr<Plan> plan(const Evidence& evidence, EpochId epoch,
                             const release::EpochCounts& counts) const override {
    return plan_places(evidence.summary_at(epoch), counts, {0, evidence.crowd.rois}, evidence.crowd);
  }
  bool plans_by_place() const override { return true; }
  std::unique_ptr<Plan> plan_places(const Summary& summary, const release::EpochCounts& counts, PlaceRange places,
                                    const dataset::Crowd& crowd) const override;
  std::unique_ptr<Summary> read_summary(BytesReader& bytes) const override;
  std::unique_ptr<Summary> read_person(PersonKey person, std::span<const std::string_view> parts) const override;
  std::unique_ptr<Plan> read_plan(std::span<const std::string_view> parts, const dataset::Crowd& crowd) const override;
  void enter_table(const belief::Beliefs& prior, belief::UserRange users, std::size_t epochs,
                   const dataset::Crowd& crowd, Workspace& workspace) const override;
  belief::Beliefs infer_epoch(const belief::Beliefs& prior, belief::UserRange users, const release::EpochCounts& counts,
                              const Plan* plan, const dataset::Crowd& crowd, Workspace& workspace) const override;
  bool assigns(const belief::Beliefs& prior, UserId user, RoiId roi, const release::EpochCounts& counts,
               const Plan* plan, const dataset::Crowd& crowd) const override;

 private:
  GreedyRule rule_;
};

}  // namespace hearsay::attack
