// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "storage/arrow_table.h"

namespace hearsay::python {

// Takes a table from any object with __arrow_c_stream__, without copying its values. The table may be let go by any
// thread. Throws InputError, starting with `name`, for any other object.
std::shared_ptr<const storage::ArrowTable> take_table(nanobind::handle object, const std::string& name);

// Writes the table as CSV, and returns the path.
std::string write_table(const storage::ArrowTable& table, const std::string& path);

}  // namespace hearsay::python
