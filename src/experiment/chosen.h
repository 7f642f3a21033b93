// SPDX-License-Identifier: Apache-2.0
//
// How a study names entries: NAME, or NAME(parameter=value,...).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/entry.h"
#include "base/errors.h"
#include "experiment/registry.h"

namespace hearsay::experiment {

// "MAX_ROI(ties=reports)" in its parts. Throws ConfigError for `key` where it is not of that form.
struct NamedChoice {
  std::string name;
  std::vector<std::pair<std::string, std::string>> given;
};
NamedChoice parse_choice(const std::string& key, const std::string& text);

// The parameters of a choice in the order of the entry, those left out that are as they would be anyway. Throws
// ConfigError for one that the entry does not have, or that is given twice.
Parameters given_parameters(const std::string& key, const EntryInfo& info, const NamedChoice& choice);

// The entries named by `texts`, in the order of `all` and then as given, each once. One with parameters is a copy that
// the registry keeps, named as the study names it.
template <typename Entry, typename NameOf>
std::vector<const Entry*> choose(const std::string& key, const std::vector<std::string>& texts,
                                 const std::vector<const Entry*>& all, const NameOf& name_of, Registry& registry) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Entry* entry : all) names.push_back(name_of(*entry));
  std::vector<std::vector<const Entry*>> by_entry(all.size());
  for (const std::string& text : texts) {
    const NamedChoice choice = parse_choice(key, text);
    const auto found = std::find(names.begin(), names.end(), choice.name);
    if (found == names.end()) throw ConfigError(key, choice.name, "is not known" + suggestion(choice.name, names));
    const auto place = static_cast<std::size_t>(found - names.begin());
    const Parameters given = given_parameters(key, all[place]->info, choice);
    const std::string label = given.empty() ? choice.name : choice.name + "(" + given.label() + ")";
    std::vector<const Entry*>& chosen = by_entry[place];
    if (std::any_of(chosen.begin(), chosen.end(), [&](const Entry* entry) { return name_of(*entry) == label; }))
      continue;
    chosen.push_back(given.empty() ? all[place] : registry.keep(*all[place], label, given));
  }
  std::vector<const Entry*> list;
  for (const auto& chosen : by_entry) list.insert(list.end(), chosen.begin(), chosen.end());
  return list;
}

}  // namespace hearsay::experiment
