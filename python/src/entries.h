// SPDX-License-Identifier: Apache-2.0
//
// What Python shows of a registered entry: its signature and documentation, made from the registry.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "base/entry.h"

namespace hearsay::python {

namespace nb = nanobind;

// `def NAME(FIRST, *, parameter: float | str = default, ...) -> RESULT`.
std::string signature(const EntryInfo& info, const std::string& first, const std::string& result);
// Summary, explanation, parameters, citation.
std::string documentation(const EntryInfo& info);

// Keyword arguments as the parameters of an entry, in its order. Throws ConfigError for one that it does not have.
Parameters parameters_from(const EntryInfo& info, const nb::kwargs& given);

}  // namespace hearsay::python
