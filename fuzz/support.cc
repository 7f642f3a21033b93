// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <tuple>

#include "base/errors.h"
#include "base/temporary_folder.h"
#include "base/text.h"

namespace hearsay::fuzz {
namespace {

constexpr std::size_t kLongestMessage = 2100;

[[noreturn]] void finding(const std::string& what) {
  std::cerr << "finding: " << one_line(what, kLongestMessage) << '\n';
  std::abort();
}

void check_message(const std::string& message) {
  if (message.size() > kLongestMessage) finding("a message of " + std::to_string(message.size()) + " bytes");
  if (message != one_line(message)) finding("a message with controls: " + message);
}

void require(bool holds, const char* what) {
  if (!holds) finding(what);
}

ingest::Source source_of(const std::string& path, ingest::Format format, ingest::BadRows bad_rows) {
  ingest::Source source;
  source.format = format;
  source.paths = {path};
  source.timezone = "Europe/London";
  source.bad_rows = bad_rows;
  return source;
}

}  // namespace

std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

const std::string& folder() {
  static const TemporaryFolder kFolder("", "hearsay-fuzz-");
  return kFolder.path();
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void expect_answer(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    check_message(error.what());
  } catch (const ConfigError& error) {
    check_message(error.what());
  } catch (const std::exception& error) {
    finding(std::string("an exception that is no answer: ") + error.what());
  }
}

void expect_sound(const ingest::Visits& visits, const ingest::Source& source, const ingest::Period& period) {
  const ingest::Tally& tally = visits.tally;
  require(tally.used + tally.outside_period + tally.outside_rois == tally.events, "events are lost");
  require(tally.used >= visits.visits.size() && visits.visits.size() > 0, "more visits than events");
  std::uint64_t bad = 0;
  for (const auto& [reason, count] : tally.bad_rows) bad += count;
  const std::uint64_t each = source.format == ingest::Format::kTrips ? 2 : 1;
  require(tally.events == each * (tally.rows - bad), "rows are lost");
  require(bad == 0 || source.bad_rows == ingest::BadRows::kSkip, "bad rows are let through");
  const std::vector<ingest::Visit> list = visits.visits.all();
  const ingest::Visit* last = nullptr;
  for (const ingest::Visit& visit : list) {
    require(visit.epoch < period.epochs && visit.user < visits.users.size() && visit.roi < visits.rois.size(),
            "a visit is out of range");
    require(
        last == nullptr || std::tie(last->epoch, last->user, last->roi) < std::tie(visit.epoch, visit.user, visit.roi),
        "visits are not in order");
    last = &visit;
  }
  for (std::size_t i = 1; i < visits.users.size(); ++i) {
    require(visits.users[i - 1] < visits.users[i], "users are not in order");
  }
  for (const std::string& user : visits.users) require(!user.empty() && user.size() <= 1000, "a user's id is no id");
}

void read_events(const std::string& bytes, const std::string& name, ingest::Format format) {
  const bool cabs = format == ingest::Format::kCabs;
  const std::string path = folder() + "/" + name;
  write_file(path, bytes);
  const ingest::Period period{"2010-03-01 00:00:00", 3600, 48};
  ingest::Options options;
  options.temp_directory = folder();
  options.memory_bytes = std::uint64_t{256} << 20;
  options.check_size = [](std::uint64_t) {};  // so that rows are estimated, too
  const auto read = [&](const ingest::RoiRule& rois, ingest::BadRows bad_rows) {
    const ingest::Source source = source_of(cabs ? folder() : path, format, bad_rows);
    expect_answer([&] { expect_sound(ingest::read_visits(source, rois, period, options), source, period); });
  };
  // Which of the ways is taken is up to the input, so that one run stays one read.
  const bool by_grid = cabs || (format == ingest::Format::kEvents && bytes.size() % 2 == 0);
  const ingest::BadRows bad_rows = bytes.size() % 3 == 0 ? ingest::BadRows::kStop : ingest::BadRows::kSkip;
  if (by_grid) {
    read(ingest::Grid{0, 2, 0, 2, 2, 2}, bad_rows);
  } else {
    read(ingest::RoiIds{}, bad_rows);
  }
}

}  // namespace hearsay::fuzz
