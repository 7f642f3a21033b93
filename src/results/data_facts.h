// SPDX-License-Identifier: Apache-2.0
//
// What tables, report and manifest ask of the data, in plain figures: whoever writes results need not have the visits.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dataset/dataset.h"
#include "dataset/people.h"
#include "experiment/study.h"
#include "results/people_groups.h"

namespace hearsay::results {

struct DataSize {
  std::size_t users = 0;
  std::size_t rois = 0;
  std::uint64_t visits = 0;
  dataset::Calendar calendar;
};
DataSize size_of(const dataset::Dataset& dataset);

// Which users have rows in users.parquet.
struct UserChoice {
  std::vector<std::uint32_t> users;  // their numbers among everybody, which are in byte order of their ids
  std::string reason;                // for the manifest, one sentence
};
// All, none or a sample evenly spaced in byte order of the ids; see experiment::ResultsSpec::user_rows.
UserChoice choose_users(std::size_t users, const std::optional<std::size_t>& user_rows);

// Whether there were so many different people, by place.
std::vector<bool> enough_of(const std::vector<std::uint64_t>& visitors, std::size_t least_people);

struct DataFacts : DataSize {
  std::string name;
  std::size_t least_people = 0;
  std::vector<ingest::Roi> places;
  std::vector<std::uint64_t> inference_visits;  // by place
  std::vector<bool> enough_at;                  // people there in the inference period to tell of it, by place
  std::vector<PeopleGroups> groupings;          // none where there are fewer than least_people
  UserChoice chosen;
  std::function<std::string(std::uint32_t user)> id_of;  // of whoever is named where users are shown
};

// Users by what kind of traveller they are: how many have which value, of each quantity that they are grouped by.
inline constexpr std::size_t kGroupings = 3;
using PeopleCounts = std::array<std::vector<ValueCount>, kGroupings>;
PeopleCounts counts_of(const dataset::People& people);
std::vector<PeopleGroups> groupings_of(const PeopleCounts& counts, std::size_t least_people);

// Those whom a measurement by user has numbers of: everybody, or a share.
struct UsersAtHand {
  std::vector<std::vector<std::uint8_t>> groups;  // by grouping, then by user
  std::vector<std::uint32_t> chosen;              // those with rows in users.parquet, ascending
  std::vector<std::uint32_t> numbers;             // by user: its number among everybody; empty: its own

  std::uint32_t number_of(std::size_t user) const {
    return numbers.empty() ? static_cast<std::uint32_t>(user) : numbers[user];
  }
};
// `people`: of the dataset's users; may be empty where there are no groupings. `facts`: of everybody.
UsersAtHand users_at_hand(const dataset::Dataset& dataset, const dataset::People& people, const DataFacts& facts);

// Of a dataset with everybody in it. It outlives the facts. A few passes over the visits.
struct Known {
  DataFacts data;
  UsersAtHand users;
};
Known facts_of(const dataset::Dataset& dataset, const experiment::Study& study);

}  // namespace hearsay::results
