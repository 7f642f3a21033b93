// SPDX-License-Identifier: Apache-2.0
#include "results/data_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearsay::results {
namespace {

struct Quantity {
  const char* title;
  const char* unit;
  std::vector<double> dataset::People::*values;
};
constexpr std::array<Quantity, kGroupings> kQuantities = {
    {{"activity", "reports in the study", &dataset::People::reports},
     {"regularity", "share of reports that repeat an earlier week", &dataset::People::regularity},
     {"number of places", "distinct places", &dataset::People::rois}}};

}  // namespace

DataSize size_of(const dataset::Dataset& dataset) {
  return {dataset.crowd().users, dataset.rois().size(), dataset.visits().size(), dataset.calendar()};
}

UserChoice choose_users(std::size_t users, const std::optional<std::size_t>& user_rows) {
  if (user_rows == std::size_t{0}) return {{}, "off: results.users is \"none\""};
  if (!user_rows && users > experiment::kManyUsers) {
    return {{}, fmt::format("off: more than {} users and results.users is not set", experiment::kManyUsers)};
  }
  const std::size_t rows = std::min(user_rows.value_or(users), users);
  UserChoice choice;
  choice.reason =
      rows == users ? "all users" : fmt::format("a sample of {} of {} users, evenly spaced by id", rows, users);
  for (std::size_t i = 0; i < rows; ++i) choice.users.push_back(static_cast<std::uint32_t>(i * users / rows));
  return choice;
}

PeopleCounts counts_of(const dataset::People& people) {
  PeopleCounts counts;
  for (std::size_t i = 0; i < kGroupings; ++i) counts[i] = counts_of(people.*kQuantities[i].values);
  return counts;
}

std::vector<PeopleGroups> groupings_of(const PeopleCounts& counts, std::size_t least_people) {
  std::vector<PeopleGroups> groupings;
  for (std::size_t i = 0; i < kGroupings; ++i) {
    groupings.emplace_back(kQuantities[i].title, kQuantities[i].unit, counts[i], least_people);
  }
  return groupings;
}

UsersAtHand users_at_hand(const dataset::Dataset& dataset, const dataset::People& people, const DataFacts& facts) {
  const dataset::Crowd& crowd = dataset.crowd();
  UsersAtHand users;
  for (std::size_t i = 0; i < facts.groupings.size(); ++i) {
    users.groups.push_back(facts.groupings[i].groups_of(people.*kQuantities[i].values));
  }
  const std::vector<std::uint32_t>& chosen = facts.chosen.users;
  if (crowd.numbers.empty()) {
    users.chosen = chosen;
    return users;
  }
  users.numbers.assign(crowd.numbers.begin(), crowd.numbers.end());
  for (std::uint32_t user = 0; user < users.numbers.size(); ++user) {
    if (std::binary_search(chosen.begin(), chosen.end(), users.numbers[user])) users.chosen.push_back(user);
  }
  return users;
}

std::vector<bool> enough_of(const std::vector<std::uint64_t>& visitors, std::size_t least_people) {
  std::vector<bool> enough;
  for (const std::uint64_t people : visitors) enough.push_back(people >= least_people);
  return enough;
}

Known facts_of(const dataset::Dataset& dataset, const experiment::Study& study) {
  const std::size_t least = study.results.least_people;
  Known known{{size_of(dataset),
               study.data.name,
               least,
               dataset.rois(),
               dataset::inference_visits(dataset),
               enough_of(dataset::inference_visitors(dataset), least),
               {},
               choose_users(dataset.crowd().users, study.results.user_rows),
               [&dataset](std::uint32_t user) { return dataset.user_ids()[user]; }},
              {}};
  dataset::People people;
  if (known.data.users >= least) {
    people = dataset::describe_people(dataset);
    known.data.groupings = groupings_of(counts_of(people), least);
  }
  known.users = users_at_hand(dataset, people, known.data);
  return known;
}

}  // namespace hearsay::results
