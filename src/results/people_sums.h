// SPDX-License-Identifier: Apache-2.0
//
// What of people's figures adds up, exactly and in any order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "results/fixed_sum.h"
#include "results/ordered.h"
#include "results/people_figures.h"

namespace hearsay::results {

// What a measurement is taken for: all it has, or nothing but the control, of people whose errors are taken elsewhere.
enum class Part { kAll, kControl };

using SumsByGroup = std::vector<std::vector<FixedSum>>;

// What is told of in order. Of each column those that are numbers.
template <typename Column>
struct Columns {
  Column error;
  Column without;
  Column own;
  Column gain;  // of a defence; may be empty of others
  Column loss;  // of attacks on the raw release, without a control; may be empty of others
};
using OrderedColumns = Columns<const Ordered&>;

// Ascending numbers of a measurement, sorted here where it does not have them so.
class SortedColumn {
 public:
  explicit SortedColumn(const goal::Numbers& numbers);
  std::span<const double> numbers() const { return given_.empty() ? std::span<const double>(made_) : given_; }

 private:
  std::span<const double> given_;
  std::vector<double> made_;
};
Columns<SortedColumn> sorted_columns(const goal::Combination& combination, const goal::Measurement& users,
                                     Part part = Part::kAll);

// Whether the report tells whom it is about: an attack that uses the raw release.
bool tells_whom(const goal::Combination& combination);

class PeopleSums {
 public:
  PeopleSums() = default;
  PeopleSums(const goal::Combination& combination, const goal::Measurement& users, const DataFacts& facts,
             const UsersAtHand& at_hand, Part part = Part::kAll);

  void add(const PeopleSums& other);
  void write(BytesWriter& out) const;
  void read(BytesReader& in);

  // All of them being of everybody.
  PeopleFigures figures(const goal::Combination& combination, const DataFacts& facts,
                        const OrderedColumns& columns) const;

 private:
  // Numbers of everybody.
  struct Errors {
    std::uint64_t users = 0;
    std::uint64_t losses = 0;  // how many there are
    std::uint64_t gains = 0;
    std::uint64_t improved = 0;
    FixedSum loss;
    FixedSum loss_signed;
    FixedSum gain;
    FixedSum active;
    FixedSquares squares;  // of errors
  };
  // Numbers of those of whom there is a control.
  struct Controlled {
    std::uint64_t losses = 0;
    std::uint64_t counted = 0;
    std::uint64_t hundredth = 0;
    FixedSum own_clipped;
    FixedSum own_loss;
    FixedSum loss_without;
    FixedSum active_without;
    FixedSquares without_squares;
    FixedSquares own_squares;
  };

  void take_errors(const goal::Measurement& users);
  void take_control(const goal::Measurement& users);
  void take_rows(const goal::Measurement& users, const UsersAtHand& at_hand, Part part);
  SummaryRow row(const goal::Combination& combination, const DataFacts& facts, const OrderedColumns& columns) const;

  Errors errors_;
  Controlled control_;
  Exposed exposed_by_loss_;
  Exposed exposed_by_own_;
  SumsByGroup loss_groups_;
  SumsByGroup own_groups_;
  std::vector<UserRow> rows_;
};

}  // namespace hearsay::results
