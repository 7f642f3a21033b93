// SPDX-License-Identifier: Apache-2.0
#include "trajectory/matching.h"

#include <limits>
#include <utility>

namespace hearsay::trajectory {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kUnreached = std::numeric_limits<std::int64_t>::max();

class Matching {
 public:
  explicit Matching(const CostMatrix& costs)
      : costs_(costs),
        size_(static_cast<std::uint32_t>(costs.size())),
        column_of_(size_, kNone),
        row_of_(size_, kNone),
        price_(size_),
        distance_(size_),
        from_(size_),
        order_(size_) {}

  std::vector<std::uint32_t> solve(const std::function<void()>& check) {
    price_columns();
    for (int pass = 0; pass < 2; ++pass) settle_rows();
    for (std::uint32_t row = 0; row < size_; ++row) {
      if (column_of_[row] != kNone) continue;
      if (check) check();
      augment(row);
    }
    return column_of_;
  }

 private:
  // Each column at the price of its cheapest row, which takes it if it has none.
  void price_columns() {
    price_.assign(size_, kUnreached);
    std::vector<std::uint32_t> cheapest(size_);
    for (std::uint32_t row = 0; row < size_; ++row) {
      const std::int32_t* cost = costs_.row(row);
      for (std::uint32_t column = 0; column < size_; ++column) {
        if (cost[column] >= price_[column]) continue;
        price_[column] = cost[column];
        cheapest[column] = row;
      }
    }
    for (std::uint32_t column = 0; column < size_; ++column) {
      if (column_of_[cheapest[column]] == kNone) give(cheapest[column], column);
    }
  }

  // Rows without a column bid for their best, down to where their second best is as good; whoever had it bids next, at
  // once where the price fell.
  void settle_rows() {
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t row = 0; row < size_; ++row) {
      if (column_of_[row] == kNone) waiting.push_back(row);
    }
    // A bid that lowers a price makes another at once; where prices creep, that is left to the augmenting paths.
    std::size_t bids = 8 * waiting.size();
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      std::uint32_t row = waiting[i];
      while (row != kNone && bids > 0) {
        --bids;
        row = bid(row);
      }
    }
  }

  // Returns the row to bid next, none where there is none or it gained nothing.
  std::uint32_t bid(std::uint32_t row) {
    const std::int32_t* cost = costs_.row(row);
    std::int64_t best = kUnreached;
    std::int64_t second = kUnreached;
    std::uint32_t best_column = 0;
    std::uint32_t second_column = kNone;
    for (std::uint32_t column = 0; column < size_; ++column) {
      const std::int64_t reduced = cost[column] - price_[column];
      if (reduced >= second) continue;
      if (reduced < best) {
        second = best;
        second_column = best_column;
        best = reduced;
        best_column = column;
      } else {
        second = reduced;
        second_column = column;
      }
    }
    const bool gained = second != kUnreached && best < second;
    if (gained) {
      price_[best_column] -= second - best;
    } else if (second != kUnreached && row_of_[best_column] != kNone) {
      best_column = second_column;
      if (row_of_[best_column] != kNone) return kNone;
    } else if (row_of_[best_column] != kNone) {
      return kNone;
    }
    const std::uint32_t loser = row_of_[best_column];
    if (loser != kNone) column_of_[loser] = kNone;
    give(row, best_column);
    return loser;
  }

  // The cheapest way to give `row` a column, others changing theirs: Dijkstra over columns, of which order_ has first
  // those that are done, up to `open` those at the least distance, then the rest.
  void augment(std::uint32_t row) {
    const std::int32_t* cost = costs_.row(row);
    for (std::uint32_t column = 0; column < size_; ++column) {
      distance_[column] = cost[column] - price_[column];
      from_[column] = row;
      order_[column] = column;
    }
    std::uint32_t next = 0;
    std::uint32_t open = 0;
    std::int64_t least = 0;
    std::uint32_t last = kNone;
    std::uint32_t done = 0;
    while (last == kNone) {
      if (next == open) {
        done = next;
        open = gather_nearest(open);
        least = distance_[order_[next]];
        for (std::uint32_t i = next; i < open && last == kNone; ++i) {
          if (row_of_[order_[i]] == kNone) last = order_[i];
        }
        if (last != kNone) break;
      }
      const std::uint32_t column = order_[next++];
      const std::uint32_t through = row_of_[column];
      const std::int32_t* costs = costs_.row(through);
      const std::int64_t base = least - (costs[column] - price_[column]);
      for (std::uint32_t i = open; i < size_; ++i) {
        const std::uint32_t other = order_[i];
        const std::int64_t far = base + costs[other] - price_[other];
        if (far >= distance_[other]) continue;
        distance_[other] = far;
        from_[other] = through;
        if (far > least) continue;
        if (row_of_[other] == kNone) {
          last = other;
          break;
        }
        std::swap(order_[i], order_[open++]);
      }
    }
    for (std::uint32_t i = 0; i < done; ++i) price_[order_[i]] += distance_[order_[i]] - least;
    for (std::uint32_t column = last;;) {
      const std::uint32_t taker = from_[column];
      const std::uint32_t given_up = column_of_[taker];
      give(taker, column);
      if (taker == row) return;
      column = given_up;
    }
  }

  // Puts the nearest of the columns from `begin` on first among them; returns where they end.
  std::uint32_t gather_nearest(std::uint32_t begin) {
    std::int64_t least = kUnreached;
    std::uint32_t end = begin;
    for (std::uint32_t i = begin; i < size_; ++i) {
      const std::int64_t distance = distance_[order_[i]];
      if (distance > least) continue;
      if (distance < least) {
        least = distance;
        end = begin;
      }
      std::swap(order_[i], order_[end++]);
    }
    return end;
  }

  void give(std::uint32_t row, std::uint32_t column) {
    column_of_[row] = column;
    row_of_[column] = row;
  }

  const CostMatrix& costs_;
  std::uint32_t size_;
  std::vector<std::uint32_t> column_of_;
  std::vector<std::uint32_t> row_of_;
  std::vector<std::int64_t> price_;
  std::vector<std::int64_t> distance_;
  std::vector<std::uint32_t> from_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<std::uint32_t> cheapest_matching(const CostMatrix& costs, const std::function<void()>& check) {
  return Matching(costs).solve(check);
}

}  // namespace hearsay::trajectory
