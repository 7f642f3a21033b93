// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/database.h"

namespace hearsay::storage {

class ArrowTable;

// Makes read_arrow([...]) in this database read the table; its argument only stands where others have their files.
// Reads in parallel and only the columns asked for. Throws InputError naming a column whose type cannot be read.
void register_arrow_scan(Database& database, const ArrowTable& table);

}  // namespace hearsay::storage
