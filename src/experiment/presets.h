// SPDX-License-Identifier: Apache-2.0
//
// Rules by which others publish counts, as chains of steps.
#pragma once

#include <string>
#include <vector>

#include "base/entry.h"
#include "release/chain.h"

namespace hearsay::experiment {

struct Preset {
  EntryInfo info;                  // its explanation says what was left out
  std::vector<std::string> steps;  // NAME(parameter=value,...)
};

const std::vector<Preset>& all_presets();
// Null where there is none of that name.
const Preset* preset_named(const std::string& name);

// One chain of steps as NAME(parameter=value,...). Throws ConfigError for `key` where one is not known or allowed.
release::Chain chain_of(const std::string& key, const std::vector<std::string>& steps,
                        const std::vector<const release::StepEntry*>& known);
// The chain of a preset, under its name.
release::Chain chain_of_preset(const std::string& key, const std::string& name,
                               const std::vector<const release::StepEntry*>& known);

}  // namespace hearsay::experiment
