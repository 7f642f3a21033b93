// SPDX-License-Identifier: Apache-2.0
//
// Columns of text and bytes: read where Arrow has them, and made as the two buffers that pyarrow takes.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.h"
#include "base/errors.h"
#include "storage/arrow_abi.h"
#include "storage/arrow_table.h"

namespace hearsay::python {

// One column of a batch.
class BytesColumn {
 public:
  BytesColumn(const storage::ArrowTable& table, std::size_t batch, std::size_t column)
      : whole_(*table.batches()[batch]), array_(*whole_.children[column]) {
    const std::string_view format = table.schema().children[column]->format;
    large_ = format == "U" || format == "Z";
    if (!large_ && format != "u" && format != "z") {
      throw InputError({table.name(), 0, table.schema().children[column]->name}, "is neither text nor bytes");
    }
  }
  std::size_t rows() const { return static_cast<std::size_t>(whole_.length); }
  bool is_null(std::size_t row) const {
    const auto* valid = static_cast<const std::uint8_t*>(array_.buffers[0]);
    const std::size_t i = index(row);
    return valid != nullptr && (valid[i / 8] >> (i % 8) & 1) == 0;
  }
  std::string_view at(std::size_t row) const {
    return large_ ? view<std::int64_t>(index(row)) : view<std::int32_t>(index(row));
  }

 private:
  std::size_t index(std::size_t row) const {
    return row + static_cast<std::size_t>(whole_.offset) + static_cast<std::size_t>(array_.offset);
  }
  template <typename Offset>
  std::string_view view(std::size_t i) const {
    const auto* offsets = static_cast<const Offset*>(array_.buffers[1]);
    return {static_cast<const char*>(array_.buffers[2]) + offsets[i],
            static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
  }

  const ArrowArray& whole_;
  const ArrowArray& array_;
  bool large_ = false;
};

// A column in the making, of at most 2 GiB.
class BytesBuilder {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
    offsets_.push_back(static_cast<std::int32_t>(bytes_.size()));
  }
  void add(std::string_view text) { add(text.data(), text.size()); }
  std::size_t size() const { return bytes_.size(); }
  // Offsets and bytes, as two arrays.
  nanobind::tuple take() {
    return nanobind::make_tuple(owned_array(std::move(offsets_)), owned_array(std::move(bytes_)));
  }

 private:
  std::vector<std::int32_t> offsets_ = {0};
  std::vector<std::uint8_t> bytes_;
};

}  // namespace hearsay::python
