// SPDX-License-Identifier: Apache-2.0
#include "cli/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "attack/attack.h"
#include "cli/columns.h"
#include "cli/terminal.h"
#include "cli/terms.h"
#include "decision/decision.h"
#include "experiment/presets.h"
#include "goal/goal.h"
#include "goal/membership_spec.h"
#include "membership/distinguisher.h"
#include "metric/metric.h"
#include "prior/prior.h"
#include "release/step.h"
#include "trajectory/method.h"

namespace hearsay::cli {
namespace {

constexpr const char* kMechanismNotes =
    "A defence: a [[release]] of a study, or `hearsay release`. Its epsilon is that of the counts that would be "
    "published. A study also gives the adversary the noisy null row, as the paper does; where that costs more, it "
    "shows \"epsilon with null\" beside it.";

std::string attack_notes(const attack::AttackEntry& entry) {
  std::string notes = "Serves every error that a study measures.";
  if (!entry.uses_release) {
    notes += entry.uses_prior ? " Does not use the release: the baseline that loss is measured against."
                              : " Uses neither prior nor release: part of every study.";
  }
  return notes;
}

std::string metric_notes(const metric::MetricEntry& entry) {
  if (entry.goal.empty()) return "Compares two errors of the same goal; computed in every study.";
  return fmt::format("The error of the goal \"{}\".", entry.goal);
}

std::string distinguisher_notes(const membership::DistinguisherEntry& entry) {
  std::string notes = "An attack on membership: membership.attacks names it.";
  if (!entry.takes_noise) notes += " Not for counts with noise.";
  if (entry.needs_groups) notes += " Needs membership.crowd sample or past.";
  return notes;
}

}  // namespace

std::vector<CatalogueItem> catalogue() {
  std::vector<CatalogueItem> items;
  for (const prior::PriorEntry* entry : prior::all_priors()) {
    items.push_back({&entry->info, "prior",
                     entry->binary ? "An assignment: it names ROIs, without probabilities."
                                   : "A probability for each ROI, which a decision turns into a prediction."});
  }
  for (const attack::AttackEntry* entry : attack::all_attacks()) {
    items.push_back({&entry->info, "attack", attack_notes(*entry)});
  }
  for (const decision::DecisionEntry* entry : decision::all_decisions()) {
    items.push_back({&entry->info, "decision",
                     entry->of_assignments ? "Reads what assigns people to places: always there."
                                           : "Reads probabilities; study.decisions chooses."});
  }
  for (const release::StepEntry* entry : release::all_steps()) {
    items.push_back({&entry->info, "mechanism", kMechanismNotes});
  }
  for (const experiment::Preset& preset : experiment::all_presets()) {
    items.push_back({&preset.info, "preset",
                     fmt::format("preset = \"{}\" in a [[release]]. Its steps: {}.", preset.info.name,
                                 fmt::join(preset.steps, ", "))});
  }
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    items.push_back({&entry->info, "metric", metric_notes(*entry)});
  }
  for (const goal::GoalEntry* entry : goal::all_goals()) {
    items.push_back({&entry->info, "goal",
                     entry->of_errors ? "Run where study.goals names an error; by default all of them."
                                      : "Run where study.goals names it; membership and audit where there is a "
                                        "[membership], trajectories where there is a [trajectories], too."});
  }
  for (const membership::DistinguisherEntry* entry : membership::all_distinguishers()) {
    items.push_back({&entry->info, "distinguisher", distinguisher_notes(*entry)});
  }
  for (const EntryInfo& info : goal::target_knowledge()) {
    items.push_back({&info, "knowledge", "Of the target: membership.knows names it."});
  }
  for (const EntryInfo& info : goal::crowd_knowledge()) {
    items.push_back({&info, "knowledge", "Of everybody else: membership.crowd names it."});
  }
  for (const trajectory::MethodEntry* entry : trajectory::all_methods()) {
    items.push_back({&entry->info, "method", "A way to rebuild paths: trajectories.methods names it."});
  }
  for (const EntryInfo& term : terms()) items.push_back({&term, "term", "A word of the answer."});
  for (const EntryInfo& word : columns()) items.push_back({&word, "column", "A word of the results."});
  return items;
}

std::string wrapped(const std::string& text, std::size_t indent) {
  const std::size_t width = text_width();
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
