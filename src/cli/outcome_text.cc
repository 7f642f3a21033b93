// SPDX-License-Identifier: Apache-2.0
#include "cli/outcome_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "base/text_table.h"
#include "cli/catalogue.h"
#include "cli/terminal.h"
#include "experiment/presets.h"
#include "metric/metric.h"
#include "release/a_year.h"
#include "report/defence_effects.h"
#include "report/page.h"
#include "results/best_response.h"
#include "results/repeats.h"

namespace hearsay::cli {

namespace {

// Of all readings of what an attack gives her, the mean error of the one that errs least.
std::optional<double> least_error(const std::vector<results::SummaryRow>& summary, const std::string& goal,
                                  const std::string& prior, const std::string& attack) {
  std::optional<double> least;
  for (const results::SummaryRow& row : summary) {
    const goal::Combination& key = row.combination;
    if (key.release != goal::kRaw || key.goal != goal || key.prior != prior || key.attack != attack) continue;
    least = std::min(least.value_or(row.error.mean), row.error.mean);
  }
  return least;
}

// The error and, of what uses the counts, by how much it is below that of the prior in the same row.
std::string error_cell(const std::optional<double>& error, const std::optional<double>& before, bool uses_release) {
  if (!error) return "";
  if (!uses_release || !before || *before == 0) return fmt::format("{:.3f}", *error);
  return fmt::format("{:.3f} {:4.0f}%", *error, std::round((1 - *error / *before) * 100) + 0.0);
}

// Of a goal and prior, the least error of the paper's adversaries and of all, on the raw counts.
std::pair<std::string, std::string> best_cells(const std::vector<results::BestResponse>& all, const std::string& goal,
                                               const std::string& prior) {
  for (const results::BestResponse& best : all) {
    if (best.release != goal::kRaw || best.goal != goal || best.prior != prior) continue;
    return {best.paper ? fmt::format("{:.3f}", best.paper->error) : "", fmt::format("{:.3f}", best.with.error)};
  }
  return {};
}

// Whether it is a rule in use, which has no parameters to show.
bool is_preset(const std::string& release) {
  const std::vector<experiment::Preset>& all = experiment::all_presets();
  return std::any_of(all.begin(), all.end(), [&](const auto& preset) { return preset.info.name == release; });
}

}  // namespace

std::string summary_text(const std::vector<results::SummaryRow>& summary, const metric::Options& options) {
  std::vector<std::string> goals;
  std::vector<std::string> priors;
  std::vector<std::string> attacks;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  std::string prior_name;
  std::set<std::string> users_of_counts;
  for (const results::SummaryRow& row : summary) {
    if (row.combination.is_prior()) prior_name = row.combination.attack;
    note(goals, row.combination.goal);
    note(priors, row.combination.prior);
    note(attacks, row.combination.attack);
    if (row.combination.uses_release) users_of_counts.insert(row.combination.attack);
  }
  if (goals.empty()) return "";
  const std::vector<results::BestResponse> best = results::best_responses(summary);
  std::string text;
  for (const std::string& goal : goals) {
    std::vector<TextTable::Column> columns = {{goal}};
    for (const std::string& attack : attacks) columns.push_back({attack, true});
    columns.push_back({"paper", true});
    columns.push_back({"strongest", true});
    TextTable table(columns);
    for (const std::string& prior : priors) {
      const std::optional<double> before = least_error(summary, goal, prior, prior_name);
      std::vector<std::string> cells = {prior};
      for (const std::string& attack : attacks) {
        cells.push_back(
            error_cell(least_error(summary, goal, prior, attack), before, users_of_counts.contains(attack)));
      }
      const auto [papers, strongest] = best_cells(best, goal, prior);
      cells.push_back(papers);
      cells.push_back(strongest);
      table.add(cells);
    }
    text += table.fitted(table_width()) + "\n";
  }
  text += wrapped(
      fmt::format("Her mean error (0: she knows all), with the decision, by which she reads her beliefs, that errs "
                  "least, and by how much it is below the {} of its row; below 0% the counts mislead her.",
                  prior_name),
      0);
  text += wrapped(
      "paper: the least of the paper's adversaries, with the counts or ignoring them (empty: knowledge not the "
      "paper's, or none of its attacks was run); "
      "strongest: the least of all tried.",
      0);
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    const double largest = entry->largest_error(options);
    if (largest == 1 || std::find(goals.begin(), goals.end(), entry->goal) == goals.end()) continue;
    text += fmt::format("The largest {} error possible is {:.2f} (study.log_base).\n", entry->goal, largest);
  }
  return text;
}

std::string defences_text(const job::Outcome& outcome) {
  if (outcome.releases.empty()) return "";
  const auto shown = [](const results::Interval& value) {
    return value.half_width ? fmt::format("{:.3f} +- {:.3f}", value.mean, *value.half_width)
                            : fmt::format("{:.3f}", value.mean);
  };
  const auto epsilon = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : "none";
  };
  TextTable table({{"release"},
                   {"parameter"},
                   {"epsilon", true},
                   {"with null", true},
                   {"hides"},
                   {"a year", true},
                   {"mre", true},
                   {"top 10", true},
                   {"gain", true},
                   {"given back", true},
                   {"worse than"}});
  for (const report::TriedDefence& tried : report::tried_defences(outcome.summary, outcome.releases, outcome.metric)) {
    const release::Guarantee& guarantee = tried.release.guarantee;
    const std::optional<release::AYear> year = release::a_year(guarantee, outcome.period_seconds);
    table.add({tried.release.release, is_preset(tried.release.release) ? "preset" : tried.release.parameter,
               epsilon(guarantee.epsilon), epsilon(guarantee.epsilon_with_null), guarantee.unit,
               epsilon(year ? std::optional(year->epsilon) : std::nullopt), shown(tried.release.mre),
               fmt::format("{:.0f}%", tried.release.top10_overlap.mean * 100), shown(tried.gain),
               tried.given_back ? fmt::format("{:.0f}%", tried.given_back->mean * 100) : "nothing lost",
               tried.release.worse_than});
  }
  for (const results::ReleaseMeans& release : results::means_over_repeats(outcome.releases)) {
    if (release.baseline.empty()) continue;
    table.add({release.release, "", "", "", "", "", shown(release.mre),
               fmt::format("{:.0f}%", release.top10_overlap.mean * 100), "", "", ""});
  }
  return "\n" + table.fitted(table_width(), 2) +
         wrapped(
             "epsilon: of the counts that would be published; with null: of what this study gave her, the noisy number "
             "of people seen nowhere too.",
             0) +
         wrapped(fmt::format("a year: epsilon for the same unit where counts of every such period of {} are published "
                             "for a year.",
                             release::days_text(outcome.period_seconds)),
                 0) +
         wrapped(
             "mre: how far counts are off, relatively; gain: the paper's privacy gain, mean over users and "
             "adversaries; "
             "given back: share of the error that the raw counts took from the adversaries tried, at most all of it.",
             0) +
         wrapped(
             "The last rows are no releases but what could be published without counting anybody in the inference "
             "period: zeros, the last week observed, the average week. worse than: of these the nearest to the true "
             "counts by mre, where a release is further off.",
             0);
}

std::string findings_text(const job::Outcome& outcome) {
  std::string text;
  for (const std::string& sentence : outcome.findings) text += "\n" + wrapped(sentence, 0);
  return text;
}

std::string outcome_text(const job::Outcome& outcome) {
  const engine::Provenance& provenance = outcome.provenance;
  std::string text =
      wrapped(fmt::format("{} users, {} ROIs, {} visits from {} rows; times are {}", with_commas(outcome.users),
                          with_commas(outcome.rois), with_commas(outcome.visits), with_commas(provenance.tally.rows),
                          provenance.timezone),
              0);
  const ingest::Tally& tally = provenance.tally;
  text += wrapped(
      fmt::format("{} events: {} used, {} outside the study period, {} outside the places", with_commas(tally.events),
                  with_commas(tally.used), with_commas(tally.outside_period), with_commas(tally.outside_rois)),
      0);
  text += fmt::format("bad rows skipped: {}\n", with_commas(provenance.bad_rows));
  for (const auto& [reason, count] : provenance.tally.bad_rows) {
    text += fmt::format("  {}: {}\n", reason, with_commas(count));
  }
  text += fmt::format("{:.1f} s, {} of memory at most\n", outcome.seconds, readable_bytes(outcome.peak_bytes));
  text += fmt::format("results in {}:\n", outcome.folder);
  std::string names;
  for (const results::ResultFile& file : outcome.files) names += file.name + " ";
  text += wrapped(names + results::kManifestName, 2);
  text +=
      fmt::format("read it in a browser: {}\n", (std::filesystem::path(outcome.folder) / report::kPageName).string());
  if (outcome.users_file != "all users") text += fmt::format("users.parquet: {}\n", outcome.users_file);
  return text;
}

void print_outcome(const job::Outcome& outcome) {
  print_text(fmt::format("{}{}{}\n{}", summary_text(outcome.summary, outcome.metric), defences_text(outcome),
                         findings_text(outcome), outcome_text(outcome)));
}

}  // namespace hearsay::cli
