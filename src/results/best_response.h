// SPDX-License-Identifier: Apache-2.0
//
// How well an adversary does who guesses as well as she can: the strategy with the least mean error, chosen for all
// people together and not with hindsight for each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/summary.h"

namespace hearsay::results {

// The least mean error, and whose it is.
struct Strategy {
  double error = 0;
  std::string attack;
  std::string decision;    // empty for a goal that reads beliefs as they are
  double half_width = 0;   // of the error, 95%, where it was measured on a sample of people
  std::size_t people = 0;  // those measured; 0: everybody
};

// One goal and prior against one draw of one release.
struct BestResponse {
  std::string goal;
  std::string prior;
  std::string release;
  std::string parameter;
  std::size_t repeat = 0;
  Strategy before;  // without the release: a blind guess, or the prior by some decision
  // With counts that leave each person out, or ignoring them; none where the study has no control.
  std::optional<Strategy> without;
  Strategy with;  // with the release, or ignoring it where that is better
  // The same among the paper's adversaries; none where no attack of the paper that uses the counts was run with this
  // knowledge.
  std::optional<Strategy> paper = {};

  double taken() const { return before.error - with.error; }
  // What the counts of the others say about anybody, and what being counted adds to it: together, what is taken.
  std::optional<double> crowd_part() const {
    return without ? std::optional(before.error - without->error) : std::nullopt;
  }
  std::optional<double> own_part() const { return without ? std::optional(without->error - with.error) : std::nullopt; }
  // Share of the error before that the release takes away.
  double loss() const { return before.error > 0 ? taken() / before.error : 0; }
};

// In the order of the summary. Of equal strategies the first.
std::vector<BestResponse> best_responses(const std::vector<SummaryRow>& summary);

}  // namespace hearsay::results
