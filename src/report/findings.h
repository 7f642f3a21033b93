// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/defence_effects.h"
#include "results/best_response.h"

namespace hearsay::report {

using results::kRounding;

// The row of the raw counts that errs least of those that use them, the first of several; null where none does.
const results::SummaryRow* strongest(const std::vector<results::SummaryRow>& summary, const std::string& goal,
                                     const std::string& prior);

// Whom an answer is about: of the first goal in lists, the prior to which the counts add most as best responses have
// it; where they add nothing to any, the one with the strongest attack. None where no attack uses the counts.
std::optional<results::BestResponse> chosen_adversary(const std::vector<results::SummaryRow>& summary);

// What an answer says about her besides means over all people, as far as the report may say it.
struct Details {
  std::optional<double> own_p95;        // 95th percentile of the own part
  std::optional<double> own_hundredth;  // share of people of whose error being counted takes a hundredth or more
  std::string whom;                     // sentences, or nothing
  std::string where;
  std::vector<std::string> membership = {};    // sentences on whether somebody was counted
  std::vector<std::string> trajectories = {};  // and on paths from the counts alone
};

// The sentences a data owner needs: what the release gives away, how much of it because people are counted, for whom,
// to an adversary who knows what, whether somebody can be told to be counted, what somebody who knows nobody finds, how
// much stronger than the paper's the strongest adversary is, and what a defence would change. Empty where the study
// does not answer them.
std::vector<std::string> findings(const std::vector<results::SummaryRow>& summary,
                                  const std::vector<goal::ReleaseResult>& releases, const metric::Options& options,
                                  const Details& details = {});

}  // namespace hearsay::report
