// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "storage/table_file.h"

namespace hearsay::ingest {

// Names a column may have in files in place of ours; ours comes first. Throws std::out_of_range for a name not ours.
const std::vector<std::string>& column_aliases(const std::string& name);

// The names that data.columns may map.
const std::vector<std::string>& mappable_columns();

// Index of the column that `setting` of a study names. Throws InputError where it is missing.
std::size_t named_column(const storage::Layout& layout, const std::string& file, const std::string& column,
                         const std::string& setting);

// Index of the column that stands for `name`: the one mapped, else the one of that name, else the one alias found.
// Throws InputError where a mapped column is missing or two aliases are found; nothing where there is none.
std::optional<std::size_t> find_column(const storage::Layout& layout, const std::string& file, const std::string& name,
                                       const std::map<std::string, std::string>& mapping);

// The same, and InputError where there is none.
std::size_t require_column(const storage::Layout& layout, const std::string& file, const std::string& name,
                           const std::map<std::string, std::string>& mapping);

// The column that says which vehicle was used, of a feed that says nothing of people; empty where there is none.
std::string vehicle_column(const storage::Layout& layout);

// Whether the time of an event is in two columns: those that the study names, or the two called date and time where
// no other stands for a time.
bool has_date_and_time(const storage::Layout& layout, const std::map<std::string, std::string>& mapping);

}  // namespace hearsay::ingest
