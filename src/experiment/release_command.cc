// SPDX-License-Identifier: Apache-2.0
#include "experiment/release_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "experiment/presets.h"
#include "release/accounting.h"

namespace hearsay::experiment {

std::string shell_word(const std::string& text) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string("_-./=").find(static_cast<char>(c)) != std::string::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

ReleaseCommand release_command(const std::string& file, const Study& study, const goal::Defence& defence,
                               const release::Guarantee& guarantee, bool mostly_noise) {
  std::string line = "hearsay release " + shell_word(file);
  for (const std::string& setting : study.overrides) line += " --set " + shell_word(setting);
  std::vector<std::string> notes;
  if (preset_named(defence.chain.name()) != nullptr) {
    line += " --preset " + shell_word(defence.chain.name());
  } else {
    for (const release::NamedStep& step : defence.chain.named_steps()) line += " --step " + shell_word(step.text());
  }
  if (defence.post_process == release::PostProcess::kPaper) {
    notes.push_back(
        fmt::format("Its counts become {}: paper is for studies, as it reads the number of users off the data and adds "
                    "continuous noise.",
                    release::name_of(release::kDefaultPostProcess)));
  } else if (defence.post_process != release::kDefaultPostProcess) {
    line += " --post-process " + shell_word(release::name_of(defence.post_process));
  }
  if (study.data.account.empty()) {
    line += " --account NAME";
    notes.emplace_back("NAME is the people whose budget it spends: the same for all data about them.");
  }
  const std::vector<std::string> reasons = reasons_against(study, guarantee);
  if (reasons.empty()) {
    line += fmt::format(" --budget {}", *guarantee.epsilon);
    notes.emplace_back(
        "--budget, needed with the first release of an account, is what this release spends and no more; leave it out "
        "with later ones.");
  } else {
    line += " --budget TOTAL --unsafe";
    notes.emplace_back(
        "TOTAL is the epsilon that all releases of the account may spend, stated with its first one; this release "
        "spends without bound.");
    notes.push_back(fmt::format("--unsafe: it has no sound guarantee. {}", fmt::join(reasons, " ")));
  }
  if (reasons.empty() && guarantee.delta > release::kLargestDelta) {
    line += " --allow-large-delta";
    notes.push_back(
        fmt::format("--allow-large-delta: with a chance of {:g} its epsilon does not hold.", guarantee.delta));
  }
  if (mostly_noise) {
    line += " --yes";
    notes.emplace_back("--yes: its counts are mostly noise, and are published only where you say so.");
  }
  if (guarantee.epsilon) notes.emplace_back("Its noise is new and secret, not that of what is shown here.");
  return {line + " --out counts.parquet", notes};
}

}  // namespace hearsay::experiment
