// SPDX-License-Identifier: Apache-2.0
#include "attack/attack.h"

namespace hearsay::attack {
namespace {

// Weights stay unnormalised: prior counts times released counts are whole numbers, so nothing is rounded. Written
// without branches in the inner loop: what is 0 is overwritten by the next.
class BayesAttack final : public Attack {
 public:
  prior::Beliefs infer(const prior::Beliefs& prior, const Preparation*, const release::EpochCounts& counts,
                       const dataset::Crowd&, Workspace& workspace) const override {
    return prior.background != nullptr ? update_background(prior, counts, workspace)
                                       : update_rows(prior, counts, workspace.table);
  }

 private:
  static prior::Beliefs update_rows(const prior::Beliefs& prior, const release::EpochCounts& counts,
                                    prior::BeliefTable& posterior) {
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
        const double weight = (prior.weights.empty() ? 1.0 : prior.weights[i]) * counts.dense[index_of(roi)];
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

  static prior::Beliefs update_background(const prior::Beliefs& prior, const release::EpochCounts& counts,
                                          Workspace& workspace) {
    workspace.background_weights.assign(counts.dense.size(), 0.0);
    double total = 0;
    for (const RoiId roi : counts.rois) {
      const double weight = prior.background->weights[index_of(roi)] * counts.dense[index_of(roi)];
      workspace.background_weights[index_of(roi)] = weight;
      total += weight;
    }
    if (total <= 0) return {};
    workspace.background = {workspace.background_weights, total};
    prior::Beliefs posterior = prior;
    posterior.background = &workspace.background;
    return posterior;
  }
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
             .parameters = {},
             .citation = kPaper},
    .by_row = true,
    .make = []() -> std::unique_ptr<Attack> { return std::make_unique<BayesAttack>(); },
};

}  // namespace hearsay::attack
