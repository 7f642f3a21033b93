// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/parameters.h"

namespace hearsay {

// Numbers worth trying, for whoever offers them to be dragged; others may be allowed, too.
struct Usual {
  double from = 0;
  double to = 0;
  bool whole = false;
  bool by_factor = false;  // steps multiply
};

// One setting of a prior, attack, decision, mechanism or metric.
struct ParameterInfo {
  std::string name;
  std::string default_value;  // empty: must be given, or its alternative
  std::string summary;
  std::string alternative = {};  // the parameter that may be given in its place
  std::optional<Usual> usual = {};
  std::vector<std::string> choices = {};  // all that may be given, where it is a word
};

inline ParameterInfo with_usual(ParameterInfo info, const Usual& usual) {
  info.usual = usual;
  return info;
}
inline ParameterInfo with_choices(ParameterInfo info, std::vector<std::string> choices) {
  info.choices = std::move(choices);
  return info;
}

inline constexpr const char* kPaper =
    "Pyrgelis, Troncoso, De Cristofaro: What Does The Crowd Say About You? Evaluating Aggregation-based Location "
    "Privacy. PETS 2017.";

// What `hearsay list` and `hearsay explain`, the documentation and the report say about a registered entry.
struct EntryInfo {
  int position = 0;         // place in lists, the paper's order
  std::string name;         // what users type
  std::string summary;      // one plain sentence
  std::string explanation;  // a paragraph: what it does, exactly
  std::vector<ParameterInfo> parameters;
  std::string citation;
  Parameters given = Parameters();  // those that a study chose; an entry of a list has none

  // As the paper has it.
  bool is_paper() const { return citation == kPaper && given.empty(); }

  // What was given, and the defaults of the rest.
  Parameters values() const {
    Parameters all(name);
    for (const ParameterInfo& parameter : parameters) {
      if (given.has(parameter.name)) {
        all.set(parameter.name, given.text(parameter.name));
      } else if (!parameter.default_value.empty()) {
        all.set(parameter.name, parameter.default_value);
      }
    }
    return all;
  }
};

template <typename Entry>
std::vector<const Entry*> sorted_entries(std::vector<const Entry*> entries) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry* a, const Entry* b) { return a->info.position < b->info.position; });
  return entries;
}

}  // namespace hearsay
