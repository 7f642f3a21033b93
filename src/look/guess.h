// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "look/sight.h"
#include "storage/database.h"
#include "storage/table_file.h"

namespace hearsay::look {

// The paths of a study for what somebody named: a folder of known files becomes a pattern.
std::vector<std::string> paths_for(const std::vector<std::string>& named, Sight& sight);

// Guesses how a file is laid out, with a line of names or without, and what its columns are. Fills feed, source,
// coordinates, reasons, unknowns, problem and columns of the sight. Throws InputError where the file is no table.
void guess_source(storage::Database& database, const std::string& file, Sight& sight);
// The same of a table whose layout is known.
void guess_source(storage::Database& database, const storage::Layout& layout, const std::string& file, Sight& sight);

// The source is that of a feed known by name, with its own paths.
void take_feed(const std::string& name, Sight& sight);

// The source with something in the place of each unknown column, so that the others can be read. Files stand for users.
ingest::Source reading_of(const Sight& sight);

// The share of the first rows of a file that can be read so; 0 where the file cannot.
double readable_share(storage::Database& database, const ingest::Source& source, const ingest::RoiRule& rois,
                      const std::string& file);

// The places that such events can be counted at: ids, or a grid whose box is not known yet.
ingest::RoiRule placing_of(const Sight& sight);

}  // namespace hearsay::look
