// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cluster/driver.h"
#include "cluster/ground.h"
#include "cluster/merge.h"
#include "goal/inference.h"

namespace hearsay::cluster {
namespace {

// Priors by table of the inference period's epochs.
std::vector<std::uint32_t> tables_of(const belief::Series& series, std::size_t epochs) {
  std::vector<std::uint32_t> tables;
  for (std::size_t e = 0; e < epochs; ++e) {
    tables.push_back(static_cast<std::uint32_t>(series.table_of(static_cast<EpochId>(e))));
  }
  return tables;
}

}  // namespace

bool Driver::ask() {
  const ShareGround ground(told_, study(), *taken_out_, settings_.threads);
  goal::Inference inference(ground.ground());
  std::vector<std::unique_ptr<attack::Attack>> attacks;
  for (const attack::AttackEntry* entry : study().adversary.attacks) attacks.push_back(entry->create());
  for (const std::uint32_t p : told_.priors) {
    inference.ask(*study().adversary.priors[p], [&](const goal::PlanId& id, const release::Published& release) {
      if (!attacks[id.attack]->summarises()) return;
      std::vector<Request>& requests = told_.requests[{p, static_cast<std::uint32_t>(id.attack)}];
      if (attacks[id.attack]->plans_by_place()) {
        requests.push_back({id, release.fine()});
      } else {
        pending_[{p, static_cast<std::uint32_t>(id.attack)}].push_back({id, release});
      }
    });
    if (!told_.requests.empty()) told_.tables[p] = tables_of(*ground.prior(p), study().calendar().inference());
  }
  const dataset::Crowd& crowd = taken_out_->crowd();
  for (std::size_t i = 0; i < crowd.users; ++i) told_.taken_out.push_back({crowd.numbers[i], crowd.ranks[i]});
  return !told_.requests.empty();
}

void Driver::finish_plan() {
  std::vector<std::unique_ptr<attack::Attack>> attacks;
  for (const attack::AttackEntry* entry : study().adversary.attacks) attacks.push_back(entry->create());
  const std::size_t epochs = study().calendar().inference();
  // By prior, attack, person and table: parts in the order of places, as keys are.
  std::map<OfAttack, std::vector<std::vector<std::vector<std::string_view>>>> persons;
  for (const auto& [key, value] : values_) {
    const auto [p, a, table, begin, last] = key.of;
    BytesReader bytes(value);
    if (!attacks[a]->plans_by_place()) {
      goal::Summaries& own = summaries_[{p, a}];
      if (own.size() <= table) own.resize(table + std::size_t{1});
      own[table] = attacks[a]->read_summary(bytes);
    } else if (last >= kFirstPerson) {
      auto& own = persons[{p, a}];
      own.resize(told_.taken_out.size());
      auto& tables = own[last - kFirstPerson];
      if (tables.size() <= table) tables.resize(table + std::size_t{1});
      tables[table].push_back(value);
    } else {
      PlanParts& parts = told_.plans[p][told_.requests.at({p, a})[last].id];
      parts.resize(epochs);
      for (std::size_t e = 0; e < epochs; ++e) {
        if (told_.tables.at(p)[e] == table) parts[e].push_back(bytes.get<std::string>());
      }
    }
  }
  for (const auto& [of, people] : persons) {
    for (std::size_t i = 0; i < people.size(); ++i) {
      goal::Summaries& own = person_summaries_[of].emplace_back();
      for (const auto& parts : people[i]) own.push_back(attacks[of.second]->read_person(told_.taken_out[i], parts));
    }
  }
  values_.clear();
  told_.requests.clear();
  told_.taken_out.clear();
  const ShareGround ground(told_, study(), *taken_out_, settings_.threads);
  for (const auto& [of, own] : summaries_) {
    const std::shared_ptr<const belief::Series> series = ground.prior(of.first);
    for (const Pending& pending : pending_[of]) {
      PlanParts& parts = told_.plans[of.first][pending.id];
      for (const auto& plan : goal::make_plans(*attacks[of.second], own, *series, pending.release, taken_out_->crowd(),
                                               settings_.threads)) {
        BytesWriter bytes;
        plan->write(bytes);
        parts.push_back({bytes.take()});
      }
    }
  }
  pending_.clear();
}

goal::Plans Driver::plans_without(const belief::Series& series, std::uint32_t prior, const goal::PlanId& id,
                                  const release::Published& release) const {
  const OfAttack of{prior, static_cast<std::uint32_t>(id.attack)};
  const auto attack = study().adversary.attacks[id.attack]->create();
  const dataset::Crowd& crowd = taken_out_->crowd();
  if (const auto found = summaries_.find(of); found != summaries_.end()) {
    return goal::make_plans(*attack, found->second, series, release, crowd, 1);
  }
  const auto found = person_summaries_.find(of);
  if (found == person_summaries_.end()) return {};
  const auto person = std::lower_bound(crowd.numbers.begin(), crowd.numbers.end(), *id.without);
  return goal::make_plans(*attack, found->second[static_cast<std::size_t>(person - crowd.numbers.begin())], series,
                          release, crowd, 1);
}

}  // namespace hearsay::cluster
