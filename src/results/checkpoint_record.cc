// SPDX-License-Identifier: Apache-2.0
#include "results/checkpoint_record.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <system_error>

#include "storage/file_digest.h"

namespace hearsay::results {
namespace {

constexpr std::size_t kDigestCharacters = 64;
constexpr std::uint64_t kLongestRecord = std::uint64_t{1} << 36;
const std::string kEnd = "end";

void put(std::string& payload, std::uint64_t number) {
  payload.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void put(std::string& payload, const std::string& text) {
  put(payload, text.size());
  payload += text;
}
void put(std::string& payload, std::span<const double> numbers) {
  put(payload, numbers.size());
  payload.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

// Reads back what put() wrote; false where there is not enough.
class Payload {
 public:
  explicit Payload(const std::string& bytes) : rest_(bytes) {}
  bool get(std::uint64_t& number) { return copy(&number, sizeof number); }
  bool get(std::string& text) {
    std::uint64_t size = 0;
    if (!get(size) || size > rest_.size()) return false;
    text.resize(size);
    return copy(text.data(), size);
  }
  bool get(std::vector<double>& numbers) {
    std::uint64_t size = 0;
    if (!get(size) || size > rest_.size() / sizeof(double)) return false;
    numbers.resize(size);
    return copy(numbers.data(), size * sizeof(double));
  }
  bool empty() const { return rest_.empty(); }

 private:
  bool copy(void* to, std::size_t size) {
    if (size > rest_.size()) return false;
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
    return true;
  }

  std::string_view rest_;
};

}  // namespace

RecordWriter::RecordWriter(const std::string& path, const std::string& key)
    : path_(path), out_(path, std::ios::binary | std::ios::trunc) {
  write(key);
}

void RecordWriter::write(const std::string& payload) {
  std::string size;
  put(size, payload.size());
  out_ << size << payload << storage::sha256(payload);
  if (!out_) throw std::system_error(errno, std::generic_category(), "cannot keep a part of the study");
}

void RecordWriter::add(const goal::Measurement& measurement) {
  std::string payload;
  put(payload, measurement.key.size());
  for (const goal::Field& field : measurement.key) {
    put(payload, field.name);
    put(payload, field.value);
    put(payload, field.number ? 1U : 0U);
  }
  put(payload, static_cast<std::uint64_t>(measurement.unit));
  put(payload, measurement.numbers.size());
  for (const goal::Numbers& numbers : measurement.numbers) {
    put(payload, numbers.name);
    put(payload, numbers.values);
    put(payload, numbers.sorted);
  }
  write(payload);
}

void RecordWriter::finish() {
  write(kEnd);
  out_.close();
  if (!out_) throw std::system_error(errno, std::generic_category(), "cannot keep a part of the study");
}

RecordReader::RecordReader(const std::string& path, const std::string& key) : in_(path, std::ios::binary) {
  std::string written;
  if (!read(written) || written != key) in_.setstate(std::ios::failbit);
}

bool RecordReader::read(std::string& payload) {
  std::uint64_t size = 0;
  std::string digest(kDigestCharacters, '\0');
  if (!in_.read(reinterpret_cast<char*>(&size), sizeof size) || size > kLongestRecord) return false;
  // In pieces: a damaged size must not take memory that the file has no bytes for.
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 24;
  payload.clear();
  while (payload.size() < size) {
    const std::size_t before = payload.size();
    payload.resize(before + std::min<std::uint64_t>(kPiece, size - before));
    if (!in_.read(payload.data() + before, static_cast<std::streamsize>(payload.size() - before))) return false;
  }
  if (!in_.read(digest.data(), kDigestCharacters)) return false;
  return digest == storage::sha256(payload);
}

bool RecordReader::next() {
  std::string payload;
  if (!read(payload)) return false;
  if (payload == kEnd) {
    ended_well_ = in_.peek() == std::ifstream::traits_type::eof();
    return false;
  }
  Payload rest(payload);
  std::uint64_t fields = 0;
  std::uint64_t unit = 0;
  std::uint64_t lists = 0;
  std::uint64_t number = 0;
  measurement_ = {};
  numbers_.clear();
  if (!rest.get(fields)) return false;
  for (std::uint64_t i = 0; i < fields; ++i) {
    goal::Field& field = measurement_.key.emplace_back();
    if (!rest.get(field.name) || !rest.get(field.value) || !rest.get(number)) return false;
    field.number = number != 0;
  }
  if (!rest.get(unit) || !rest.get(lists)) return false;
  measurement_.unit = static_cast<goal::Unit>(unit);
  for (std::uint64_t i = 0; i < lists; ++i) {
    if (!rest.get(measurement_.numbers.emplace_back().name)) return false;
    if (!rest.get(numbers_.emplace_back()) || !rest.get(numbers_.emplace_back())) return false;
  }
  return rest.empty();
}

goal::Measurement RecordReader::measurement() const {
  goal::Measurement measurement = measurement_;
  for (std::size_t i = 0; i < measurement.numbers.size(); ++i) {
    measurement.numbers[i].values = numbers_[2 * i];
    measurement.numbers[i].sorted = numbers_[2 * i + 1];
  }
  return measurement;
}

}  // namespace hearsay::results
