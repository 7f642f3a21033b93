// SPDX-License-Identifier: Apache-2.0
#include "attack/greedy.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "base/radix_sort.h"
#include "base/table_position.h"

namespace hearsay::attack {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

// Candidates by ROI in the order they are taken. Null is kept apart: almost everybody is a candidate for it, and a
// prediction of nothing but null needs no entry, so only the place of those with other assignments is ever asked for.
struct GreedyPreparation final : Preparation {
  Order order = Order::kByPrior;
  std::vector<RoiId> rois;            // those with a candidate, ascending; none where the prior is a background
  std::vector<std::uint32_t> begins;  // of each in candidates, and the end
  std::vector<UserId> candidates;
  std::vector<UserId> in_user_order;         // the same, each ROI's in user order; empty where they are so anyway
  std::vector<UserId> background_users;      // the candidates of every ROI of the background
  std::vector<std::uint32_t> null_places;    // by listed user: its place in the order for null, or kNever
  std::vector<std::uint32_t> after_unlisted;  // positions of listed users who come after all unlisted ones for null
};

// A user's place in the order that breaks ties.
std::uint32_t position_of(UserId user, Order order, const dataset::Crowd& crowd) {
  return order == Order::kByPrior ? static_cast<std::uint32_t>(user) : crowd.ranks[index_of(user)];
}

double probability(const prior::Beliefs& prior, std::size_t row, std::size_t entry) {
  const auto weights = prior.weights_of(row);
  const double weight = weights.empty() ? 1.0 : weights[entry];
  return prior.binary ? weight : weight / prior::row_total(prior.rois_of(row), weights);
}

double null_probability(const prior::Beliefs& prior, std::size_t row, const dataset::Crowd& crowd) {
  if (prior.background != nullptr) return prior.background->weights.back() / prior.background->total;
  const auto rois = prior.rois_of(row);
  return rois.back() == crowd.null_roi() ? probability(prior, row, rois.size() - 1) : 0.0;
}

struct Candidate {
  double probability;
  UserId user;
};

std::vector<UserId> users_of(const std::vector<Candidate>& candidates) {
  std::vector<UserId> users(candidates.size());
  std::transform(candidates.begin(), candidates.end(), users.begin(), [](const Candidate& c) { return c.user; });
  return users;
}

// The candidates of every ROI but null, by ROI and then user.
std::vector<Candidate> collect_candidates(const prior::Beliefs& prior, const dataset::Crowd& crowd,
                                          GreedyPreparation& made) {
  // Entries by ROI: sorting them costs no more than counting, and nothing for the ROIs that have none.
  std::vector<std::uint64_t> entries;
  std::vector<std::uint64_t> scratch;
  std::vector<Candidate> by_user;
  for (std::size_t row = 0; row < prior.users.size(); ++row) {
    const auto rois = prior.rois_of(row);
    const auto weights = prior.weights_of(row);
    const double total = prior.binary ? 1.0 : prior.total_of(row);
    const std::size_t places = rois.size() - (rois.back() == crowd.null_roi() ? 1 : 0);
    for (std::size_t i = 0; i < places; ++i) {
      entries.push_back(static_cast<std::uint64_t>(rois[i]) << 32 | table_position(by_user.size()));
      by_user.push_back({(weights.empty() ? 1.0 : weights[i]) / total, prior.users[row]});
    }
  }
  radix_sort(entries, scratch);
  std::vector<Candidate> list(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto roi = static_cast<RoiId>(entries[i] >> 32);
    if (made.rois.empty() || made.rois.back() != roi) {
      made.rois.push_back(roi);
      made.begins.push_back(table_position(i));
    }
    list[i] = by_user[entries[i] & 0xffffffffU];
  }
  made.begins.push_back(table_position(entries.size()));
  return list;
}

void list_candidates(const prior::Beliefs& prior, const dataset::Crowd& crowd, GreedyPreparation& made) {
  std::vector<Candidate> list = collect_candidates(prior, crowd, made);
  const bool by_prior = made.order == Order::kByPrior;
  if (by_prior && prior.binary && prior.weights.empty()) {
    made.candidates = users_of(list);
    return;
  }
  if (by_prior) made.in_user_order = users_of(list);
  for (std::size_t i = 0; i < made.rois.size(); ++i) {
    std::sort(list.begin() + made.begins[i], list.begin() + made.begins[i + 1],
              [&](const Candidate& x, const Candidate& y) {
                if (by_prior && x.probability != y.probability) return x.probability > y.probability;
                return position_of(x.user, made.order, crowd) < position_of(y.user, made.order, crowd);
              });
  }
  made.candidates = users_of(list);
}

// How many before `position` do not come after all unlisted users.
std::uint32_t place_among_first(const GreedyPreparation& made, std::uint32_t position) {
  const auto before = std::lower_bound(made.after_unlisted.begin(), made.after_unlisted.end(), position);
  return position - static_cast<std::uint32_t>(before - made.after_unlisted.begin());
}

// Unlisted users are in null with probability 1. For kByPrior they come first, with whoever else has probability 1; for
// kByUser they mix with everybody whose probability is above 0.
void place_in_null(const prior::Beliefs& prior, const dataset::Crowd& crowd, GreedyPreparation& made) {
  const std::size_t rows = prior.users.size();
  const double least = made.order == Order::kByPrior ? 1.0 : std::numeric_limits<double>::min();
  std::vector<double> chance(rows);
  std::vector<std::size_t> later;
  for (std::size_t row = 0; row < rows; ++row) {
    chance[row] = null_probability(prior, row, crowd);
    if (chance[row] >= least) continue;
    later.push_back(row);
    made.after_unlisted.push_back(position_of(prior.users[row], made.order, crowd));
  }
  std::sort(made.after_unlisted.begin(), made.after_unlisted.end());
  made.null_places.assign(rows, kNever);
  for (std::size_t row = 0; row < rows; ++row) {
    if (chance[row] < least) continue;
    made.null_places[row] = place_among_first(made, position_of(prior.users[row], made.order, crowd));
  }
  if (made.order == Order::kByUser) return;
  const std::size_t first = crowd.users - later.size();
  std::stable_sort(later.begin(), later.end(), [&](std::size_t a, std::size_t b) { return chance[a] > chance[b]; });
  for (std::size_t i = 0; i < later.size(); ++i) made.null_places[later[i]] = static_cast<std::uint32_t>(first + i);
}

std::size_t whole_people(double count, const dataset::Crowd& crowd) {
  return static_cast<std::size_t>(std::llround(std::clamp(count, 0.0, static_cast<double>(crowd.users))));
}

// The users below this are just the candidates below it and `others` more.
std::uint32_t limit_for(std::span<const UserId> candidates_in_order, std::size_t others) {
  std::size_t limit = others;
  for (const UserId user : candidates_in_order) {
    if (index_of(user) >= limit) break;
    ++limit;
  }
  return static_cast<std::uint32_t>(limit);
}

// Calls visit(user) for every user below `covered` or with a bit set in `touched`, ascending, and clears the bits.
template <typename Visit>
void take_touched(std::vector<std::uint64_t>& touched, std::size_t covered, const Visit& visit) {
  for (std::size_t word = 0; word < touched.size(); ++word) {
    std::uint64_t bits = std::exchange(touched[word], 0);
    if (word < covered / 64) bits = ~std::uint64_t{0};
    if (word == covered / 64) bits |= (std::uint64_t{1} << covered % 64) - 1;
    for (; bits != 0; bits &= bits - 1) visit(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }
}

// The chosen (user, ROI) pairs, ROIs ascending, in workspace.per_user how many each user has, and in workspace.limits
// up to which user a ROI takes everybody: where its count exceeds its candidates, users with prior 0 follow in user
// order.
void choose(const GreedyPreparation& made, const prior::Beliefs& prior, const release::EpochCounts& counts,
            const dataset::Crowd& crowd, Workspace& workspace) {
  workspace.pairs.clear();
  workspace.per_user.resize(crowd.users);
  workspace.touched.resize(crowd.users / 64 + 1);
  workspace.limits.resize(crowd.rois);
  for (const RoiId roi : workspace.limited) workspace.limits[index_of(roi)] = 0;
  workspace.limited.clear();
  std::size_t listed = 0;
  const std::vector<UserId>& in_order = made.in_user_order.empty() ? made.candidates : made.in_user_order;
  for (const RoiId roi : counts.rois) {
    if (roi == crowd.null_roi()) continue;
    const std::size_t people = whole_people(counts.dense[index_of(roi)], crowd);
    std::span<const UserId> candidates;
    std::span<const UserId> ordered;
    if (prior.background == nullptr) {
      while (listed < made.rois.size() && made.rois[listed] < roi) ++listed;
      if (listed < made.rois.size() && made.rois[listed] == roi) {
        const std::size_t size = made.begins[listed + 1] - made.begins[listed];
        candidates = std::span(made.candidates).subspan(made.begins[listed], size);
        ordered = std::span(in_order).subspan(made.begins[listed], size);
      }
    } else if (prior.background->weights[index_of(roi)] > 0) {
      candidates = ordered = made.background_users;
    }
    std::uint32_t limit = 0;
    if (people <= candidates.size()) {
      candidates = candidates.first(people);
    } else if (made.order == Order::kByPrior) {
      limit = limit_for(ordered, people - candidates.size());
      workspace.limits[index_of(roi)] = limit;
      workspace.limited.push_back(roi);
    }
    for (const UserId user : candidates) {
      if (index_of(user) < limit) continue;
      workspace.pairs.push_back(static_cast<std::uint64_t>(user) << 32 | static_cast<std::uint64_t>(roi));
      ++workspace.per_user[index_of(user)];
      workspace.touched[index_of(user) / 64] |= std::uint64_t{1} << index_of(user) % 64;
    }
  }
  workspace.sorted_limits.clear();
  for (const RoiId roi : workspace.limited) workspace.sorted_limits.push_back(workspace.limits[index_of(roi)]);
  std::sort(workspace.sorted_limits.begin(), workspace.sorted_limits.end());
}

}  // namespace

std::unique_ptr<Preparation> prepare_greedy(const prior::Beliefs& prior, const dataset::Crowd& crowd, Order order) {
  assert(!prior.everyone);
  auto made = std::make_unique<GreedyPreparation>();
  made->order = order;
  if (prior.background == nullptr) {
    list_candidates(prior, crowd, *made);
  } else {
    made->background_users.assign(prior.users.begin(), prior.users.end());
    std::sort(made->background_users.begin(), made->background_users.end(), [&](UserId a, UserId b) {
      return position_of(a, order, crowd) < position_of(b, order, crowd);
    });
  }
  place_in_null(prior, crowd, *made);
  return made;
}

prior::Beliefs assign_greedy(const prior::Beliefs& prior, const Preparation& preparation,
                             const release::EpochCounts& counts, const dataset::Crowd& crowd, Workspace& workspace) {
  const auto& made = static_cast<const GreedyPreparation&>(preparation);
  choose(made, prior, counts, crowd, workspace);

  // Rows by user: first their places, then the ROIs, which come in ascending order.
  prior::BeliefTable& table = workspace.table;
  const std::size_t null_people = whole_people(counts.dense.back(), crowd);
  const std::size_t covered = workspace.sorted_limits.empty() ? 0 : workspace.sorted_limits.back();
  table.clear();
  std::size_t position = 0;
  std::size_t row = 0;
  const auto at = [&](std::size_t i) { return prior.users.begin() + static_cast<std::ptrdiff_t>(i); };
  take_touched(workspace.touched, covered, [&](std::size_t u) {
    const auto user = static_cast<UserId>(u);
    row = static_cast<std::size_t>(std::lower_bound(at(row), prior.users.end(), user) - prior.users.begin());
    const bool listed = row < prior.users.size() && prior.users[row] == user;
    const std::uint32_t place = listed ? made.null_places[row] : place_among_first(made, position_of(user, made.order, crowd));
    const std::uint32_t rois = workspace.per_user[u] + (place < null_people ? 1 : 0);
    if (rois == 0) return;
    table.users.push_back(user);
    table.begins.push_back(table_position(position));
    workspace.per_user[u] = table_position(position);
    position += rois;
  });
  table.begins.push_back(table_position(position));
  table.rois.assign(position, crowd.null_roi());
  for (const std::uint64_t pair : workspace.pairs) {
    table.rois[workspace.per_user[pair >> 32]++] = static_cast<RoiId>(pair & 0xffffffffU);
  }
  for (const UserId user : table.users) workspace.per_user[index_of(user)] = 0;
  prior::Beliefs assignment = table.rows();
  assignment.binary = true;
  if (covered > 0) {
    assignment.limits = workspace.limits;
    assignment.sorted_limits = workspace.sorted_limits;
  }
  return assignment;
}

}  // namespace hearsay::attack
