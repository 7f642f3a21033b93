// SPDX-License-Identifier: Apache-2.0
#include "report/defence_effects.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "results/best_response.h"

namespace hearsay::report {
namespace {

// An adversary as a table row has her: by goal, prior and attack (empty: the prior itself), with the reading of her
// beliefs that errs least.
using AdversaryKey = std::tuple<std::string, std::string, std::string>;
using Errors = std::map<AdversaryKey, double>;

void keep_least(Errors& errors, const results::SummaryRow& row) {
  const goal::Combination& key = row.combination;
  const auto [found, added] =
      errors.emplace(AdversaryKey{key.goal, key.prior, key.is_prior() ? "" : key.attack}, row.error.mean);
  if (!added) found->second = std::min(found->second, row.error.mean);
}

// Of the error that the counts took away, summed over adversaries, the share that a release gives back. She can fall
// back on her prior, so more than its error is no gain. Nothing where the counts took nothing.
std::optional<double> share_given_back(const Errors& raw, const Errors& defended) {
  double taken = 0;
  double returned = 0;
  for (const auto& [adversary, error] : defended) {
    const auto& [goal, prior, attack] = adversary;
    const auto without = raw.find({goal, prior, ""});
    const auto with = raw.find(adversary);
    if (without == raw.end() || with == raw.end() || with->second >= without->second) continue;
    taken += without->second - with->second;
    returned += std::min(error, without->second) - with->second;
  }
  return taken > 0 ? std::optional(returned / taken) : std::nullopt;
}

bool is_of(const goal::Combination& key, const results::ReleaseMeans& release) {
  return key.release == release.release && key.parameter == release.parameter;
}

// Rows of a defence, of what she does without any release, and of the same attacks on the raw counts.
std::vector<results::SummaryRow> rows_about(const results::ReleaseMeans& release,
                                            const std::vector<results::SummaryRow>& summary) {
  using Tried = std::tuple<std::string, std::string, std::string, std::string>;
  const auto tried_by = [](const goal::Combination& key) {
    return Tried{key.goal, key.prior, key.attack, key.decision};
  };
  std::set<Tried> tried;
  for (const results::SummaryRow& row : summary) {
    if (is_of(row.combination, release)) tried.insert(tried_by(row.combination));
  }
  std::vector<results::SummaryRow> rows;
  for (const results::SummaryRow& row : summary) {
    const goal::Combination& key = row.combination;
    const bool raw = key.release == goal::kRaw && (!key.uses_release || tried.contains(tried_by(key)));
    if (raw || is_of(key, release)) rows.push_back(row);
  }
  return rows;
}

double mean_of(const std::vector<double>& values) {
  return results::interval_of(values).mean;
}

std::optional<OwnUnderDefence> own_under(const std::vector<results::BestResponse>& best) {
  std::map<std::pair<std::string, std::string>, double> raw;  // by goal and prior
  std::map<std::size_t, std::vector<double>> left;            // by repeat
  std::vector<double> raw_left;
  std::vector<double> widths;
  for (const results::BestResponse& one : best) {
    if (one.release == goal::kRaw && one.own_part()) raw[{one.goal, one.prior}] = *one.own_part();
  }
  for (const results::BestResponse& one : best) {
    const auto found = raw.find({one.goal, one.prior});
    if (one.release == goal::kRaw || !one.own_part() || found == raw.end()) continue;
    left[one.repeat].push_back(*one.own_part());
    raw_left.push_back(found->second);
    widths.push_back(one.without->half_width);
  }
  if (left.empty()) return std::nullopt;
  std::vector<double> draws;
  draws.reserve(left.size());
  for (const auto& [repeat, parts] : left) draws.push_back(mean_of(parts));
  OwnUnderDefence own{results::interval_of(draws), mean_of(raw_left)};
  // The same people are sampled for every adversary and draw.
  const double width = mean_of(widths);
  if (width > 0) own.left.half_width = std::hypot(own.left.half_width.value_or(0), width);
  return own;
}

std::optional<double> bound_of(const release::Guarantee& guarantee, const std::string& goal,
                               const metric::Options& options) {
  // What she is given in a study has the null row.
  if (!guarantee.epsilon_with_null || guarantee.unit != "a user") return std::nullopt;
  return own_part_bound(*guarantee.epsilon_with_null, largest_error(goal, options), guarantee.delta);
}

std::optional<double> mean_bound_of(const release::Guarantee& guarantee, const std::vector<results::BestResponse>& best,
                                    const metric::Options& options) {
  std::vector<double> bounds;
  for (const results::BestResponse& one : best) {
    if (one.release == goal::kRaw) continue;
    if (const auto bound = bound_of(guarantee, one.goal, options)) bounds.push_back(*bound);
  }
  return bounds.empty() ? std::nullopt : std::optional(mean_of(bounds));
}

using GoalAndPrior = std::pair<std::string, std::string>;

// The best responses of one goal and prior, to the raw counts first, and then to every draw.
DefendedResponse response_of(const std::vector<results::BestResponse>& best) {
  DefendedResponse made;
  std::vector<double> before;
  std::vector<double> without;
  std::vector<double> with;
  for (const results::BestResponse& one : best) {
    if (one.release == goal::kRaw) continue;
    made.goal = one.goal;
    made.prior = one.prior;
    before.push_back(one.before.error);
    if (one.without) without.push_back(one.without->error);
    with.push_back(one.with.error);
    const std::pair strategy{one.with.attack, one.with.decision};
    if (std::find(made.strategies.begin(), made.strategies.end(), strategy) == made.strategies.end()) {
      made.strategies.push_back(strategy);
    }
  }
  made.before = mean_of(before);
  made.with = mean_of(with);
  if (const std::optional<OwnUnderDefence> own = own_under(best)) {
    made.without = mean_of(without);
    made.own = own->left;
    made.own_raw = own->raw;
  }
  return made;
}

// Marks one response of each goal, the first with the least error.
void mark_strongest(std::vector<DefendedResponse>& responses, bool DefendedResponse::*mark,
                    const std::function<double(const DefendedResponse&)>& error) {
  std::map<std::string, DefendedResponse*> least;
  for (DefendedResponse& one : responses) {
    DefendedResponse*& found = least[one.goal];
    if (found == nullptr || error(one) < error(*found)) found = &one;
  }
  for (const auto& [goal, found] : least) found->*mark = true;
}

}  // namespace

double own_part_bound(double epsilon, double largest, double delta) {
  return largest * std::min(1.0, std::tanh(epsilon / 2) + 2 * delta / (std::exp(epsilon) + 1));
}

double largest_error(const std::string& goal, const metric::Options& options) {
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    if (entry->goal == goal) return entry->largest_error(options);
  }
  return 1;
}

std::vector<DefendedResponse> defended_responses(const results::ReleaseMeans& release,
                                                 const std::vector<results::SummaryRow>& summary,
                                                 const metric::Options& options) {
  std::vector<GoalAndPrior> order;
  std::map<GoalAndPrior, std::vector<results::BestResponse>> grouped;
  std::map<GoalAndPrior, double> raw;
  for (results::BestResponse& one : results::best_responses(rows_about(release, summary))) {
    const GoalAndPrior key{one.goal, one.prior};
    const bool defended = one.release != goal::kRaw;
    if (!defended) raw[key] = one.with.error;
    if (defended && std::find(order.begin(), order.end(), key) == order.end()) order.push_back(key);
    grouped[key].push_back(std::move(one));
  }
  std::vector<DefendedResponse> responses;
  for (const GoalAndPrior& key : order) {
    responses.push_back(response_of(grouped[key]));
    responses.back().own_bound = bound_of(release.guarantee, key.first, options);
  }
  mark_strongest(responses, &DefendedResponse::strongest, [](const DefendedResponse& one) { return one.with; });
  mark_strongest(responses, &DefendedResponse::strongest_raw, [&](const DefendedResponse& one) {
    const auto found = raw.find({one.goal, one.prior});
    return found == raw.end() ? one.before : found->second;
  });
  return responses;
}

std::vector<TriedDefence> tried_defences(const std::vector<results::SummaryRow>& summary,
                                         const std::vector<goal::ReleaseResult>& releases,
                                         const metric::Options& options) {
  std::vector<TriedDefence> all;
  Errors raw;
  for (const results::SummaryRow& row : summary) {
    if (row.combination.release == goal::kRaw) keep_least(raw, row);
  }
  for (results::ReleaseMeans& release : results::means_over_repeats(releases)) {
    if (!release.baseline.empty()) continue;
    std::map<std::size_t, std::vector<double>> gains;  // by repeat
    std::map<std::size_t, Errors> errors;
    for (const results::SummaryRow& row : summary) {
      if (!row.gain_mean || !is_of(row.combination, release)) continue;
      gains[row.combination.repeat].push_back(*row.gain_mean);
      keep_least(errors[row.combination.repeat], row);
    }
    if (gains.empty()) continue;
    std::vector<double> draws;
    std::vector<double> returned;
    for (const auto& [repeat, of_repeat] : gains) {
      draws.push_back(mean_of(of_repeat));
      if (const auto share = share_given_back(raw, errors[repeat])) returned.push_back(*share);
    }
    const std::vector<results::BestResponse> best = results::best_responses(rows_about(release, summary));
    TriedDefence tried;
    tried.gain = results::interval_of(draws);
    if (!returned.empty()) tried.given_back = results::interval_of(returned);
    tried.own = own_under(best);
    tried.own_bound = mean_bound_of(release.guarantee, best, options);
    tried.release = std::move(release);
    all.push_back(std::move(tried));
  }
  return all;
}

}  // namespace hearsay::report
