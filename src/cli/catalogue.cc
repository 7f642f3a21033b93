// SPDX-License-Identifier: Apache-2.0
#include "cli/catalogue.h"

#include <fmt/format.h>

#include <sstream>

#include "attack/attack.h"
#include "metric/metric.h"
#include "prior/prior.h"
#include "release/step.h"

namespace hearsay::cli {
namespace {

constexpr const char* kMechanismNotes =
    "A defence: a [[release]] of a study, or `hearsay release`. Its epsilon is that of the counts that would be "
    "published. A study also gives the adversary the noisy null row, as the paper does; where that costs more, it "
    "shows \"epsilon with null\" beside it.";

std::string attack_notes(const attack::AttackEntry& entry) {
  std::string notes = "Serves both goals, profiling and localization.";
  if (!entry.uses_release) notes += " Does not use the release: the baseline that loss is measured against.";
  return notes;
}

std::string metric_notes(const metric::MetricEntry& entry) {
  if (entry.goal.empty()) return "Compares two errors of the same goal; computed in every study.";
  return fmt::format("The error of the goal \"{}\".", entry.goal);
}

}  // namespace

std::vector<CatalogueItem> catalogue() {
  std::vector<CatalogueItem> items;
  for (const prior::PriorEntry* entry : prior::all_priors()) {
    items.push_back({&entry->info, "prior",
                     entry->binary ? "An assignment: it names ROIs, without probabilities."
                                   : "A probability for each ROI; ALL and POP turn it into a prediction."});
  }
  for (const attack::AttackEntry* entry : attack::all_attacks()) {
    items.push_back({&entry->info, "attack", attack_notes(*entry)});
  }
  for (const release::StepEntry* entry : release::all_steps()) {
    items.push_back({&entry->info, "mechanism", kMechanismNotes});
  }
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    items.push_back({&entry->info, "metric", metric_notes(*entry)});
  }
  return items;
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  const std::string margin(indent, ' ');
  std::istringstream words(text);
  std::string out;
  std::string line = margin;
  for (std::string word; words >> word;) {
    if (line.size() > indent && line.size() + 1 + word.size() > width) {
      out += line + '\n';
      line = margin;
    }
    if (line.size() > indent) line += ' ';
    line += word;
  }
  return out + line + '\n';
}

}  // namespace hearsay::cli
