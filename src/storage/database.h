// SPDX-License-Identifier: Apache-2.0
//
// DuckDB in memory: reads and writes every file of this program. One connection; not for use by two threads at once.
#pragma once

#include <duckdb.h>

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/temporary_folder.h"

namespace hearsay::storage {

// what() is DuckDB's own text and may have several lines.
class DatabaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Memory or disk gave out. Not a DatabaseError: neither the query nor the data is at fault.
class ResourceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DatabaseOptions {
  std::size_t threads = 1;
  std::uint64_t memory_bytes = 0;  // 0: DuckDB's default
  std::string temp_directory;      // empty: the system's; a private folder is made in it and removed at the end
  std::stop_token stop = {};  // a request interrupts the statement under way; it and all later ones throw Cancelled
};

// Bound to $1, $2, ... in this order. A list of strings is what read_csv and its kin take for several paths.
using Value = std::variant<std::string, std::vector<std::string>, std::int64_t, double>;
using Values = std::vector<Value>;

// Told the percentage done, or a negative number where it is not known. An exception thrown here cancels the query.
using QueryProgress = std::function<void(double percent)>;

inline std::string_view view_of(const duckdb_string_t& text) {
  const std::uint32_t size = text.value.inlined.length;
  return {size <= sizeof(text.value.inlined.inlined) ? text.value.inlined.inlined : text.value.pointer.ptr, size};
}

// Some rows, column by column. Accessors do not convert: cast in SQL.
class Chunk {
 public:
  explicit Chunk(duckdb_data_chunk chunk = nullptr)
      : chunk_(chunk), rows_(chunk == nullptr ? 0 : duckdb_data_chunk_get_size(chunk)) {}

  std::size_t rows() const { return rows_; }
  bool has_nulls(std::size_t column) const {
    return duckdb_vector_get_validity(duckdb_data_chunk_get_vector(chunk_, column)) != nullptr;
  }
  bool is_null(std::size_t column, std::size_t row) const;
  std::string_view text(std::size_t column, std::size_t row) const;  // VARCHAR; empty where null
  template <typename T>
  const T* values(std::size_t column) const {
    return static_cast<const T*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk_, column)));
  }
  std::int64_t integer(std::size_t column, std::size_t row) const { return values<std::int64_t>(column)[row]; }
  double number(std::size_t column, std::size_t row) const { return values<double>(column)[row]; }

 protected:
  duckdb_data_chunk chunk_;
  std::size_t rows_;
};

// Rows in chunks: `while (result.next()) for (row < result.rows()) ...`. What accessors return is valid until the next
// chunk.
class QueryRows : public Chunk {
 public:
  explicit QueryRows(duckdb_result result) : result_(result) {}
  QueryRows(QueryRows&& other) noexcept;
  QueryRows& operator=(QueryRows&&) = delete;
  QueryRows(const QueryRows&) = delete;
  QueryRows& operator=(const QueryRows&) = delete;
  ~QueryRows();

  bool next();
  std::size_t columns() { return duckdb_column_count(&result_); }
  std::string column_name(std::size_t column) { return duckdb_column_name(&result_, column); }
  // For what else DuckDB can do with a result and its chunk.
  duckdb_result* get() { return &result_; }
  duckdb_data_chunk chunk() const { return chunk_; }

 private:
  void drop_chunk();

  duckdb_result result_{};
};

// Takes rows out of a running query, on the threads that run it. What it throws fails the query.
using ChunkConsumer = std::function<void(const Chunk& chunk)>;

enum class FileFormat { kCsv, kParquet };

class Database {
 public:
  explicit Database(const DatabaseOptions& options);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // One statement. The whole result is held; stream() hands it out while it is made and allows no other statement
  // until the end.
  QueryRows execute(const std::string& sql, const Values& values = {}, const QueryProgress& progress = {});
  QueryRows stream(const std::string& sql, const Values& values = {}, const QueryProgress& progress = {});

  // Makes NAME(columns...) a function of SQL that hands its arguments to `consumer`, called from all threads at once,
  // and returns 0. One call for each row, in no order, if the query is an aggregate over it such as max(NAME(...)).
  void add_consumer(const std::string& name, const std::vector<duckdb_type>& columns, ChunkConsumer consumer);

  // Writes what the query gives.
  void copy_to(const std::string& query, const std::string& path, FileFormat format);

  duckdb_connection connection() { return connection_; }

 private:
  QueryRows run(const std::string& sql, const Values& values, const QueryProgress& progress, bool streaming);
  static void take_chunk(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
  void close();

  TemporaryFolder temporary_;
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  std::stop_token stop_;
  std::optional<std::stop_callback<std::function<void()>>> interrupt_;
  std::vector<std::unique_ptr<ChunkConsumer>> consumers_;  // outlive the database
};

// Appends rows to a table, value by value in column order. finish() must be called; without it the rows may be lost.
class Appender {
 public:
  Appender(Database& database, const std::string& table);
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;
  ~Appender();

  void append(std::string_view value);
  void append(const char* value) { append(std::string_view(value)); }
  void append(std::same_as<bool> auto value) { check(duckdb_append_bool(appender_, value)); }
  void append(std::signed_integral auto value) { check(duckdb_append_int64(appender_, value)); }
  void append(std::unsigned_integral auto value) requires(!std::same_as<decltype(value), bool>) {
    check(duckdb_append_uint64(appender_, value));
  }
  void append(double value) { check(duckdb_append_double(appender_, value)); }
  template <typename T>
  void append(const std::optional<T>& value) {
    value ? append(*value) : append_null();
  }
  void append_null() { check(duckdb_append_null(appender_)); }
  void end_row() { check(duckdb_appender_end_row(appender_)); }
  void finish();

 private:
  void check(duckdb_state state);

  duckdb_appender appender_ = nullptr;
};

}  // namespace hearsay::storage
