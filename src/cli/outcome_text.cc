// SPDX-License-Identifier: Apache-2.0
#include "cli/outcome_text.h"

#include <fmt/format.h>

#include "report/repeats.h"
#include "report/text_table.h"

namespace hearsay::cli {

std::string summary_text(const std::vector<report::SummaryRow>& summary) {
  report::TextTable table({{"goal"},
                           {"prior"},
                           {"attack"},
                           {"decision"},
                           {"error", true},
                           {"against"},
                           {"loss", true},
                           {"improved", true}});
  for (const report::SummaryRow& row : summary) {
    const experiment::Combination& key = row.combination;
    if (key.release != experiment::kRaw) continue;
    table.add({key.goal, key.prior, key.attack, key.decision, fmt::format("{:.3f}", row.error.mean), key.baseline,
               row.loss_mean ? fmt::format("{:.3f}", *row.loss_mean) : "",
               row.improved ? fmt::format("{:.1f}%", *row.improved * 100) : ""});
  }
  return table.aligned();
}

std::string defences_text(const report::Outcome& outcome) {
  if (outcome.releases.empty()) return "";
  const auto shown = [](const report::Interval& value) {
    return value.half_width ? fmt::format("{:.3f} +- {:.3f}", value.mean, *value.half_width)
                            : fmt::format("{:.3f}", value.mean);
  };
  report::TextTable costs({{"release"}, {"parameter"}, {"epsilon", true}, {"hides"}, {"mre", true}, {"top 10", true}});
  for (const report::ReleaseMeans& means : report::means_over_repeats(outcome.releases)) {
    const release::Guarantee& guarantee = means.guarantee;
    costs.add({means.release, means.parameter, guarantee.epsilon ? fmt::format("{:.4g}", *guarantee.epsilon) : "none",
               guarantee.unit, shown(means.mre), fmt::format("{:.0f}%", means.top10_overlap.mean * 100)});
  }
  report::TextTable gains({{"release"}, {"parameter"}, {"goal"}, {"prior"}, {"attack"}, {"decision"}, {"gain", true}});
  for (const report::MeanRow& row : report::means_over_repeats(outcome.summary)) {
    const experiment::Combination& key = row.combination;
    if (!row.gain) continue;
    gains.add({key.release, key.parameter, key.goal, key.prior, key.attack, key.decision, shown(*row.gain)});
  }
  return "\n" + costs.aligned() + "\n" + gains.aligned();
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
  if (outcome.users_file != "all users") text += fmt::format("users.parquet: {}\n", outcome.users_file);
  return text;
}

}  // namespace hearsay::cli
