// SPDX-License-Identifier: Apache-2.0
#include "attack/attack.h"

namespace hearsay::attack {
namespace {

// Weights stay unnormalised: prior counts times released counts are whole numbers, so nothing is rounded.
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
    posterior.clear();
    for (std::size_t row = 0; row < prior.users.size(); ++row) {
      const auto rois = prior.rois_of(row);
      const auto weights = prior.weights_of(row);
      for (std::size_t i = 0; i < rois.size(); ++i) {
        const double weight = (weights.empty() ? 1.0 : weights[i]) * counts.dense[index_of(rois[i])];
        if (weight > 0) posterior.add(prior.users[row], rois[i], weight);
      }
    }
    posterior.close();
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
    .make = []() -> std::unique_ptr<Attack> { return std::make_unique<BayesAttack>(); },
};

}  // namespace hearsay::attack
