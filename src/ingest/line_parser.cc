// SPDX-License-Identifier: Apache-2.0
#include "ingest/line_parser.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>

namespace hearsay::ingest {
namespace {

constexpr std::size_t kCivilSize = 19;

// The number in so many digits; false where one is not a digit.
bool digits(std::string_view text, std::size_t at, std::size_t count, int& number) {
  number = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    const auto digit = static_cast<unsigned>(text[i]) - '0';
    if (digit > 9) return false;
    number = number * 10 + static_cast<int>(digit);
  }
  return true;
}

bool parse_civil_text(std::string_view text, std::int64_t& us) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T') || text[13] != ':' || text[16] != ':') {
    return false;
  }
  if (!digits(text, 0, 4, year) || !digits(text, 5, 2, month) || !digits(text, 8, 2, day) ||
      !digits(text, 11, 2, hour) || !digits(text, 14, 2, minute) || !digits(text, 17, 2, second)) {
    return false;
  }
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return false;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  us = (((days * 24 + hour) * 60 + minute) * 60 + second) * kSecond;
  return true;
}

// Decimals of a second at the front of `rest`, up to microseconds; takes them off.
bool take_decimals(std::string_view& rest, std::int64_t& us) {
  if (rest.empty() || rest[0] != '.') return true;
  std::size_t count = 0;
  std::int64_t unit = kSecond;
  for (rest.remove_prefix(1); count < rest.size() && rest[count] >= '0' && rest[count] <= '9'; ++count) {
    unit /= 10;
    us += unit * (rest[count] - '0');
  }
  rest.remove_prefix(count);
  return count >= 1 && count <= 6;
}

bool parse_iso(std::string_view text, std::int64_t& us, bool& civil) {
  if (text.size() < kCivilSize || !parse_civil_text(text, us)) return false;
  std::string_view rest = text.substr(kCivilSize);
  if (!take_decimals(rest, us)) return false;
  civil = rest.empty();
  if (civil || rest == "Z") return true;
  int hours = 0, minutes = 0;
  const bool form = (rest.size() == 3 || (rest.size() == 6 && rest[3] == ':')) && (rest[0] == '+' || rest[0] == '-');
  if (!form || !digits(rest, 1, 2, hours) || (rest.size() == 6 && !digits(rest, 4, 2, minutes))) return false;
  if (hours > 15 || minutes > 59) return false;
  us -= (rest[0] == '-' ? -1 : 1) * (hours * 60 + minutes) * 60 * kSecond;
  return true;
}

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= kLongestId;
}

// Up to 15 digits with a point among them: both the digits and the power of ten are exact, so one division rounds as
// from_chars does, which is several times slower.
bool parse_short_number(std::string_view text, double& number) {
  static constexpr std::array<double, 16> kPowers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > 16) return false;
  std::int64_t value = 0;
  std::size_t point = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = static_cast<unsigned>(text[i]) - '0';
    if (digit <= 9) {
      value = value * 10 + digit;
    } else if (text[i] == '.' && point == text.size() && i > 0 && i + 1 < text.size()) {
      point = i;
    } else {
      return false;
    }
  }
  const std::size_t decimals = point == text.size() ? 0 : text.size() - point - 1;
  if (decimals == 0 && text.size() > 15) return false;
  const double magnitude = static_cast<double>(value) / kPowers[decimals];
  number = negative ? -magnitude : magnitude;
  return true;
}

bool parse_number(std::string_view text, double& number) {
  if (parse_short_number(text, number)) return true;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// The number as microseconds; false where the format has no numbers.
bool parse_unix(double number, TimeFormat format, double& us) {
  if (format == TimeFormat::kAuto) {
    const double size = std::fabs(number);
    if (size >= kDigitsFrom && size < kMicrosecondsFrom) return false;
    format = size < kMillisecondsFrom   ? TimeFormat::kUnixSeconds
             : size < kMicrosecondsFrom ? TimeFormat::kUnixMilliseconds
             : size < kNanosecondsFrom  ? TimeFormat::kUnixMicroseconds
                                        : TimeFormat::kUnixNanoseconds;
  }
  switch (format) {
    case TimeFormat::kUnixSeconds:
      us = number * 1e6;
      return true;
    case TimeFormat::kUnixMilliseconds:
      us = number * 1e3;
      return true;
    case TimeFormat::kUnixMicroseconds:
      us = number;
      return true;
    case TimeFormat::kUnixNanoseconds:
      us = number / 1e3;
      return true;
    default:
      return false;
  }
}

}  // namespace

bool parse_time(std::string_view text, TimeFormat format, std::int64_t& us, bool& civil) {
  const bool usual = format == TimeFormat::kAuto || format == TimeFormat::kIso;
  if (text.size() > 4 && text[4] == '-') {
    if (!usual || !parse_iso(text, us, civil)) return false;
  } else {
    double number = 0;
    // A hyphen, also that of an exponent, makes it a date for the careful way.
    if (format == TimeFormat::kAuto && text.find('-', 1) != std::string_view::npos) return false;
    if (!parse_number(text, number) || !parse_unix(number, format, number)) return false;
    const double rounded = std::round(number);
    if (!(std::fabs(rounded) < 1e18)) return false;
    us = static_cast<std::int64_t>(rounded);
    civil = false;
  }
  return us >= kYearOne && us < kYearTenThousand;
}

LineParser::LineParser(const storage::Layout& layout, const Fields& fields)
    : delimiter_(layout.delimiter), quotes_(layout.quotes), fields_(fields), values_(layout.columns.size()) {
  const bool trips = fields.format == Format::kTrips;
  uid_ = column("uid");
  lat_ = column("lat");
  lng_ = column("lng");
  time_ = column(trips ? "start_time" : "datetime");
  roi_ = column(trips ? "start_roi" : "roi");
  end_time_ = column("end_time");
  end_roi_ = column("end_roi");
}

std::size_t LineParser::column(const char* name) const {
  const auto found = fields_.columns.find(name);
  return found == fields_.columns.end() ? kNoColumn : found->second;
}

bool LineParser::split(std::string_view line) {
  const char* at = line.data();
  const char* const end = at + line.size();
  const bool quoted = quotes_ && std::memchr(at, '"', line.size()) != nullptr;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const bool last = i + 1 == values_.size();
    const char* begin = at;
    const char* stop = nullptr;
    if (quoted && at < end && *at == '"') {
      ++begin;
      stop = static_cast<const char*>(std::memchr(begin, '"', static_cast<std::size_t>(end - begin)));
      if (stop == nullptr || (last ? stop + 1 != end : stop + 1 == end || stop[1] != delimiter_)) return false;
      at = stop + 2;
    } else {
      stop = static_cast<const char*>(std::memchr(at, delimiter_, static_cast<std::size_t>(end - at)));
      if ((stop == nullptr) != last) return false;
      if (last) stop = end;
      at = stop + 1;
    }
    values_[i] = {begin, static_cast<std::size_t>(stop - begin)};
    if (quoted && values_[i].find('"') != std::string_view::npos) return false;
  }
  return true;
}

bool LineParser::read_time(std::size_t column, Event& event) const {
  if (!parse_time(values_[column], fields_.time_format, event.us, event.civil)) return false;
  event.civil = event.civil && !fields_.utc;
  return true;
}

bool LineParser::read_degrees(std::string_view text, double limit, double& value) {
  return parse_number(text, value) && value >= -limit && value <= limit;
}

bool LineParser::read_place(std::size_t column, Event& event) const {
  if (fields_.by_grid) return read_degrees(values_[lat_], 90, event.lat) && read_degrees(values_[lng_], 180, event.lng);
  event.place = values_[column];
  return is_id(event.place);
}

bool LineParser::parse(std::string_view line, std::string_view uid, Collector& collector) {
  // Where some lines end in a carriage return and some do not, DuckDB leaves it on.
  if (line.empty() || line.back() == '\r' || !split(line)) return false;
  Event event;
  event.uid = uid_ == kNoColumn ? uid : values_[uid_];
  if (!is_id(event.uid) || !read_time(time_, event) || !read_place(roi_, event)) return false;
  if (fields_.pairs) {
    event.end_place = values_[end_roi_];
    if (!is_id(event.end_place)) return false;
  } else if (fields_.format == Format::kTrips) {
    Event end = event;
    if (!read_time(end_time_, end) || !read_place(end_roi_, end)) return false;
    if (event.civil == end.civil && end.us < event.us) return false;
    collector.add(event);
    collector.add(end);
    return true;
  }
  collector.add(event);
  return true;
}

}  // namespace hearsay::ingest
