// SPDX-License-Identifier: Apache-2.0
#include "report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <tuple>

#include "attack/attack.h"
#include "metric/metric.h"
#include "prior/prior.h"
#include "results/best_response.h"

namespace hearsay::report {
namespace {

bool is_raw_loss(const results::SummaryRow& row) {
  return row.combination.release == goal::kRaw && row.loss_mean && row.combination.uses_prior;
}

// "how often each person visited each place, not when": what the entry's own sentence says she knows.
std::string knows(const std::string& prior) {
  for (const prior::PriorEntry* entry : prior::all_priors()) {
    if (entry->info.name != prior) continue;
    std::string text = entry->info.summary;
    const std::string start = "She knows ";
    if (text.starts_with(start)) text.erase(0, start.size());
    if (text.ends_with('.')) text.pop_back();
    return text;
  }
  return prior;
}

// Errors that studies can measure, those that come first in lists first.
const metric::MetricEntry* metric_of(const std::string& goal) {
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    if (entry->goal == goal) return entry;
  }
  return nullptr;
}

std::string goal_words(const std::string& goal) {
  const metric::MetricEntry* metric = metric_of(goal);
  return metric == nullptr ? goal : metric->about;
}

double error_before(const results::SummaryRow& row, const std::vector<results::SummaryRow>& summary) {
  const goal::Combination& key = row.combination;
  const std::string decision = results::prior_reading(key);
  for (const results::SummaryRow& other : summary) {
    const goal::Combination& c = other.combination;
    if (c.release == goal::kRaw && c.is_prior() && c.goal == key.goal && c.prior == key.prior &&
        c.decision == decision) {
      return other.error.mean;
    }
  }
  return row.error.mean;
}

// An adversary as a table row has her: by goal, prior and attack (empty: the prior itself), with the reading of her
// beliefs that errs least.
using Adversary = std::tuple<std::string, std::string, std::string>;
using Errors = std::map<Adversary, double>;

void keep_least(Errors& errors, const results::SummaryRow& row) {
  const goal::Combination& key = row.combination;
  const auto [found, added] =
      errors.emplace(Adversary{key.goal, key.prior, key.is_prior() ? "" : key.attack}, row.error.mean);
  if (!added) found->second = std::min(found->second, row.error.mean);
}

Errors raw_errors(const std::vector<results::SummaryRow>& summary) {
  Errors errors;
  for (const results::SummaryRow& row : summary) {
    if (row.combination.release == goal::kRaw) keep_least(errors, row);
  }
  return errors;
}

// The worst row of every prior for one goal, each against the reading of the prior that errs least: she would take no
// other.
std::vector<const results::SummaryRow*> worst_by_prior(const std::vector<results::SummaryRow>& summary,
                                                       const std::string& goal) {
  const Errors least = raw_errors(summary);
  std::map<std::string, const results::SummaryRow*> worst;
  for (const results::SummaryRow& row : summary) {
    if (!is_raw_loss(row) || row.combination.goal != goal) continue;
    const auto prior = least.find({goal, row.combination.prior, ""});
    if (prior != least.end() && error_before(row, summary) > prior->second) continue;
    const results::SummaryRow*& found = worst[row.combination.prior];
    if (found == nullptr || *row.loss_mean > *found->loss_mean) found = &row;
  }
  std::vector<const results::SummaryRow*> rows;
  rows.reserve(worst.size());
  for (const auto& [prior, row] : worst) rows.push_back(row);
  std::sort(rows.begin(), rows.end());  // of equal ones the first in the summary
  std::stable_sort(rows.begin(), rows.end(), [](const results::SummaryRow* a, const results::SummaryRow* b) {
    return *a->loss_mean > *b->loss_mean;
  });
  return rows;
}

std::string adversary_words(const goal::Combination& key) {
  return key.decision.empty()
             ? fmt::format("{}, {}", key.prior, key.attack)
             : fmt::format("{}, {} read by {} against {}", key.prior, key.attack, key.decision, key.baseline);
}

// Of a strategy that needs no knowledge, what it is besides its name.
std::string strategy_words(const results::Strategy& strategy) {
  for (const attack::AttackEntry* entry : attack::all_attacks()) {
    if (entry->info.name != strategy.attack || entry->uses_prior || entry->uses_release) continue;
    std::string summary = entry->info.summary;
    if (summary.ends_with('.')) summary.pop_back();
    summary[0] = static_cast<char>(std::tolower(summary[0]));
    return fmt::format("{}: {}", strategy.attack, summary);
  }
  return strategy.decision.empty() ? strategy.attack : fmt::format("{} read by {}", strategy.attack, strategy.decision);
}

// What the counts add to the best she can do without them. Of all priors the one it adds most to.
std::string best_sentence(const std::vector<results::SummaryRow>& summary, const std::string& goal,
                          const metric::Options& options) {
  std::optional<results::BestResponse> most;
  std::optional<results::BestResponse> least;  // error without the counts
  for (const results::BestResponse& best : results::best_responses(summary)) {
    if (best.goal != goal || best.release != goal::kRaw) continue;
    if (!most || best.loss() > most->loss()) most = best;
    if (!least || best.before.error < least->before.error) least = best;
  }
  if (!most) return "";
  if (most->taken() <= 0) {
    return fmt::format(
        "What leaks: nothing about {} that she would not guess as well without the counts. Her best guess without them "
        "errs by {:.3f} ({}), and none of the adversaries tried does better with them.",
        goal_words(goal), least->before.error, strategy_words(least->before));
  }
  const metric::MetricEntry* metric = metric_of(goal);
  const double largest = metric == nullptr ? 1 : metric->largest_error(options);
  return fmt::format(
      "What leaks: an adversary who guesses as well as she can errs by {:.3f} about {} without the counts ({}) and by "
      "{:.3f} with them ({}, {}), {:.0f}% less{}.",
      most->before.error, goal_words(goal), strategy_words(most->before), most->with.error, most->prior,
      strategy_words(most->with), most->loss() * 100,
      largest == 1 ? "" : fmt::format("; the largest error possible is {:.2f}", largest));
}

std::string paper_sentence(const results::SummaryRow& row, const std::vector<results::SummaryRow>& summary) {
  const double before = error_before(row, summary);
  const std::string change =
      row.error.mean < before ? fmt::format("{:.0f}% less", (1 - row.error.mean / before) * 100) : "no less";
  return fmt::format(
      "By the paper's measure: against what she knew before, the counts bring her mean error from {:.2f} to {:.2f}, {} "
      "({}); the mean privacy loss is {:.0f}%, and {:.0f}% of the people lose some. It does not tell what being "
      "counted "
      "costs a person from what the counts of the others say about anybody.",
      before, row.error.mean, change, adversary_words(row.combination), *row.loss_mean * 100, *row.improved * 100);
}

std::string adversary_sentence(const results::SummaryRow& most, const results::SummaryRow& least) {
  if (&most == &least) return fmt::format("To whom: somebody who knows {}.", knows(most.combination.prior));
  return fmt::format(
      "To whom: most to somebody who knows {} (mean loss {:.0f}%), least to somebody who knows {} ({:.0f}%).",
      knows(most.combination.prior), *most.loss_mean * 100, knows(least.combination.prior), *least.loss_mean * 100);
}

std::string defence_words(const TriedDefence& tried) {
  const double mre = tried.release.mre.mean;
  return fmt::format("{} {} gives back {:.0f}% of the error that the counts took away, at a relative error of {}",
                     tried.release.release, tried.release.parameter, tried.given_back->mean * 100,
                     mre < 10 ? fmt::format("{:.2g}", mre) : fmt::format("{:.0f}", mre));
}

// Of those that give back the same, the one with the better counts.
bool weaker(const TriedDefence& a, const TriedDefence& b) {
  if (a.given_back->mean != b.given_back->mean) return a.given_back->mean < b.given_back->mean;
  return a.release.mre.mean > b.release.mre.mean;
}

std::string defence_sentence(const std::vector<TriedDefence>& all) {
  std::vector<TriedDefence> tried;
  std::copy_if(all.begin(), all.end(), std::back_inserter(tried), [](const auto& one) { return one.given_back; });
  if (tried.empty()) {
    return "What a defence would change: nothing, the counts took no error away from the adversaries it was tried "
           "against.";
  }
  const TriedDefence& strongest = *std::max_element(tried.begin(), tried.end(), weaker);
  std::vector<TriedDefence> useful;
  std::copy_if(tried.begin(), tried.end(), std::back_inserter(useful),
               [](const TriedDefence& one) { return one.release.mre.mean <= kUsefulMre; });
  if (useful.empty()) {
    return fmt::format(
        "What a defence would change: {}; none of those tried keeps the counts within a relative error of {}.",
        defence_words(strongest), kUsefulMre);
  }
  const TriedDefence& best = *std::max_element(useful.begin(), useful.end(), weaker);
  return fmt::format(
      "What a defence would change: of those that keep the counts within a relative error of {}, {}; the strongest, "
      "{}.",
      kUsefulMre, defence_words(best), defence_words(strongest));
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

}  // namespace

std::vector<TriedDefence> tried_defences(const std::vector<results::SummaryRow>& summary,
                                         const std::vector<goal::ReleaseResult>& releases) {
  std::vector<TriedDefence> tried;
  const Errors raw = raw_errors(summary);
  for (results::ReleaseMeans& release : results::means_over_repeats(releases)) {
    std::map<std::size_t, std::vector<double>> gains;  // by repeat
    std::map<std::size_t, Errors> errors;
    for (const results::SummaryRow& row : summary) {
      const goal::Combination& key = row.combination;
      if (!row.gain_mean || key.release != release.release || key.parameter != release.parameter) continue;
      gains[key.repeat].push_back(*row.gain_mean);
      keep_least(errors[key.repeat], row);
    }
    std::vector<double> draws;
    std::vector<double> returned;
    for (const auto& [repeat, of_repeat] : gains) {
      draws.push_back(results::interval_of(of_repeat).mean);
      if (const auto share = share_given_back(raw, errors[repeat])) returned.push_back(*share);
    }
    if (draws.empty()) continue;
    tried.push_back({std::move(release), results::interval_of(draws),
                     returned.empty() ? std::nullopt : std::optional(results::interval_of(returned))});
  }
  return tried;
}

std::vector<std::string> findings(const std::vector<results::SummaryRow>& summary,
                                  const std::vector<goal::ReleaseResult>& releases, const metric::Options& options) {
  std::vector<std::string> sentences;
  for (const metric::MetricEntry* metric : metric::all_metrics()) {
    if (metric->goal.empty()) continue;
    const std::vector<const results::SummaryRow*> worst = worst_by_prior(summary, metric->goal);
    if (worst.empty()) continue;
    sentences.push_back(best_sentence(summary, metric->goal, options));
    sentences.push_back(paper_sentence(*worst.front(), summary));
    sentences.push_back(adversary_sentence(*worst.front(), *worst.back()));
    break;
  }
  const std::vector<TriedDefence> tried = tried_defences(summary, releases);
  if (!tried.empty()) sentences.push_back(defence_sentence(tried));
  return sentences;
}

}  // namespace hearsay::report
