// SPDX-License-Identifier: Apache-2.0
#include "cli/outcome_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/catalogue.h"
#include "report/findings.h"
#include "report/page.h"
#include "report/repeats.h"
#include "report/text_table.h"

namespace hearsay::cli {

// Of all readings of one attack, the one she would choose: the lowest error, and its loss against the best prior.
std::string best_reading(const std::vector<report::SummaryRow>& summary, const experiment::Combination& wanted) {
  const report::SummaryRow* best = nullptr;
  for (const report::SummaryRow& row : summary) {
    const experiment::Combination& key = row.combination;
    if (key.release != experiment::kRaw || key.goal != wanted.goal || key.prior != wanted.prior ||
        key.attack != wanted.attack) {
      continue;
    }
    const bool better = best == nullptr || row.error.mean < best->error.mean ||
                        (row.error.mean == best->error.mean && row.loss_mean < best->loss_mean);
    if (better) best = &row;
  }
  if (best == nullptr) return "";
  return best->loss_mean ? fmt::format("{:.3f} {:4.0f}%", best->error.mean, *best->loss_mean * 100)
                         : fmt::format("{:.3f}", best->error.mean);
}

std::string summary_text(const std::vector<report::SummaryRow>& summary) {
  std::vector<std::string> goals;
  std::vector<std::string> priors;
  std::vector<std::string> attacks;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const report::SummaryRow& row : summary) {
    note(goals, row.combination.goal);
    note(priors, row.combination.prior);
    note(attacks, row.combination.attack);
  }
  std::string text;
  for (const std::string& goal : goals) {
    std::vector<report::TextTable::Column> columns = {{goal}};
    for (const std::string& attack : attacks) columns.push_back({attack, true});
    report::TextTable table(columns);
    for (const std::string& prior : priors) {
      std::vector<std::string> cells = {prior};
      for (const std::string& attack : attacks) {
        cells.push_back(best_reading(summary, {goal, prior, attack, "", "", "", 0, ""}));
      }
      table.add(cells);
    }
    text += table.aligned() + "\n";
  }
  return text + "Her mean error (0: she knows all), and how much of it the counts took away from her.\n";
}

std::string defences_text(const report::Outcome& outcome) {
  if (outcome.releases.empty()) return "";
  const auto shown = [](const report::Interval& value) {
    return value.half_width ? fmt::format("{:.3f} +- {:.3f}", value.mean, *value.half_width)
                            : fmt::format("{:.3f}", value.mean);
  };
  const auto epsilon = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : "none";
  };
  report::TextTable table({{"release"},
                           {"parameter"},
                           {"epsilon", true},
                           {"with null", true},
                           {"hides"},
                           {"mre", true},
                           {"top 10", true},
                           {"gain", true}});
  for (const report::TriedDefence& tried : report::tried_defences(outcome.summary, outcome.releases)) {
    const release::Guarantee& guarantee = tried.release.guarantee;
    table.add({tried.release.release, tried.release.parameter, epsilon(guarantee.epsilon),
               epsilon(guarantee.epsilon_with_null), guarantee.unit, shown(tried.release.mre),
               fmt::format("{:.0f}%", tried.release.top10_overlap.mean * 100), shown(tried.gain)});
  }
  return fmt::format(
      "\n{}epsilon: of the counts that would be published; with null: of what this study gave her, the noisy number of "
      "people seen nowhere too.\nmre: how far counts are off, relatively; gain: privacy given back, mean over the "
      "adversaries tried.\n",
      table.aligned());
}

std::string findings_text(const report::Outcome& outcome) {
  std::string text;
  for (const std::string& sentence : report::findings(outcome.summary, outcome.releases)) {
    text += "\n" + wrapped(sentence, 0, 100);
  }
  return text;
}

std::string outcome_text(const report::Outcome& outcome) {
  const report::Provenance& provenance = outcome.provenance;
  std::string text =
      fmt::format("{} users, {} ROIs, {} visits from {} rows; times are {}\n", report::with_commas(outcome.users),
                  report::with_commas(outcome.rois), report::with_commas(outcome.visits),
                  report::with_commas(provenance.tally.rows), provenance.timezone);
  text += fmt::format("bad rows skipped: {}\n", report::with_commas(provenance.bad_rows));
  for (const auto& [reason, count] : provenance.tally.bad_rows) {
    text += fmt::format("  {}: {}\n", reason, report::with_commas(count));
  }
  text += fmt::format("{:.1f} s, {} of memory at most\n", outcome.seconds, report::readable_bytes(outcome.peak_bytes));
  text += fmt::format("results in {}:", outcome.folder);
  for (const report::ResultFile& file : outcome.files) text += " " + file.name;
  text += fmt::format(" {}\n", report::kManifestName);
  text +=
      fmt::format("read it in a browser: {}\n", (std::filesystem::path(outcome.folder) / report::kPageName).string());
  if (outcome.users_file != "all users") text += fmt::format("users.parquet: {}\n", outcome.users_file);
  return text;
}

void print_outcome(const report::Outcome& outcome) {
  fmt::print("{}{}{}\n{}", summary_text(outcome.summary), defences_text(outcome), findings_text(outcome),
             outcome_text(outcome));
}

}  // namespace hearsay::cli
