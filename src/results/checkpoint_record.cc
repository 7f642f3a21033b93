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

std::array<std::span<const double> experiment::Result::*, 8> numbers() {
  using R = experiment::Result;
  return {&R::errors, &R::sorted_errors, &R::epoch_errors, &R::roi_errors,
          &R::losses, &R::plain_losses,  &R::gains,        &R::plain_gains};
}

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

void RecordWriter::add(const experiment::Result& result) {
  std::string payload;
  const experiment::Combination& key = result.combination;
  for (const experiment::KeyField& field : experiment::kKeyFields) {
    field.text != nullptr ? put(payload, key.*field.text) : put(payload, key.*field.number);
  }
  put(payload, (key.uses_release ? 1U : 0U) + (key.uses_prior ? 2U : 0U));
  for (const auto member : numbers()) put(payload, result.*member);
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
  std::uint64_t number = 0;
  for (const experiment::KeyField& field : experiment::kKeyFields) {
    if (field.text != nullptr ? !rest.get(combination_.*field.text) : !rest.get(number)) return false;
    if (field.text == nullptr) combination_.*field.number = number;
  }
  if (!rest.get(number)) return false;
  combination_.uses_release = (number & 1U) != 0;
  combination_.uses_prior = (number & 2U) != 0;
  for (std::vector<double>& list : numbers_) {
    if (!rest.get(list)) return false;
  }
  return rest.empty();
}

experiment::Result RecordReader::result() const {
  experiment::Result result;
  result.combination = combination_;
  for (std::size_t i = 0; i < numbers_.size(); ++i) result.*numbers()[i] = numbers_[i];
  return result;
}

}  // namespace hearsay::results
