// SPDX-License-Identifier: Apache-2.0
#include "storage/text_check.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "base/errors.h"
#include "base/text.h"
#include "storage/database.h"
#include "storage/plain_bytes.h"
#include "storage/sql_text.h"

namespace hearsay::storage {
namespace {

constexpr std::size_t kKept = kLongestLine + 1;  // bytes of a line that are looked at
constexpr std::uint64_t kLinesAtOnce = 1U << 14;

// The lines of a file, one by one, without the characters that end them.
class Lines {
 public:
  Lines(const std::string& file, const Layout& layout) : bytes_(file), wide_(layout.encoding == "utf-16") {}

  // Returns false at the end. Only the beginning of a line that is too long is kept.
  bool next() {
    joined_.clear();
    size_ = 0;
    for (bool any = false;; any = true) {
      if (rest_.empty() && !refill()) {
        if (!any) return false;
        line_ = joined_;
        break;
      }
      const auto* stop = static_cast<const char*>(std::memchr(rest_.data(), end_, rest_.size()));
      const std::string_view part =
          rest_.substr(0, stop == nullptr ? rest_.size() : static_cast<std::size_t>(stop - rest_.data()));
      size_ += part.size();
      if (stop != nullptr && joined_.empty()) {
        line_ = part.substr(0, kKept);
      } else {
        joined_.append(part.substr(0, kKept - std::min(kKept, joined_.size())));
        line_ = joined_;
      }
      rest_.remove_prefix(std::min(rest_.size(), part.size() + 1));
      if (stop != nullptr) break;
    }
    if (end_ == '\n' && size_ == line_.size() && line_.ends_with('\r')) {
      line_.remove_suffix(1);
      --size_;
    }
    ++number_;
    return true;
  }

  std::string_view text() const { return line_; }
  std::size_t size() const { return size_; }
  std::uint64_t number() const { return number_; }
  bool too_long() const { return size_ > kLongestLine; }

 private:
  bool refill() {
    rest_ = bytes_.next();
    if (wide_) rest_ = narrowed(rest_);
    if (!begun_) {
      constexpr std::string_view kMark = "\xEF\xBB\xBF";
      if (rest_.starts_with(kMark)) rest_.remove_prefix(kMark.size());
      // Lines end as the first one does; very old files have carriage returns alone.
      const std::size_t at = rest_.find_first_of("\r\n");
      const bool old = at != std::string_view::npos && rest_[at] == '\r' && at + 1 < rest_.size();
      end_ = old && rest_[at + 1] != '\n' ? '\r' : '\n';
      begun_ = true;
    }
    return !rest_.empty();
  }

  // Only the ASCII characters of UTF-16 matter here.
  std::string_view narrowed(std::string_view wide) {
    const std::string units = odd_ + std::string(wide);
    const std::size_t even = units.size() - units.size() % 2;
    odd_ = units.substr(even);
    narrow_.clear();
    for (std::size_t i = 0; i < even; i += 2) {
      const bool ascii = units[i + 1] == '\0' && static_cast<unsigned char>(units[i]) < 0x80;
      narrow_ += ascii ? units[i] : '?';
    }
    return narrow_;
  }

  PlainBytes bytes_;
  bool wide_;
  bool begun_ = false;
  char end_ = '\n';
  std::string odd_;  // half of a character of UTF-16
  std::string narrow_;
  std::string_view rest_;
  std::string joined_;  // a line that is in several blocks
  std::string_view line_;
  std::size_t size_ = 0;
  std::uint64_t number_ = 0;
};

// The values of a line, as DuckDB takes them apart. A double quote at the beginning of a value opens it, and the next
// double quote that no other one follows closes it.
class Values {
 public:
  // `open`: the line begins inside a value in double quotes.
  Values(std::string_view line, const Layout& layout, bool open = false)
      : line_(line), delimiter_(layout.delimiter), quotes_(layout.quotes), open_(open) {}

  // Returns false at the end of the line.
  bool next() {
    if (done_) return false;
    if (!open_) skip_blanks();
    begin_ = at_;
    if (!open_ && quotes_ && at_ < line_.size() && line_[at_] == '"') {
      open_ = true;
      ++at_;
    }
    if (open_ && !skip_quoted()) {
      at_ = line_.size();
    } else if (!open_) {
      at_ = std::min(line_.find(delimiter_, at_), line_.size());
    }
    end_ = at_;
    done_ = at_ == line_.size();
    ++at_;
    return true;
  }

  std::string_view text() const { return line_.substr(begin_, end_ - begin_); }
  // Says at the end of the line whether a value in double quotes has not ended, or has text after it. DuckDB takes both
  // for the same.
  bool open() const { return open_; }

 private:
  void skip_blanks() {
    while (delimiter_ != ' ' && at_ < line_.size() && line_[at_] == ' ') ++at_;
  }

  // Goes to the delimiter after the value. Returns false, and the value stays open, where it does not end as it should.
  bool skip_quoted() {
    while (true) {
      at_ = line_.find('"', at_);
      if (at_ == std::string_view::npos) return false;
      if (at_ + 1 == line_.size() || line_[at_ + 1] != '"') break;
      at_ += 2;
    }
    ++at_;
    skip_blanks();
    if (at_ < line_.size() && line_[at_] != delimiter_) return false;
    open_ = false;
    return true;
  }

  std::string_view line_;
  char delimiter_;
  bool quotes_;
  bool open_;
  bool done_ = false;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

bool leaves_open(std::string_view line, const Layout& layout, bool open) {
  if (!layout.quotes || (!open && line.find('"') == std::string_view::npos)) return false;
  Values values(line, layout, open);
  while (values.next()) {
  }
  return values.open();
}

// DuckDB takes no Latin-1 with control characters in it, which no text has; other encodings have letters there.
bool is_latin(std::string_view line) {
  return std::none_of(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xE0) == 0x80; });
}

bool is_row(std::string_view line, const Layout& layout) {
  return layout.kind == FileKind::kJsonLines ? line.find_first_not_of(' ') != std::string_view::npos : !line.empty();
}

// Calls `take` for each line before the rows. A name in the header may have line breaks.
template <typename Take>
void skip_head(Lines& lines, const Layout& layout, const Take& take) {
  for (std::uint32_t i = 0; i < layout.skip && lines.next(); ++i) take();
  bool open = false;
  while (layout.header && lines.next()) {
    take();
    open = leaves_open(lines.text(), layout, open);
    if (!open) return;
  }
}

const char* reason_of(std::string_view line, const Layout& layout, const std::vector<bool>& wanted) {
  const auto unreadable = [&](std::string_view text) { return layout.encoding.empty() && !is_utf8(text); };
  if (layout.kind == FileKind::kJsonLines) return unreadable(line) ? "not UTF-8" : nullptr;
  Values values(line, layout);
  std::size_t count = 0;
  for (; values.next(); ++count) {
    if (count < wanted.size() && wanted[count] && unreadable(values.text())) return "not UTF-8";
    // Empty values after the last column are not missed.
    if (count >= wanted.size() && !values.text().empty()) return "too many columns";
  }
  return count < wanted.size() ? "too few columns" : nullptr;
}

}  // namespace

TextFindings check_text(const std::string& file, const Layout& layout, bool line_breaks, const std::stop_token& stop) {
  Lines lines(file, layout);
  TextFindings found;
  skip_head(lines, layout, [] {});
  bool open = false;
  std::uint64_t first = 0;  // of the row
  std::size_t size = 0;
  while (lines.next()) {
    if (lines.number() % kLinesAtOnce == 0 && stop.stop_requested()) throw Cancelled();
    if (!open) {
      if (!is_row(lines.text(), layout)) continue;
      ++found.rows;
      first = lines.number();
      size = 0;
    }
    const bool was_long = size > kLongestLine;
    size += lines.size();
    if (size > kLongestLine && !was_long) found.too_long.add(first);
    if (layout.encoding == "latin-1" && !is_latin(lines.text())) found.not_latin.add(lines.number());
    if (lines.too_long()) continue;
    const bool was_open = open;
    open = leaves_open(lines.text(), layout, open);
    if (open && !was_open) found.unclosed.add(first);
    open = open && line_breaks;
  }
  return found;
}

void copy_sound_lines(const std::string& file, const Layout& layout, const std::string& to) {
  Lines lines(file, layout);
  std::ofstream out(to, std::ios::binary);
  const auto copy = [&] { out << lines.text() << '\n'; };
  skip_head(lines, layout, copy);
  while (lines.next()) {
    if (!lines.too_long() && !leaves_open(lines.text(), layout, false)) copy();
  }
  if (!out.flush()) throw ResourceError("no room for temporary files: " + to);
}

std::map<std::string, std::uint64_t> reasons_of_left_out(const std::string& file, const Layout& layout,
                                                         const std::vector<std::size_t>& wanted) {
  std::vector<bool> is_wanted(layout.columns.size());
  for (const std::size_t column : wanted) is_wanted[column] = true;
  std::map<std::string, std::uint64_t> reasons;
  Lines lines(file, layout);
  skip_head(lines, layout, [] {});
  while (lines.next()) {
    if (!is_row(lines.text(), layout)) continue;
    if (lines.too_long()) {
      ++reasons[kLineTooLong];
    } else if (leaves_open(lines.text(), layout, false)) {
      ++reasons[kBadQuoting];
    } else if (const char* reason = reason_of(lines.text(), layout, is_wanted)) {
      ++reasons[reason];
    }
  }
  return reasons;
}

}  // namespace hearsay::storage
