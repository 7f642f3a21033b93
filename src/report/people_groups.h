// SPDX-License-Identifier: Apache-2.0
//
// For whom: means by groups of people who have something in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hearsay::report {

struct Group {
  std::optional<double> from;  // none in the first group and
  std::optional<double> to;    // none in the last, where it would be one person's own number
  std::size_t users = 0;
};

// How means go from the first group to the last.
enum class Trend { kRises, kFalls, kNone };

struct GroupMeans {
  std::vector<std::optional<double>> means;  // by group
  Trend trend = Trend::kNone;
  bool every_step = false;  // the trend has no exception
};

// What is compared between groups: own parts, or losses of privacy.
struct Compared {
  const char* words;  // what a sentence calls it
  double alike;       // means that differ by less are alike
  bool percent;
};
inline constexpr Compared kOwnPart = {"what being counted costs", 0.0005, false};
inline constexpr Compared kLoss = {"the paper's mean loss", 0.02, true};

// Users in order of a quantity, cut at every tenth of them, or into so many parts. Equal values are in one group, and a
// group has at least `least` people, so there may be fewer parts; none where there are fewer people than that. Keeps a
// byte a user.
class PeopleGroups {
 public:
  static constexpr std::size_t kTenths = 10;
  PeopleGroups(std::string title, std::string unit, const std::vector<double>& values, std::size_t least,
               std::size_t parts = kTenths);

  const std::string& title() const { return title_; }
  const std::string& unit() const { return unit_; }
  const std::vector<Group>& groups() const { return groups_; }

  // By user; what is not a number is left out, and so is the mean of a group where fewer than `least` are left.
  GroupMeans means(std::span<const double> numbers, const Compared& compared) const;
  // By group; `numbers` are those of all users.
  std::vector<double> medians(std::span<const double> numbers) const;

 private:
  std::string title_;
  std::string unit_;
  std::size_t least_;
  std::vector<Group> groups_;
  std::vector<std::uint8_t> group_of_;  // by user
};

// The grouping with the clearest difference, or that there is no pattern; `means` of each. Empty where there are no
// groups to compare.
std::string whom_sentence(const std::vector<PeopleGroups>& groupings, const std::vector<GroupMeans>& means,
                          const Compared& compared);

const char* trend_name(Trend trend);

}  // namespace hearsay::report
