// SPDX-License-Identifier: Apache-2.0
#include "results/people_groups.h"

#include <algorithm>

#include "base/radix_sort.h"

namespace hearsay::results {
namespace {

// Ends of the groups among users in order of their values; `run_ends`: where each value ends.
std::vector<std::size_t> cuts(const std::vector<std::size_t>& run_ends, std::size_t least, std::size_t parts) {
  const std::size_t users = run_ends.empty() ? 0 : run_ends.back();
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  for (std::size_t g = 1; g <= parts; ++g) {
    if (users * g / parts <= begin) continue;
    const std::size_t end = *std::lower_bound(run_ends.begin(), run_ends.end(), users * g / parts);
    if (end - begin < least) continue;
    ends.push_back(end);
    begin = end;
  }
  // What is left is too small for a group of its own.
  if (!ends.empty()) ends.back() = users;
  return ends;
}

}  // namespace

std::vector<ValueCount> counts_of(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  sort_numbers(sorted);
  std::vector<ValueCount> counts;
  for (const double value : sorted) {
    if (counts.empty() || counts.back().value != value) counts.push_back({value, 0});
    ++counts.back().users;
  }
  return counts;
}

std::vector<ValueCount> added(std::span<const ValueCount> some, std::span<const ValueCount> others) {
  std::vector<ValueCount> all;
  auto next = some.begin();
  for (const ValueCount& other : others) {
    while (next != some.end() && next->value < other.value) all.push_back(*next++);
    all.push_back(other);
    if (next != some.end() && next->value == other.value) all.back().users += (next++)->users;
  }
  all.insert(all.end(), next, some.end());
  return all;
}

PeopleGroups::PeopleGroups(std::string title, std::string unit, std::span<const ValueCount> counts, std::size_t least,
                           std::size_t parts)
    : title_(std::move(title)), unit_(std::move(unit)) {
  std::vector<std::size_t> run_ends;
  for (const ValueCount& count : counts) run_ends.push_back((run_ends.empty() ? 0 : run_ends.back()) + count.users);
  std::size_t begin = 0;
  std::size_t first = 0;  // value
  for (const std::size_t end : cuts(run_ends, least, parts)) {
    const auto last =
        static_cast<std::size_t>(std::lower_bound(run_ends.begin(), run_ends.end(), end) - run_ends.begin());
    Group group;
    if (begin > 0 || least <= 1) group.from = counts[first].value;
    if (end < run_ends.back() || least <= 1) group.to = counts[last].value;
    group.users = end - begin;
    groups_.push_back(group);
    last_.push_back(counts[last].value);
    begin = end;
    first = last + 1;
  }
}

std::size_t PeopleGroups::group_of(double value) const {
  return static_cast<std::size_t>(std::lower_bound(last_.begin(), last_.end() - 1, value) - last_.begin());
}

std::vector<std::uint8_t> PeopleGroups::groups_of(std::span<const double> values) const {
  std::vector<std::uint8_t> groups;
  if (groups_.empty()) return groups;
  groups.reserve(values.size());
  for (const double value : values) groups.push_back(static_cast<std::uint8_t>(group_of(value)));
  return groups;
}

std::vector<FixedSum> group_sums(const PeopleGroups& groups, std::span<const std::uint8_t> group_of_user,
                                 std::span<const double> numbers) {
  std::vector<FixedSum> sums(groups.groups().size());
  for (std::size_t user = 0; user < std::min(numbers.size(), group_of_user.size()); ++user) {
    sums[group_of_user[user]].add(numbers[user]);
  }
  return sums;
}

std::vector<std::optional<double>> group_means(const std::vector<FixedSum>& sums, std::size_t least) {
  std::vector<std::optional<double>> means;
  for (const FixedSum& sum : sums) {
    const bool enough = sum.count() > 0 && sum.count() >= least;
    means.push_back(enough ? std::optional(sum.mean()) : std::nullopt);
  }
  return means;
}

}  // namespace hearsay::results
