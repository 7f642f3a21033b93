// SPDX-License-Identifier: Apache-2.0
//
// What Python shows of a registered entry: its signature and documentation, made from the registry.
#pragma once

#include <string>

#include "base/entry.h"

namespace hearsay::python {

// `def NAME(FIRST, *, parameter: float | str = default, ...) -> RESULT`.
std::string signature(const EntryInfo& info, const std::string& first, const std::string& result);
// Summary, explanation, parameters, citation.
std::string documentation(const EntryInfo& info);

}  // namespace hearsay::python
