// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "storage/arrow_abi.h"
#include "storage/database.h"
#include "storage/table_file.h"

namespace hearsay::storage {

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

}  // namespace hearsay::storage
