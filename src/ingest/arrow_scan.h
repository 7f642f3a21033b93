// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ingest/database.h"

namespace hearsay::ingest {

class ArrowTable;

// Makes read_arrow([...]) in this database read the table; its argument only stands where others have their files.
// Reads in parallel and only the columns asked for. Throws InputError naming a column whose type cannot be read.
void register_arrow_scan(Database& database, const ArrowTable& table);

}  // namespace hearsay::ingest
