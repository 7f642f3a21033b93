// SPDX-License-Identifier: Apache-2.0
//
// A small fixed job whose instructions scripts/count_instructions counts: `counted attack` runs the paper's grid on 300
// commuters, `counted read` takes 20,000 lines of text into visits.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/commuters.h"
#include "experiment/study.h"
#include "goal/inference.h"
#include "ingest/line_parser.h"
#include "ingest/visit_sink.h"

namespace hearsay {
namespace {

constexpr std::uint32_t kUsers = 300;
constexpr int kLines = 20000;

std::vector<std::string> make_lines() {
  SeededBits bits(1);
  std::vector<std::string> lines;
  lines.reserve(kLines);
  for (int i = 0; i < kLines; ++i) {
    lines.push_back(fmt::format("u{},{:.6f},{:.6f},2010-03-{:02} {:02}:{:02}:00", bits.below(2000), bits.unit(),
                                bits.unit(), 1 + bits.below(28), bits.below(24), bits.below(60)));
  }
  return lines;
}

}  // namespace

// What is counted begins and ends with these calls.
[[gnu::noinline]] double counted_attack(const dataset::Dataset& data, const experiment::Study& study) {
  double sum = 0;
  goal::infer(study.ground(data), [&](const goal::Result& result) { sum += result.with.users.front(); });
  return sum;
}

// The same with the control.
[[gnu::noinline]] double counted_control(const dataset::Dataset& data, const experiment::Study& study) {
  double sum = 0;
  goal::infer(study.ground(data), [&](const goal::Result& result) { sum += result.without.users.front(); });
  return sum;
}

[[gnu::noinline]] std::size_t counted_read(const std::vector<std::string>& lines, ingest::LineParser& parser,
                                           ingest::VisitSink& sink) {
  ingest::Visits visits;
  for (const std::string& line : lines) parser.parse(line, "", sink.collector());
  sink.collector().flush();
  sink.finish(1, visits);
  return visits.visits.size();
}

}  // namespace hearsay

int main(int count, char** arguments) {
  using namespace hearsay;
  const std::string what = count == 2 ? arguments[1] : "";
  if (what == "attack" || what == "control") {
    experiment::Study study = bench::commuter_study();
    study.adversary.control = what == "control";
    const dataset::Dataset data(bench::make_commuters(kUsers), study.calendar(), 0);
    fmt::print("{}\n", study.adversary.control ? counted_control(data, study) : counted_attack(data, study));
  } else if (what == "read") {
    const ingest::Grid grid{0, 1, 0, 1, 20, 20};
    const ingest::Period period{"2010-03-01 00:00:00", 3600, 28 * 24};
    const ingest::Placing placing{ingest::check_period(period), {{0, 0}}, &grid, ingest::check_grid(grid), nullptr};
    const storage::Layout layout{
        storage::FileKind::kDelimited, ',', true, true, {{"uid"}, {"lat"}, {"lng"}, {"datetime"}}, true};
    ingest::LineParser parser(layout, {.columns = {{"uid", 0}, {"lat", 1}, {"lng", 2}, {"datetime", 3}}});
    ingest::VisitSink sink(placing, 0);
    fmt::print("{}\n", counted_read(make_lines(), parser, sink));
  } else {
    fmt::print(stderr, "usage: counted attack|control|read\n");
    return 2;
  }
  return 0;
}
