// SPDX-License-Identifier: Apache-2.0
#include "storage/arrow_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "base/errors.h"
#include "storage/arrow_scan.h"
#include "storage/sql_text.h"

namespace hearsay::storage {
namespace {

// Gives the batch back when the last slice and the table are gone.
std::shared_ptr<ArrowArray> shared_batch(const ArrowArray& batch) {
  return {new ArrowArray(batch), [](ArrowArray* owned) {
            if (owned->release != nullptr) owned->release(owned);
            delete owned;
          }};
}

// What a slice owns: copies of the columns' descriptions, and a share of the batch they describe.
struct Slice {
  std::shared_ptr<ArrowArray> batch;
  std::vector<ArrowArray> columns;
  std::vector<ArrowArray*> children;
  const void* buffers[1] = {nullptr};
};

// Children are released with the slice; a reader that moves one out leaves it without a release and keeps the batch by
// the child's own share.
void release_child(ArrowArray* child) {
  delete static_cast<std::shared_ptr<ArrowArray>*>(child->private_data);
  child->release = nullptr;
}

void release_slice(ArrowArray* array) {
  auto* slice = static_cast<Slice*>(array->private_data);
  for (ArrowArray* child : slice->children) {
    if (child->release != nullptr) child->release(child);
  }
  delete slice;
  array->release = nullptr;
}

}  // namespace

ArrowTable::ArrowTable(ArrowArrayStream& stream, std::string name) : name_(std::move(name)) {
  struct Closer {
    ArrowArrayStream& open;
    ~Closer() {
      if (open.release != nullptr) open.release(&open);
    }
  } closer{stream};
  const auto check = [&](int code) {
    if (code == 0) return;
    const char* text = stream.get_last_error(&stream);
    throw InputError({name_, 0, ""},
                     text != nullptr ? first_line(text) : fmt::format("cannot be read: {}", std::strerror(code)));
  };
  check(stream.get_schema(&stream, &schema_));
  try {
    if (schema_.format == nullptr || std::strcmp(schema_.format, "+s") != 0) {
      throw InputError({name_, 0, ""}, "is one column; expected a table");
    }
    for (;;) {
      ArrowArray batch{};
      check(stream.get_next(&stream, &batch));
      if (batch.release == nullptr) break;
      batches_.push_back(shared_batch(batch));
      rows_ += static_cast<std::uint64_t>(batch.length);
    }
  } catch (...) {
    schema_.release(&schema_);
    throw;
  }
}

ArrowTable::~ArrowTable() {
  if (schema_.release != nullptr) schema_.release(&schema_);
}

ArrowArray ArrowTable::slice(std::size_t batch, std::int64_t begin, std::int64_t end,
                             const std::vector<std::size_t>& columns) const {
  const std::shared_ptr<ArrowArray>& whole = batches_[batch];
  auto slice = std::make_unique<Slice>();
  slice->batch = whole;
  for (const std::size_t column : columns) {
    ArrowArray child = *whole->children[column];
    child.offset += whole->offset + begin;
    child.length = end - begin;
    if (child.null_count != 0) child.null_count = -1;  // not counted in this part
    child.release = release_child;
    child.private_data = new std::shared_ptr<ArrowArray>(whole);
    slice->columns.push_back(child);
  }
  for (ArrowArray& child : slice->columns) slice->children.push_back(&child);
  ArrowArray array{};
  array.length = end - begin;
  array.n_buffers = 1;
  array.n_children = static_cast<std::int64_t>(columns.size());
  array.buffers = slice->buffers;
  array.children = slice->children.data();
  array.release = release_slice;
  array.private_data = slice.release();
  return array;
}

void ArrowTable::attach(Database& database) const {
  register_arrow_scan(database, *this);
}

Layout ArrowTable::layout(Database& database) const {
  Layout layout{FileKind::kArrow, ',', false, false, {}};
  try {
    QueryRows described =
        database.execute("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_arrow($1))",
                         {std::vector<std::string>{name_}});
    while (described.next()) {
      for (std::size_t row = 0; row < described.rows(); ++row) {
        layout.columns.push_back({std::string(described.text(0, row)), std::string(described.text(1, row))});
      }
    }
  } catch (const DatabaseError& error) {
    throw InputError({name_, 0, ""}, first_line(error.what()));
  }
  return layout;
}

}  // namespace hearsay::storage
