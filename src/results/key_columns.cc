// SPDX-License-Identifier: Apache-2.0
#include "results/key_columns.h"

#include <fmt/format.h>

#include "storage/csv_text.h"

namespace hearsay::results {

std::string key_columns(const goal::Key& key) {
  std::string columns = "dataset VARCHAR";
  for (const goal::Field& field : key) {
    columns += fmt::format(", \"{}\" {}", field.name, field.number ? "UBIGINT" : "VARCHAR");
  }
  return columns;
}

void append_text(storage::Appender& rows, const std::string& text) {
  text.empty() ? rows.append_null() : rows.append(storage::csv_text(text));
}

void append_key(storage::Appender& rows, const std::string& dataset, const goal::Key& key) {
  append_text(rows, dataset);
  for (const goal::Field& field : key) {
    field.number ? rows.append(std::stoull(field.value)) : append_text(rows, field.value);
  }
}

}  // namespace hearsay::results
