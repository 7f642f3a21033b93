// SPDX-License-Identifier: Apache-2.0
//
// Priors that are fitted: presence in a cell (a person, a place, an epoch) is predicted from what was seen of person
// and crowd. The features of an earlier part of the observation period are fitted to what happened in the rest of it,
// and then those of all of it are asked for the inference period.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "prior/learned_features.h"
#include "prior/learned_model.h"

namespace hearsay::prior {

// A person less likely to be out has no row, and a cell less likely no entry of its own. Without cells below 0.02
// errors on the cabs change by 0.0003; on the demo a quarter of the entries are left that 0.01 for both would give.
inline constexpr double kOut = 0.05;
inline constexpr double kListed = 0.02;

// What was fitted: chances of a place, and of null.
struct Learned {
  ProductModel places;
  ProductModel null;
  std::vector<belief::Lesson> lessons;

  void put(BytesWriter& bytes) const;
  void get(BytesReader& bytes);
};

// The epochs of the observation period that come before those fitted to: all but the last week, or where less than two
// weeks were observed, but the last half of the whole days.
std::uint32_t earlier_part(const dataset::Calendar& calendar);

// Whether models are fitted on the person of this number among everybody: on all, or where visits are many, on a draw.
bool is_drawn(const dataset::ObservedCounts& counts, std::uint32_t number);
// Those of the users at hand, ascending.
std::vector<UserId> draw_users(const dataset::ObservedCounts& counts, const dataset::Crowd& crowd);

// Fits on cells of the epochs from ground.history to the end of the observation period, a draw of each label.
// `traces` are of draw_users(). The same for any number of threads.
Learned learn(const Knowledge& knowledge, const Ground& ground, const std::vector<UserId>& users, const Traces& traces);

// Chances for every time of the week that the inference period has, or where `recent`, for each of its epochs. Time:
// one pass over the visits for every range of users, and candidate places x epochs of the people likely to be out.
std::unique_ptr<CrowdLearning> make_learning(const dataset::ObservedCounts& counts, bool recent);
// Throws ConfigError where less than two whole days are observed.
void check_learned(const dataset::Calendar& calendar, const char* name);

}  // namespace hearsay::prior
