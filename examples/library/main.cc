// SPDX-License-Identifier: Apache-2.0
//
// Runs a study with an attack of its own: example STUDY FOLDER.
#include <hearsay/hearsay.h>

#include <algorithm>
#include <cstdio>

using namespace hearsay;

// She thinks that whoever may be out is at one of the busiest places, each as likely as the others.
class Busiest final : public attack::EpochAttack {
  belief::Beliefs infer_epoch(const belief::Beliefs& prior, belief::UserRange, const release::EpochCounts& counts,
                              const attack::Plan*, const dataset::Crowd&, attack::Workspace& out) const override {
    const auto places = counts.dense.first(counts.dense.size() - 1);  // the last is "nowhere"
    double most = 0;
    for (const double count : places) most = std::max(most, count);
    out.table.clear();
    for (const UserId user : belief::users_of(prior)) {
      for (std::size_t place = 0; most > 0 && place < places.size(); ++place) {
        if (places[place] == most) out.table.add(user, static_cast<RoiId>(place), 1);
      }
    }
    out.table.close();
    return out.table.rows();
  }
};

int main(int, char** arguments) try {
  Registry registry;
  registry.add(attack::AttackEntry{.info = {.name = "BUSIEST", .summary = "Everybody is where most people are."},
                                   .make = [](const Parameters&) { return std::make_unique<Busiest>(); }});
  const Study study = load_study(arguments[1], {"study.attacks=[\"BAYES\", \"BUSIEST\"]"}, registry);
  const Outcome outcome = run_study(study, {.out = arguments[2], .study_name = "example"});
  for (const auto& row : outcome.summary) {
    const auto& her = row.combination;
    std::printf("%s %s %s %.4f\n", her.goal.c_str(), her.prior.c_str(), her.attack.c_str(), row.error.mean);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
