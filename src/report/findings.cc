// SPDX-License-Identifier: Apache-2.0
#include "report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "prior/prior.h"

namespace hearsay::report {
namespace {

bool is_raw_loss(const SummaryRow& row) {
  return row.combination.release == experiment::kRaw && row.loss_mean && row.combination.attack != "AGGREGATES";
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

std::string goal_words(const std::string& goal) {
  return goal == "profiling" ? "people's habits" : goal == "localization" ? "where people are" : goal;
}

double error_before(const SummaryRow& row, const std::vector<SummaryRow>& summary) {
  const experiment::Combination& key = row.combination;
  const std::size_t slash = key.baseline.find('/');
  const std::string decision = slash == std::string::npos ? "" : key.baseline.substr(slash + 1);
  for (const SummaryRow& other : summary) {
    const experiment::Combination& c = other.combination;
    if (c.release == experiment::kRaw && c.attack == "PRIOR" && c.goal == key.goal && c.prior == key.prior &&
        c.decision == decision) {
      return other.error.mean;
    }
  }
  return row.error.mean;
}

// The worst row of every prior for one goal.
std::vector<const SummaryRow*> worst_by_prior(const std::vector<SummaryRow>& summary, const std::string& goal) {
  std::map<std::string, const SummaryRow*> worst;
  for (const SummaryRow& row : summary) {
    if (!is_raw_loss(row) || row.combination.goal != goal) continue;
    const SummaryRow*& found = worst[row.combination.prior];
    if (found == nullptr || *row.loss_mean > *found->loss_mean) found = &row;
  }
  std::vector<const SummaryRow*> rows;
  rows.reserve(worst.size());
  for (const auto& [prior, row] : worst) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const SummaryRow* a, const SummaryRow* b) { return *a->loss_mean > *b->loss_mean; });
  return rows;
}

std::string leak_sentence(const SummaryRow& row, const std::vector<SummaryRow>& summary) {
  return fmt::format(
      "What leaks: the counts take {:.0f}% of an adversary's error about {} away, from {:.2f} to {:.2f} on average "
      "({}, {}), and help her against {:.0f}% of the people.",
      *row.loss_mean * 100, goal_words(row.combination.goal), error_before(row, summary), row.error.mean,
      row.combination.prior, row.combination.attack, *row.improved * 100);
}

std::string adversary_sentence(const SummaryRow& most, const SummaryRow& least) {
  if (&most == &least) return fmt::format("To whom: somebody who knows {}.", knows(most.combination.prior));
  return fmt::format(
      "To whom: most to somebody who knows {} ({:.0f}%), least to somebody who knows {} ({:.0f}%) and needs the counts "
      "less.",
      knows(most.combination.prior), *most.loss_mean * 100, knows(least.combination.prior), *least.loss_mean * 100);
}

std::string defence_words(const TriedDefence& tried) {
  const double mre = tried.release.mre.mean;
  return fmt::format("{} {} gives back {:.0f}% of the privacy at a relative error of {}", tried.release.release,
                     tried.release.parameter, tried.gain.mean * 100,
                     mre < 10 ? fmt::format("{:.2g}", mre) : fmt::format("{:.0f}", mre));
}

std::string defence_sentence(const std::vector<TriedDefence>& tried) {
  const auto by_gain = [](const TriedDefence& a, const TriedDefence& b) { return a.gain.mean < b.gain.mean; };
  const TriedDefence& strongest = *std::max_element(tried.begin(), tried.end(), by_gain);
  std::vector<TriedDefence> useful;
  std::copy_if(tried.begin(), tried.end(), std::back_inserter(useful),
               [](const TriedDefence& one) { return one.release.mre.mean <= kUsefulMre; });
  if (useful.empty()) {
    return fmt::format(
        "What a defence would change: {}; none of those tried keeps the counts within a relative error of {}.",
        defence_words(strongest), kUsefulMre);
  }
  const TriedDefence& best = *std::max_element(useful.begin(), useful.end(), by_gain);
  return fmt::format(
      "What a defence would change: of those that keep the counts within a relative error of {}, {}; the strongest, "
      "{}.",
      kUsefulMre, defence_words(best), defence_words(strongest));
}

}  // namespace

std::vector<TriedDefence> tried_defences(const std::vector<SummaryRow>& summary,
                                         const std::vector<experiment::ReleaseResult>& releases) {
  std::vector<TriedDefence> tried;
  for (ReleaseMeans& release : means_over_repeats(releases)) {
    std::map<std::size_t, std::vector<double>> gains;  // by repeat
    for (const SummaryRow& row : summary) {
      const experiment::Combination& key = row.combination;
      if (!row.gain_mean || key.release != release.release || key.parameter != release.parameter) continue;
      gains[key.repeat].push_back(*row.gain_mean);
    }
    std::vector<double> draws;
    draws.reserve(gains.size());
    for (const auto& [repeat, of_repeat] : gains) draws.push_back(interval_of(of_repeat).mean);
    if (!draws.empty()) tried.push_back({std::move(release), interval_of(draws)});
  }
  return tried;
}

std::vector<std::string> findings(const std::vector<SummaryRow>& summary,
                                  const std::vector<experiment::ReleaseResult>& releases) {
  std::vector<std::string> sentences;
  for (const char* goal : {"profiling", "localization"}) {
    const std::vector<const SummaryRow*> worst = worst_by_prior(summary, goal);
    if (worst.empty()) continue;
    sentences.push_back(leak_sentence(*worst.front(), summary));
    sentences.push_back(adversary_sentence(*worst.front(), *worst.back()));
    break;
  }
  const std::vector<TriedDefence> tried = tried_defences(summary, releases);
  if (!tried.empty()) sentences.push_back(defence_sentence(tried));
  return sentences;
}

}  // namespace hearsay::report
