// SPDX-License-Identifier: Apache-2.0
#include "storage/arrow_scan.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "storage/arrow_table.h"
#include "storage/sql_text.h"

namespace hearsay::storage {
namespace {

// A thread takes this many rows of a batch at a time, and hands them over a vector at a time.
constexpr std::int64_t kMorsel = 60L * 2048;

struct Piece {
  std::size_t batch = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

std::optional<std::string> text_of(duckdb_error_data error) {
  std::optional<std::string> text;
  if (duckdb_error_data_has_error(error)) text = duckdb_error_data_message(error);
  duckdb_destroy_error_data(&error);
  return text;
}

// DuckDB's reading of some columns of a schema.
class Converted {
 public:
  Converted(duckdb_connection connection, const ArrowTable& table, const std::vector<std::size_t>& columns) {
    std::vector<ArrowSchema*> children;
    children.reserve(columns.size());
    for (const std::size_t column : columns) children.push_back(table.schema().children[column]);
    ArrowSchema part = table.schema();
    part.n_children = static_cast<std::int64_t>(children.size());
    part.children = children.data();
    if (const auto problem = text_of(duckdb_schema_from_arrow(connection, &part, &schema_))) {
      throw DatabaseError(*problem);
    }
  }
  Converted(const Converted&) = delete;
  Converted& operator=(const Converted&) = delete;
  ~Converted() { duckdb_destroy_arrow_converted_schema(&schema_); }
  duckdb_arrow_converted_schema get() const { return schema_; }

 private:
  duckdb_arrow_converted_schema schema_ = nullptr;
};

class ArrowChunk {
 public:
  ArrowChunk(duckdb_connection connection, ArrowArray array, const Converted& schema) {
    const auto problem = text_of(duckdb_data_chunk_from_arrow(connection, &array, schema.get(), &chunk_));
    if (array.release != nullptr) array.release(&array);
    if (problem) throw DatabaseError(*problem);
  }
  ArrowChunk(const ArrowChunk&) = delete;
  ArrowChunk& operator=(const ArrowChunk&) = delete;
  ~ArrowChunk() {
    if (chunk_ != nullptr) duckdb_destroy_data_chunk(&chunk_);
  }
  duckdb_vector vector(std::size_t column) const { return duckdb_data_chunk_get_vector(chunk_, column); }

 private:
  duckdb_data_chunk chunk_ = nullptr;
};

// What the function knows before any query.
struct Origin {
  duckdb_connection connection;
  const ArrowTable& table;
  std::vector<duckdb_logical_type> types;

  Origin(duckdb_connection open, const ArrowTable& rows) : connection(open), table(rows) {}
  Origin(const Origin&) = delete;
  Origin& operator=(const Origin&) = delete;
  ~Origin() {
    for (duckdb_logical_type& type : types) duckdb_destroy_logical_type(&type);
  }
};

// One scan: the columns it wants, and what is left to read.
struct Scan {
  explicit Scan(const Origin& origin) : source(origin) {}
  const Origin& source;
  std::vector<std::size_t> columns;
  std::unique_ptr<Converted> schema;
  std::vector<Piece> pieces;
  std::atomic<std::size_t> next{0};
};

struct Position {
  Piece piece;
};

template <typename T>
void destroy(void* data) {
  delete static_cast<T*>(data);
}

// Runs what DuckDB calls back: no exception may pass through its C interface, so that it becomes an error of the query.
template <typename Info, typename Work>
void guarded(Info info, void (*set_error)(Info, const char*), const Work& work) noexcept {
  try {
    work();
  } catch (const std::exception& error) {
    set_error(info, error.what());
  } catch (...) {
    set_error(info, "unknown failure");
  }
}

void bind(duckdb_bind_info info) {
  const auto& source = *static_cast<const Origin*>(duckdb_bind_get_extra_info(info));
  for (std::size_t i = 0; i < source.types.size(); ++i) {
    duckdb_bind_add_result_column(info, source.table.schema().children[i]->name, source.types[i]);
  }
  duckdb_bind_set_cardinality(info, source.table.rows(), true);
}

std::unique_ptr<Scan> make_scan(duckdb_init_info info) {
  const auto& source = *static_cast<const Origin*>(duckdb_init_get_extra_info(info));
  auto scan = std::make_unique<Scan>(source);
  for (idx_t i = 0; i < duckdb_init_get_column_count(info); ++i) {
    // A query that wants no column, such as a count, still asks for one it calls by a number there is none of.
    scan->columns.push_back(std::min<std::size_t>(duckdb_init_get_column_index(info, i), source.types.size() - 1));
  }
  scan->schema = std::make_unique<Converted>(source.connection, source.table, scan->columns);
  const auto& batches = source.table.batches();
  for (std::size_t batch = 0; batch < batches.size(); ++batch) {
    for (std::int64_t begin = 0; begin < batches[batch]->length; begin += kMorsel) {
      scan->pieces.push_back({batch, begin, std::min(begin + kMorsel, batches[batch]->length)});
    }
  }
  return scan;
}

void start(duckdb_init_info info) {
  guarded(info, duckdb_init_set_error, [&] {
    auto scan = make_scan(info);
    duckdb_init_set_max_threads(info, std::max<std::size_t>(1, scan->pieces.size()));
    duckdb_init_set_init_data(info, scan.release(), destroy<Scan>);
  });
}

void start_thread(duckdb_init_info info) {
  guarded(info, duckdb_init_set_error, [&] { duckdb_init_set_init_data(info, new Position, destroy<Position>); });
}

// The next rows of a scan into `output`; returns how many.
std::int64_t read_rows(Scan& scan, Piece& piece, duckdb_data_chunk output) {
  if (piece.begin == piece.end) {
    const std::size_t next = scan.next++;
    if (next >= scan.pieces.size()) return 0;
    piece = scan.pieces[next];
  }
  const std::int64_t end = std::min(piece.end, piece.begin + static_cast<std::int64_t>(duckdb_vector_size()));
  const ArrowChunk chunk(scan.source.connection, scan.source.table.slice(piece.batch, piece.begin, end, scan.columns),
                         *scan.schema);
  for (std::size_t i = 0; i < scan.columns.size(); ++i) {
    duckdb_vector_reference_vector(duckdb_data_chunk_get_vector(output, i), chunk.vector(i));
  }
  return end - std::exchange(piece.begin, end);
}

void read(duckdb_function_info info, duckdb_data_chunk output) {
  guarded(info, duckdb_function_set_error, [&] {
    auto& scan = *static_cast<Scan*>(duckdb_function_get_init_data(info));
    Piece& piece = static_cast<Position*>(duckdb_function_get_local_init_data(info))->piece;
    duckdb_data_chunk_set_size(output, static_cast<idx_t>(read_rows(scan, piece, output)));
  });
}

// The type of every column, and an error that names the column where there is none.
void find_types(Origin& source) {
  const ArrowTable& table = source.table;
  if (table.rows() == 0) throw InputError({table.name(), 0, ""}, "no rows");
  std::size_t batch = 0;
  while (table.batches()[batch]->length == 0) ++batch;
  for (std::size_t column = 0; column < static_cast<std::size_t>(table.schema().n_children); ++column) {
    try {
      const Converted schema(source.connection, table, {column});
      const ArrowChunk chunk(source.connection, table.slice(batch, 0, 1, {column}), schema);
      source.types.push_back(duckdb_vector_get_column_type(chunk.vector(0)));
    } catch (const DatabaseError& error) {
      throw InputError({table.name(), 0, one_line(table.schema().children[column]->name)}, first_line(error.what()));
    }
  }
}

}  // namespace

void register_arrow_scan(Database& database, const ArrowTable& table) {
  auto source = std::make_unique<Origin>(database.connection(), table);
  find_types(*source);
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, "read_arrow");
  duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  duckdb_logical_type list = duckdb_create_list_type(text);
  duckdb_table_function_add_parameter(function, list);
  duckdb_destroy_logical_type(&list);
  duckdb_destroy_logical_type(&text);
  duckdb_table_function_set_extra_info(function, source.release(), destroy<Origin>);
  duckdb_table_function_set_bind(function, bind);
  duckdb_table_function_set_init(function, start);
  duckdb_table_function_set_local_init(function, start_thread);
  duckdb_table_function_set_function(function, read);
  duckdb_table_function_supports_projection_pushdown(function, true);
  const duckdb_state state = duckdb_register_table_function(database.connection(), function);
  duckdb_destroy_table_function(&function);
  if (state == DuckDBError) throw DatabaseError("cannot read tables in memory");
}

}  // namespace hearsay::storage
