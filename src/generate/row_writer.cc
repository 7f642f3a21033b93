// SPDX-License-Identifier: Apache-2.0
#include "generate/row_writer.h"

#include <fmt/format.h>

#include <condition_variable>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "base/errors.h"
#include "base/output_name.h"
#include "base/temporary_folder.h"
#include "storage/database.h"

namespace hearsay::generate {
namespace {

// Makes blocks ahead of whoever takes them, in order.
class BlockQueue {
 public:
  BlockQueue(std::size_t count, const std::function<Block(std::size_t)>& make, std::size_t threads)
      : count_(count), make_(make), ahead_(2 * threads) {
    try {
      for (std::size_t i = 0; i < threads; ++i) workers_.emplace_back([this] { work(); });
    } catch (...) {
      stop();  // or those that did start would wait for ever
      throw;
    }
  }
  ~BlockQueue() { stop(); }

  bool done() const { return taken_ == count_; }
  std::size_t taken() const { return taken_; }
  // Throws what making the block threw.
  Block take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ != nullptr || ready_.contains(taken_); });
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    Block block = std::move(ready_.extract(taken_).mapped());
    ++taken_;
    changed_.notify_all();
    return block;
  }

 private:
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  // In a thread of its own, which no exception may leave.
  void work() noexcept {
    try {
      while (make_next()) {
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (failure_ == nullptr) failure_ = std::current_exception();
      stopped_ = true;
      changed_.notify_all();
    }
  }

  // False where there is nothing left to do.
  bool make_next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || next_ == count_ || next_ < taken_ + ahead_; });
    if (stopped_ || next_ == count_) return false;
    const std::size_t index = next_++;
    lock.unlock();
    Block block = make_(index);
    lock.lock();
    ready_.emplace(index, std::move(block));
    changed_.notify_all();
    return true;
  }

  std::size_t count_;
  const std::function<Block(std::size_t)>& make_;
  std::size_t ahead_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::size_t, Block> ready_;
  std::size_t next_ = 0;
  std::size_t taken_ = 0;
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::vector<std::jthread> workers_;  // last: they end before what they use
};

// What DuckDB's table function reads from.
struct Rows {
  const std::vector<Column>& columns;
  BlockQueue& queue;
  const Progress& progress;
  std::size_t blocks;
  Block block;
  std::size_t used = 0;
  std::uint64_t total = 0;
  std::exception_ptr failure = {};

  // Rows left in the current block; the next one is taken when it is used up.
  std::size_t left() {
    while ((block.empty() || used == block.front().size()) && !queue.done()) {
      block = queue.take();
      used = 0;
      if (progress) progress("generating", queue.taken(), blocks);
    }
    return block.empty() ? 0 : block.front().size() - used;
  }
};

duckdb_type type_of(ColumnType type) {
  switch (type) {
    case ColumnType::kLabel:
      return DUCKDB_TYPE_VARCHAR;
    case ColumnType::kTime:
      return DUCKDB_TYPE_TIMESTAMP;
    case ColumnType::kMicro:
      return DUCKDB_TYPE_DOUBLE;
    case ColumnType::kUnixTime:
      return DUCKDB_TYPE_BIGINT;
  }
  return DUCKDB_TYPE_INVALID;
}

void fill_column(const Column& column, const std::int64_t* values, std::size_t rows, duckdb_vector vector) {
  if (column.type == ColumnType::kLabel) {
    std::string text;
    for (std::size_t row = 0; row < rows; ++row) {
      text = column.prefix;
      fmt::format_to(std::back_inserter(text), "{:0{}}", values[row], column.digits);
      duckdb_vector_assign_string_element_len(vector, row, text.data(), text.size());
    }
  } else if (column.type == ColumnType::kMicro) {
    auto* out = static_cast<double*>(duckdb_vector_get_data(vector));
    for (std::size_t row = 0; row < rows; ++row) out[row] = static_cast<double>(values[row]) / 1e6;
  } else {
    std::copy(values, values + rows, static_cast<std::int64_t*>(duckdb_vector_get_data(vector)));
  }
}

void bind(duckdb_bind_info info) {
  const auto& rows = *static_cast<const Rows*>(duckdb_bind_get_extra_info(info));
  for (const Column& column : rows.columns) {
    duckdb_logical_type type = duckdb_create_logical_type(type_of(column.type));
    duckdb_bind_add_result_column(info, column.name.c_str(), type);
    duckdb_destroy_logical_type(&type);
  }
}

void init(duckdb_init_info info) {
  duckdb_init_set_max_threads(info, 1);
}

// Called by DuckDB, through which no exception may pass: it waits in `rows` for whoever runs the query.
void produce(duckdb_function_info info, duckdb_data_chunk output) noexcept {
  auto& rows = *static_cast<Rows*>(duckdb_function_get_extra_info(info));
  try {
    const std::size_t count = std::min<std::size_t>(rows.left(), duckdb_vector_size());
    for (std::size_t c = 0; c < rows.columns.size() && count > 0; ++c) {
      fill_column(rows.columns[c], rows.block[c].data() + rows.used, count, duckdb_data_chunk_get_vector(output, c));
    }
    rows.used += count;
    rows.total += count;
    duckdb_data_chunk_set_size(output, count);
  } catch (...) {
    rows.failure = std::current_exception();
    duckdb_function_set_error(info, "rows cannot be made");
  }
}

void register_rows(storage::Database& database, Rows& rows) {
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, "hearsay_rows");
  duckdb_table_function_set_extra_info(function, &rows, nullptr);
  duckdb_table_function_set_bind(function, bind);
  duckdb_table_function_set_init(function, init);
  duckdb_table_function_set_function(function, produce);
  const duckdb_state state = duckdb_register_table_function(database.connection(), function);
  duckdb_destroy_table_function(&function);
  if (state != DuckDBSuccess) throw storage::DatabaseError("cannot register a table function");
}

}  // namespace

std::uint64_t write_rows(const std::string& path, const std::vector<Column>& columns, std::size_t count,
                         const std::function<Block(std::size_t)>& make_block, std::size_t threads,
                         const Progress& progress) {
  namespace fs = std::filesystem;
  const bool parquet = path.ends_with(".parquet");
  if (!parquet && !path.ends_with(".csv")) throw ConfigError("--out", path, "must end in .parquet or .csv");
  const fs::path target = fs::absolute(path);
  check_output_name("--out", target.string());
  if (fs::is_directory(target)) throw ConfigError("--out", path, "is a folder; name a file");
  fs::create_directories(target.parent_path());
  const TemporaryFolder staging(target.parent_path().string(), ".hearsay-generate-");
  const std::string made = staging.path() + "/rows";
  BlockQueue queue(count, make_block, threads);
  Rows rows{columns, queue, progress, count, {}};
  storage::Database database({});  // one thread, so that the bytes are always the same
  register_rows(database, rows);
  try {
    database.execute(fmt::format("COPY (FROM hearsay_rows()) TO $1 (FORMAT {})",
                                 parquet ? "parquet, COMPRESSION zstd" : "csv, HEADER"),
                     {made});
  } catch (...) {
    if (rows.failure != nullptr) std::rethrow_exception(rows.failure);
    throw;
  }
  fs::rename(made, target);
  return rows.total;
}

}  // namespace hearsay::generate
