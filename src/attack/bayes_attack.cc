// SPDX-License-Identifier: Apache-2.0
#include "attack/attack.h"

namespace hearsay::attack {
namespace {

// Weights stay unnormalised: prior counts times released counts are whole numbers, so nothing is rounded.
class BayesAttack final : public EpochAttack {
 public:
  explicit BayesAttack(Reads reads) : reads_(reads) {}

  Reads reads() const override { return reads_; }
  belief::Beliefs infer_epoch(const belief::Beliefs& prior, belief::UserRange, const release::EpochCounts& counts,
                              const Plan*, const dataset::Crowd&, Workspace& workspace) const override {
    if (const auto* shared = std::get_if<belief::Shared>(&prior)) return reweigh(*shared, counts, workspace);
    if (const auto* rows = std::get_if<belief::Rows>(&prior)) return reweigh(*rows, counts, workspace.table);
    return reweigh(belief::uniform_rows(std::get<belief::Assignment>(prior)), counts, workspace.table);
  }

 private:
  // Without branches in the inner loop: what is 0 is overwritten by the next.
  static belief::Beliefs reweigh(const belief::Rows& prior, const release::EpochCounts& counts,
                                 belief::RowTable& posterior) {
    const std::size_t rows = prior.users.size();
    const std::size_t entries = rows == 0 ? 0 : prior.begins[rows] - prior.begins[0];
    posterior.users.resize(rows);
    posterior.begins.resize(rows + 1);
    posterior.totals.resize(rows);
    posterior.rois.resize(entries);
    posterior.weights.resize(entries);
    std::size_t kept_rows = 0;
    std::uint32_t kept = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint32_t begin = kept;
      double total = 0;
      for (std::size_t i = prior.begins[row]; i < prior.begins[row + 1]; ++i) {
        const RoiId roi = prior.rois[i];
        const double weight = prior.weight(i) * counts.dense[index_of(roi)];
        posterior.rois[kept] = roi;
        posterior.weights[kept] = weight;
        kept += weight > 0 ? 1 : 0;
        total += weight;
      }
      posterior.users[kept_rows] = prior.users[row];
      posterior.begins[kept_rows] = begin;
      posterior.totals[kept_rows] = total;
      kept_rows += kept > begin ? 1 : 0;
    }
    posterior.users.resize(kept_rows);
    posterior.begins.resize(kept_rows + 1);
    posterior.totals.resize(kept_rows);
    posterior.begins[kept_rows] = kept;
    posterior.rois.resize(kept);
    posterior.weights.resize(kept);
    return posterior.rows();
  }

  static belief::Beliefs reweigh(const belief::Shared& prior, const release::EpochCounts& counts,
                                 Workspace& workspace) {
    workspace.background_weights.assign(counts.dense.size(), 0.0);
    double total = 0;
    for (const RoiId roi : counts.rois) {
      const double weight = prior.background.weights[index_of(roi)] * counts.dense[index_of(roi)];
      workspace.background_weights[index_of(roi)] = weight;
      total += weight;
    }
    if (total <= 0) return belief::Rows();
    return belief::Shared{prior.users, {workspace.background_weights, total}, prior.everyone};
  }

  Reads reads_;
};

}  // namespace

extern const AttackEntry bayes_attack;
const AttackEntry bayes_attack = {
    .info = {.position = 3,
             .name = "BAYES",
             .summary = "She reweighs each person's prior by the crowd's profile, one person at a time.",
             .explanation =
                 "Posterior proportional to prior x Ap in each epoch (Algorithm 1). Where the product is zero "
                 "everywhere: null with probability 1.",
             .parameters = {counts_parameter()},
             .citation = kPaper},
    .by_cell = true,
    .make = [](const Parameters& parameters) -> std::unique_ptr<Attack> {
      return std::make_unique<BayesAttack>(reads_of(parameters));
    },
};

}  // namespace hearsay::attack
