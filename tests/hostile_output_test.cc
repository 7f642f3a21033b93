// SPDX-License-Identifier: Apache-2.0
//
// What comes out of names that are code somewhere else: in a spreadsheet, on a page, in a terminal.
#include <nlohmann/json.hpp>

#include "hostile_fixture.h"

namespace hearsay {
namespace {

using testing::HasSubstr;
using testing::Not;

// What is in the cells of a CSV file, by a plain reading of RFC 4180.
std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& cell = rows.back().back();
    if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      cell += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      rows.back().emplace_back();
    } else if (!quoted && text[i] == '\n') {
      rows.push_back({""});
    } else {
      cell += text[i];
    }
  }
  return rows;
}

struct Name {
  const char* what;
  std::string id;
  std::string in_csv;
};

std::vector<Name> nasty_names() {
  return {{"quotes", "a\"b'c", "a\"b'c"},
          {"line break", "a\nb", "a\nb"},
          {"carriage return", "a\r\nb", "a\r\nb"},
          {"comma", "a,b;c", "a,b;c"},
          {"zero byte", std::string("a\0b", 3),
           "a\xEF\xBF\xBD"
           "b"},
          {"direction",
           "\xE2\x80\xAE"
           "evil",
           "\xE2\x80\xAE"
           "evil"},
          {"formula", "=cmd()", "'=cmd()"},
          {"another formula", "@SUM(1)", "'@SUM(1)"},
          {"markup", "</script><script>alert(1)</script>", "</script><script>alert(1)</script>"},
          {"comment", "<!--<script>", "<!--<script>"}};
}

TEST_F(HostileTest, NastyNamesComeOutSafely) {
  for (const Name& name : nasty_names()) {
    SCOPED_TRACE(name.what);
    fs::remove_all(folder_ / "out");
    nlohmann::json line;
    std::string events;
    for (int hour = 0; hour < 48; ++hour) {
      line["uid"] = hour % 2 == 0 ? name.id : "bob";
      line["roi"] = hour % 3 == 0 ? name.id : "r2";
      line["datetime"] = fmt::format("2010-03-{:02} {:02}:10:00", 1 + hour / 24, hour % 24);
      events += line.dump() + "\n";
    }
    write("events.jsonl", events);
    const Ended ended = study({"data.path=events.jsonl", "results.show_users=true", "results.least_people=1"});
    ASSERT_EQ(ended.code, 0) << ended.err;

    const auto rows = csv_rows(read_file(folder_ / "out/rois.csv"));
    std::size_t seen = 0;
    for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
      ASSERT_EQ(rows[i].size(), rows[0].size()) << i;
      seen += rows[i][4] == name.in_csv ? 1 : 0;
    }
    EXPECT_GT(seen, 0U);

    const auto document = nlohmann::json::parse(read_file(folder_ / "out/report.json"));
    std::size_t places = 0;
    for (const auto& place : document["rois"]["places"]) places += place["id"] == name.id ? 1 : 0;
    EXPECT_EQ(places, 1U);

    const std::string page = read_file(folder_ / "out/report.html");
    const std::string opening = "<script id=\"hearsay-data\" type=\"application/json\">";
    const std::size_t begin = page.find(opening) + opening.size();
    const std::string inside = page.substr(begin, page.find("</script>", begin) - begin);
    EXPECT_EQ(nlohmann::json::parse(inside), document);
    EXPECT_TRUE(std::all_of(inside.begin(), inside.end(), [](unsigned char c) { return c >= 0x20 && c < 0x7F; }));
  }
}

// A ledger that another process changed may say anything. What is printed of it is one line each, without controls.
TEST_F(HostileTest, NamesInALedgerAreCleaned) {
  write("ledger.json", R"({"schema": 2, "accounts": {"ri\u001b[2Jders\n": {"budget": 2, "data": ["0f"], "releases": [
    {"file": "a\u001b[31m.csv", "mechanism": "S\u0007CM", "parameter": "x\ny", "epsilon": 1, "unit": "u\u202eser"}]}}})");
  const Ended ended = run_program(folder_, {"ledger", "--ledger", "."});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("account ri [2Jders  has spent 1 of 2 for u<U+202E>ser\n"));
  EXPECT_TRUE(std::all_of(ended.out.begin(), ended.out.end(), [](char c) { return c == '\n' || c >= ' '; }));
}

TEST_F(HostileTest, FormulasInPublishedCountsAreText) {
  write_events("ann", "=cmd()");
  write("places.csv", "roi\n=cmd()\nr2\n");
  const Ended ended =
      run_program(folder_, release_of({"--set", "rois.list=places.csv", "--yes", "--out", "counts.csv"}));
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string counts = read_file(folder_ / "counts.csv");
  EXPECT_THAT(counts, HasSubstr("\n'=cmd(),"));
  EXPECT_THAT(counts, Not(HasSubstr("\n=")));
}

}  // namespace
}  // namespace hearsay
