// SPDX-License-Identifier: Apache-2.0
//
// Numbers, text and lists of them as bytes and back, for what travels between processes of one program on machines of
// one kind. Not a format for files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hearsay {

class BytesWriter {
 public:
  template <typename Value>
  requires std::is_trivially_copyable_v<Value>
  void put(const Value& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof(Value)); }
  void put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  void put(const std::string& text) { put(std::string_view(text)); }
  template <typename Value>
  requires std::is_trivially_copyable_v<Value>
  void put(std::span<const Value> values) {
    put(static_cast<std::uint64_t>(values.size()));
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  template <typename Value>
  void put(const std::vector<Value>& values) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      put(std::span<const Value>(values));
    } else {
      put(static_cast<std::uint64_t>(values.size()));
      for (const Value& value : values) put(value);
    }
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a writer wrote, in the same order. The bytes outlive it. Throws std::out_of_range where they end too soon.
class BytesReader {
 public:
  explicit BytesReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename Value>
  requires std::is_trivially_copyable_v<Value>
  void get(Value& value) { std::memcpy(&value, next(sizeof(Value)).data(), sizeof(Value)); }
  void get(std::string& text) { text = get_text(); }
  template <typename Value>
  void get(std::vector<Value>& values) {
    const auto size = get<std::uint64_t>();
    if constexpr (std::is_trivially_copyable_v<Value>) {
      if (size > bytes_.size() / sizeof(Value)) next(bytes_.size() + 1);
      const std::string_view own = next(size * sizeof(Value));
      values.resize(size);
      if (size > 0) std::memcpy(values.data(), own.data(), own.size());
    } else {
      values.clear();
      for (std::uint64_t i = 0; i < size; ++i) get(values.emplace_back());
    }
  }
  template <typename Value>
  Value get() {
    Value value{};
    get(value);
    return value;
  }
  std::string_view get_text() { return next(get<std::uint64_t>()); }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view next(std::uint64_t size) {
    if (size > bytes_.size()) throw std::out_of_range("bytes end too soon");
    const std::string_view own = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return own;
  }

  std::string_view bytes_;
};

}  // namespace hearsay
