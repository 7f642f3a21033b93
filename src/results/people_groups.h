// SPDX-License-Identifier: Apache-2.0
//
// Groups of people who have something in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/fixed_sum.h"

namespace hearsay::results {

struct Group {
  std::optional<double> from;  // none in the first group and
  std::optional<double> to;    // none in the last, where it would be one person's own number
  std::size_t users = 0;
};

// How many users have a value. Lists of them are ascending and have a value once.
struct ValueCount {
  double value = 0;
  std::uint64_t users = 0;
};
std::vector<ValueCount> counts_of(std::span<const double> values);
// Of all people, from those of some and of others.
std::vector<ValueCount> added(std::span<const ValueCount> some, std::span<const ValueCount> others);

// Users in order of a quantity, cut at every tenth of them, or into so many parts. Equal values are in one group, and a
// group has at least `least` people, so there may be fewer parts; none where there are fewer people than that.
class PeopleGroups {
 public:
  static constexpr std::size_t kTenths = 10;
  PeopleGroups(std::string title, std::string unit, std::span<const ValueCount> counts, std::size_t least,
               std::size_t parts = kTenths);

  const std::string& title() const { return title_; }
  const std::string& unit() const { return unit_; }
  const std::vector<Group>& groups() const { return groups_; }

  // Of a value of one of the users. There are groups.
  std::size_t group_of(double value) const;
  // By user; none where there are no groups.
  std::vector<std::uint8_t> groups_of(std::span<const double> values) const;

 private:
  std::string title_;
  std::string unit_;
  std::vector<Group> groups_;
  std::vector<double> last_;  // the largest value, by group
};

// By group, of numbers by user; what is not a number is left out. Either list may be the shorter.
std::vector<FixedSum> group_sums(const PeopleGroups& groups, std::span<const std::uint8_t> group_of_user,
                                 std::span<const double> numbers);
// None of a group of which fewer than `least` were added up.
std::vector<std::optional<double>> group_means(const std::vector<FixedSum>& sums, std::size_t least);

}  // namespace hearsay::results
