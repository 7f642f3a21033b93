// SPDX-License-Identifier: Apache-2.0
//
// A data set cut into shares, for tests of what adds up over them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "dataset/dataset.h"
#include "ingest/visit_list.h"

namespace hearsay::dataset {

// The share of these users of a data set, by their numbers in it, ascending.
inline Dataset share_of(const Dataset& all, std::span<const std::uint32_t> users) {
  std::vector<std::string> ids;
  ShareOf share{all.crowd().people(), {}, {}};
  for (const std::uint32_t user : users) {
    ids.push_back(all.user_ids()[user]);
    share.numbers.push_back(all.crowd().number_of(static_cast<UserId>(user)));
    share.ranks.push_back(all.crowd().ranks[user]);
  }
  std::vector<std::vector<std::uint64_t>> visits(all.calendar().epochs);
  for (std::size_t e = 0; e < visits.size(); ++e) {
    const EpochVisits epoch = all.visits().at(static_cast<EpochId>(e));
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      const auto own = std::lower_bound(users.begin(), users.end(), static_cast<std::uint32_t>(epoch.users[row]));
      if (own == users.end() || *own != static_cast<std::uint32_t>(epoch.users[row])) continue;
      const auto user = static_cast<std::uint32_t>(own - users.begin());
      for (const RoiId roi : epoch.rois_of(row)) {
        visits[e].push_back(ingest::VisitList::key(user, static_cast<std::uint32_t>(roi)));
      }
    }
  }
  return {std::move(ids), all.rois(), all.crowd().columns, std::move(visits), all.calendar(), std::move(share)};
}

// Everybody in so many shares, one range of users after another, of about one size; some are empty where there are
// fewer people.
inline std::vector<Dataset> shares_of(const Dataset& all, std::size_t shares) {
  const std::size_t users = all.crowd().users;
  std::vector<std::uint32_t> numbers(users);
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::vector<Dataset> cut;
  for (std::size_t i = 0; i < shares; ++i) {
    const std::size_t begin = users * i / shares;
    cut.push_back(share_of(all, std::span(numbers).subspan(begin, users * (i + 1) / shares - begin)));
  }
  return cut;
}

}  // namespace hearsay::dataset
