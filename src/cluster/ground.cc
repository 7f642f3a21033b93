// SPDX-License-Identifier: Apache-2.0
#include "cluster/ground.h"

#include <algorithm>

#include "goal/sampled_control.h"

namespace hearsay::cluster {

ShareGround::ShareGround(const Told& told, const experiment::Study& study, const dataset::Dataset& people,
                         std::size_t threads, PlansWithout plans_without)
    : told_(told),
      study_(study),
      people_(people),
      threads_(threads),
      whole_(told.whole),
      ground_(study.ground(people, {.threads = threads})),
      plans_without_(std::move(plans_without)) {
  for (const attack::AttackEntry* entry : study.adversary.attacks) attacks_.push_back(entry->create());
  whole_.takes_out = plans_without_ != nullptr;
  whole_.plans = [this](const std::string& prior, const goal::PlanId& id, const release::Published& release) {
    goal::Plans plans;
    for (const std::uint32_t p : told_.priors) {
      if (study_.adversary.priors[p]->info.name != prior) continue;
      if (id.without) return plans_without_(p, id, release);
      const auto of_prior = told_.plans.find(p);
      if (of_prior == told_.plans.end()) break;
      const auto found = of_prior->second.find(id);
      if (found == of_prior->second.end()) break;
      for (const std::vector<std::string>& parts : found->second) {
        const std::vector<std::string_view> views(parts.begin(), parts.end());
        plans.push_back(attacks_[id.attack]->read_plan(views, people_.crowd()));
      }
    }
    return plans;
  };
  ground_.whole = &whole_;
  ground_.find_prior = [this](const prior::PriorEntry& entry,
                              const prior::Knowledge& knowledge) -> std::shared_ptr<const belief::Series> {
    const std::uint32_t number = number_of(entry);
    if (const auto unfinished = predict(number)) return unfinished->finish(told_.learned_sums.at(number));
    return entry.create(knowledge);
  };
}

std::uint32_t ShareGround::number_of(const prior::PriorEntry& entry) const {
  const auto& all = study_.adversary.priors;
  return static_cast<std::uint32_t>(std::find(all.begin(), all.end(), &entry) - all.begin());
}

prior::Knowledge ShareGround::knowledge() const {
  return {people_.observation(), people_.past(), threads_};
}

std::shared_ptr<const belief::Series> ShareGround::prior(std::uint32_t number) const {
  return ground_.prior(*study_.adversary.priors[number]);
}

std::unique_ptr<prior::CrowdLearning> ShareGround::learning(std::uint32_t number) const {
  const prior::PriorEntry& entry = *study_.adversary.priors[number];
  return entry.learning ? entry.learning(told_.whole.observed, entry.info.values()) : nullptr;
}

std::unique_ptr<prior::UnfinishedSeries> ShareGround::predict(std::uint32_t number) const {
  const std::unique_ptr<prior::CrowdLearning> learns = learning(number);
  return learns ? learns->predict(knowledge(), told_.learned.at(number)) : nullptr;
}

bool is_taken_out(const Told& told, const experiment::Study& study, std::uint32_t number) {
  if (!study.adversary.control) return false;
  const dataset::Crowd crowd{told.people, told.rois.size() + 1, {}};
  return goal::few_cells(crowd, study.calendar().inference()) ||
         goal::is_sampled(number, told.people, study.adversary.control_sample);
}

}  // namespace hearsay::cluster
