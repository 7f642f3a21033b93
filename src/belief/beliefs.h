// SPDX-License-Identifier: Apache-2.0
//
// What somebody believes about where people are in one epoch: the contract between priors, attacks, decisions and
// metrics. Everything here is a view, valid as long as whatever made it says.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.h"

namespace hearsay::belief {

// The users numbered from `begin` to before `end`.
struct UserRange {
  UserId begin{};
  UserId end{};
  std::size_t size() const { return index_of(end) - index_of(begin); }
};

// Some users, ascending, each with a row of ROIs, ascending. No row is empty.
struct SparseRows {
  std::span<const UserId> users;
  std::span<const std::uint32_t> begins;  // users.size() + 1 positions in rois and weights
  std::span<const RoiId> rois;

  std::span<const RoiId> rois_of(std::size_t row) const {
    return rois.subspan(begins[row], begins[row + 1] - begins[row]);
  }
};

// A distribution over ROIs for every user listed; a user not listed is in null with probability 1. Rows are weights,
// not probabilities: a probability is weight / sum of the row. Counts as weights keep products and comparisons exact.
struct Rows : SparseRows {
  std::span<const double> weights;  // > 0; empty: 1 each
  std::span<const double> totals;   // sum of each row's weights; empty: not made yet
  // Above 0: weights count in how many of so many epochs a user was somewhere, so that weight / trials is a rate.
  double trials = 0;

  double weight(std::size_t entry) const { return weights.empty() ? 1.0 : weights[entry]; }
  // Empty where all weights are 1.
  std::span<const double> weights_of(std::size_t row) const {
    return weights.empty() ? weights : weights.subspan(begins[row], begins[row + 1] - begins[row]);
  }
  double total_of(std::size_t row) const;
};

// One distribution over all ROIs (null last) that many users have in common.
struct Background {
  std::span<const double> weights;  // >= 0, one a ROI
  double total = 0;                 // their sum, > 0
};

// The same distribution for every user listed, or for everybody; a user not listed is otherwise in null.
struct Shared {
  std::span<const UserId> users;  // ascending
  Background background;
  bool everyone = false;
  // Some of them for whom a few places weigh something else than in the background; where nothing is left, null.
  SparseRows apart = {};
  std::span<const double> apart_weights = {};
};

// Who is where: a set of ROIs for every user, as predicted; a user with none is in null. Besides the rows, a ROI may
// take in everybody up to a place in some order of the users, which costs no entries.
struct Assignment : SparseRows {
  std::span<const std::uint32_t> limits;         // by ROI: it has the users placed below this; empty: none has any
  std::span<const std::uint32_t> sorted_limits;  // those above 0, ascending
  std::span<const std::uint32_t> places;         // by user: its place in that order; empty: its number
  SparseRows apart = {};  // users who are in the ROIs of these rows and in no others, whatever the rest says

  std::uint32_t place_of(UserId user) const {
    return places.empty() ? static_cast<std::uint32_t>(user) : places[index_of(user)];
  }
  // Users placed below this have a ROI by the limits.
  std::uint32_t highest_limit() const { return sorted_limits.empty() ? 0 : sorted_limits.back(); }
};

// How likely each user is to be in each place, every place for itself: chances, which do not sum to 1.
struct Rates : SparseRows {         // every row ends with null
  std::span<const double> chances;  // by entry, in [0, 1]
  // By ROI: the chance of users with no entry there. The last, null's, is that of users not listed.
  std::span<const double> elsewhere;

  std::span<const double> chances_of(std::size_t row) const {
    return chances.subspan(begins[row], begins[row + 1] - begins[row]);
  }
};

using Beliefs = std::variant<Rows, Shared, Assignment, Rates>;

// What can be read off them.
enum class Kind { kDistribution, kAssignment, kRates };
Kind kind_of(const Beliefs& beliefs);

// An assignment of just these rows, or a distribution that has every ROI of a row alike.
Rows uniform_rows(const SparseRows& rows);

// For whoever knows distributions only: the chances listed as weights. Other beliefs as they are.
Beliefs as_distribution(const Beliefs& beliefs);

// The part about the users of a range; positions in rows stay those of the whole.
Beliefs of_range(const Beliefs& beliefs, UserRange range);

// The users listed.
std::span<const UserId> users_of(const Beliefs& beliefs);

// A feature of a fitted model, and how much the model errs without it.
struct Lesson {
  std::string feature;
  double importance = 0;
};

// Beliefs for every epoch of the inference period. Epochs with the same beliefs share a table, so that what is derived
// from a table is derived once.
class Series {
 public:
  virtual ~Series() = default;
  virtual std::size_t tables() const = 0;
  virtual std::size_t table_of(EpochId epoch) const = 0;  // epoch of the inference period
  // Valid as long as the series and the data it was built from. Called from several threads at once.
  virtual Beliefs table(std::size_t index) const = 0;
  // What it keeps in memory, besides the data it was built from.
  virtual std::uint64_t bytes() const { return 0; }
  // What told most, of a prior that was fitted; most first.
  virtual std::span<const Lesson> lessons() const { return {}; }
};

// Owns what Rows show; kept and refilled from epoch to epoch.
struct RowTable {
  std::vector<UserId> users;
  std::vector<std::uint32_t> begins;
  std::vector<RoiId> rois;
  std::vector<double> weights;
  std::vector<double> totals;  // filled by whoever has them at hand, or empty

  void clear();
  std::uint64_t bytes() const;
  // Adds an entry of a row; users ascending, ROIs ascending in a row. close() ends the table. All three throw
  // ConfigError where the table gets more entries than positions can tell (base/table_position.h).
  void add(UserId user, RoiId roi, double weight);
  // Adds the rows of another table that is not closed either, of users after those of this one.
  void append(const RowTable& next);
  void close();
  Rows rows() const;
  // The same rows with weights that are chances.
  Rates rates(std::span<const double> elsewhere) const;
  // The same rows as an assignment, without their weights.
  Assignment assignment() const;
};

}  // namespace hearsay::belief
