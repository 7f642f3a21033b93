// SPDX-License-Identifier: Apache-2.0
#include "frames.h"

#include <fmt/format.h>

#include "base/errors.h"

namespace nb = nanobind;

namespace hearsay::python {

std::shared_ptr<const storage::ArrowTable> take_table(nb::handle object, const std::string& name) {
  if (!nb::hasattr(object, "__arrow_c_stream__")) {
    throw InputError({name, 0, ""}, fmt::format("a {} is neither a path nor a table; expected pandas, Polars, pyarrow "
                                                "or anything else with __arrow_c_stream__",
                                                nb::type_name(object.type()).c_str()));
  }
  const nb::object capsule = object.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  // Exporters may need the interpreter to give memory back, and take its lock for that themselves.
  return std::make_shared<const storage::ArrowTable>(*stream, name);
}

std::string write_table(const storage::ArrowTable& table, const std::string& path) {
  storage::Database database({});
  table.attach(database);
  database.copy_to(fmt::format("FROM read_arrow(['{}'])", table.name()), path, storage::FileFormat::kCsv);
  return path;
}

}  // namespace hearsay::python
