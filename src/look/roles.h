// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "look/sight.h"
#include "storage/database.h"
#include "storage/table_file.h"

namespace hearsay::look {

// The values of some rows as text, column by column.
using Sample = std::vector<std::vector<std::string>>;

// Guesses which column of a table is the user, the time and the place: those that somebody has named already, those
// with a name that is known, and those whose values can be nothing else. Fills format, coordinates, columns and reasons
// of the sight; what is left becomes unknown, with the columns that it could be.
void guess_roles(storage::Database& database, const storage::Layout& layout, const std::string& file,
                 const Sample& sample, Sight& sight);

}  // namespace hearsay::look
