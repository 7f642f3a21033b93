// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ingest/arrow_abi.h"
#include "ingest/database.h"
#include "ingest/row_checks.h"
#include "ingest/table_file.h"

namespace hearsay::ingest {

// A table in memory that another program made, such as a data frame. Its values are not copied; they are given back
// with the last user of the table.
class ArrowTable {
 public:
  // Reads the stream to its end and releases it. `name` stands for a file's in messages. Throws InputError where the
  // exporter fails or what it gives is not a table.
  ArrowTable(ArrowArrayStream& stream, std::string name);
  ArrowTable(const ArrowTable&) = delete;
  ArrowTable& operator=(const ArrowTable&) = delete;
  ~ArrowTable();

  const std::string& name() const { return name_; }
  std::uint64_t rows() const { return rows_; }

  // Lets SQL read the table, any number of times and in parallel, as read_arrow([...]). It must outlive the database.
  void attach(Database& database) const;
  // Columns with DuckDB's types. After attach.
  Layout layout(Database& database) const;

  // Rows `begin` to `end` of one batch, as an array of the columns chosen that shares the batch's memory.
  ArrowArray slice(std::size_t batch, std::int64_t begin, std::int64_t end,
                   const std::vector<std::size_t>& columns) const;
  const ArrowSchema& schema() const { return schema_; }
  const std::vector<std::shared_ptr<ArrowArray>>& batches() const { return batches_; }

 private:
  std::string name_;
  ArrowSchema schema_{};
  std::vector<std::shared_ptr<ArrowArray>> batches_;
  std::uint64_t rows_ = 0;
};

// Throws InputError for the first column whose type cannot hold what it is used for.
void check_column_types(const Table& table, const Fields& fields);

}  // namespace hearsay::ingest
