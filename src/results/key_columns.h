// SPDX-License-Identifier: Apache-2.0
//
// How tables begin: the data set, and what a row is about.
#pragma once

#include <string>

#include "goal/measurement.h"
#include "storage/database.h"

namespace hearsay::results {

// "dataset VARCHAR, "goal" VARCHAR, ...", for a table whose rows have keys with the fields of this one.
std::string key_columns(const goal::Key& key);

// What does not apply is null: the same in CSV and Parquet.
void append_text(storage::Appender& rows, const std::string& text);
void append_key(storage::Appender& rows, const std::string& dataset, const goal::Key& key);

}  // namespace hearsay::results
