// SPDX-License-Identifier: Apache-2.0
#include "ingest/line_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/parallel.h"
#include "base/text_table.h"
#include "ingest/converted_files.h"
#include "storage/sql_text.h"
#include "storage/text_check.h"

namespace hearsay::ingest {
namespace {

[[noreturn]] void refuse_long(const std::string& file, const storage::TextFindings& found) {
  throw InputError(
      {one_line(file), found.too_long.first, ""},
      fmt::format("{}: the row has more than {} bytes{}", storage::kLineTooLong, with_commas(storage::kLongestLine),
                  found.unclosed.count > 0 ? "; a double quote that is not closed takes the rows after it along" : ""));
}

[[noreturn]] void refuse_encoding(const std::string& file, std::uint64_t line) {
  throw InputError({one_line(file), line, ""}, storage::kNotLatin);
}

[[noreturn]] void refuse_unclosed(const std::string& file, std::uint64_t line) {
  throw InputError({one_line(file), line, ""},
                   fmt::format("{}: a value in double quotes does not end on its line; close it, or set "
                               "data.line_breaks = true where values have line breaks",
                               storage::kBadQuoting));
}

}  // namespace

struct LineCheck::Checked {
  std::string file;
  std::size_t table = 0;
  storage::TextFindings found;
  std::optional<InputError> error;
};

LineCheck::LineCheck(std::vector<ReadTable>& tables, std::map<std::string, std::string>& given,
                     LineCheckOptions options)
    : options_(std::move(options)) {
  std::vector<Checked> files;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!storage::is_text(tables[i].table.layout)) continue;
    for (const std::string& file : tables[i].table.files) files.push_back({file, i, {}, {}});
  }
  parallel_for(files.size(), options_.threads, [&](std::size_t i, std::size_t) {
    Checked& checked = files[i];
    try {
      checked.found =
          storage::check_text(checked.file, tables[checked.table].table.layout, options_.line_breaks, options_.stop);
    } catch (const InputError& error) {
      checked.error = error;
    }
  });
  const std::map<std::string, std::string> given_before = given;
  for (const Checked& checked : files) {
    if (take(checked)) copy(checked, given_before, given, tables);
  }
  std::erase_if(tables, [](const ReadTable& read) { return read.table.files.empty(); });
  for (const ReadTable& read : tables) {
    if (storage::is_text(read.table.layout)) texts_.push_back(read);
  }
}

// Whether the file is to be read by a copy without some of its lines.
bool LineCheck::take(const Checked& checked) {
  if (checked.error) throw InputError(*checked.error);
  const storage::TextFindings& found = checked.found;
  const bool stop = options_.bad_rows == BadRows::kStop;
  rows_ += found.rows;
  if (found.not_latin.count > 0) refuse_encoding(checked.file, found.not_latin.first);
  if (found.too_long.count > 0 && (stop || options_.line_breaks)) refuse_long(checked.file, found);
  if (options_.line_breaks) {
    if (found.unclosed.count > 0 && broken_ == 0) first_broken_ = {one_line(checked.file), found.unclosed.first, ""};
    broken_ += found.unclosed.count;
    return false;
  }
  if (found.unclosed.count > 0 && stop) refuse_unclosed(checked.file, found.unclosed.first);
  return found.unclosed.count + found.too_long.count > 0;
}

void LineCheck::copy(const Checked& checked, const std::map<std::string, std::string>& given_before,
                     std::map<std::string, std::string>& given, std::vector<ReadTable>& tables) {
  const storage::TextFindings& found = checked.found;
  ReadTable read = tables[checked.table];
  if (read.table.layout.encoding == "utf-16") {
    const std::uint64_t line = found.unclosed.count > 0 ? found.unclosed.first : found.too_long.first;
    throw InputError({one_line(checked.file), line, ""},
                     "takes other rows along and cannot be left out of a file in UTF-16; mend the line, or convert the "
                     "file to UTF-8 (iconv -f UTF-16 -t UTF-8)");
  }
  const std::filesystem::path made =
      made_folder(checked.file, options_.folder, given.size()) / std::filesystem::path(checked.file).filename();
  storage::copy_sound_lines(checked.file, read.table.layout, made.string());
  const auto known = given_before.find(checked.file);
  given[made.string()] = known == given_before.end() ? checked.file : known->second;
  if (found.unclosed.count > 0) not_copied_[storage::kBadQuoting] += found.unclosed.count;
  if (found.too_long.count > 0) not_copied_[storage::kLineTooLong] += found.too_long.count;
  std::erase(tables[checked.table].table.files, checked.file);
  read.table.layout.compression = "none";
  read.table.files = {made.string()};
  tables.push_back(std::move(read));
}

std::map<std::string, std::uint64_t> LineCheck::left_out(std::uint64_t scanned) const {
  std::map<std::string, std::uint64_t> reasons = not_copied_;
  std::uint64_t copied = rows_;
  for (const auto& [reason, count] : not_copied_) copied -= count;
  if (copied <= scanned) return reasons;
  const std::uint64_t missing = copied - scanned;
  std::map<std::string, std::uint64_t> found;
  std::uint64_t explained = 0;
  for (const ReadTable& read : texts_) {
    if (options_.line_breaks) break;  // no line by itself says why
    for (const std::string& file : read.table.files) {
      for (const auto& [reason, count] :
           storage::reasons_of_left_out(file, read.table.layout, columns_read(read.fields))) {
        found[reason] += count;
        explained += count;
      }
    }
  }
  // DuckDB decides what is left out; where the lines do not say why, no reason is made up.
  if (explained != missing) found = {{"bad row", missing}};
  for (const auto& [reason, count] : found) reasons[reason] += count;
  return reasons;
}

}  // namespace hearsay::ingest
