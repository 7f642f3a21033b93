// SPDX-License-Identifier: Apache-2.0
//
// What a page, or somebody who pretends to be one, sends to the studio: the same bytes as a request's body and as a
// request.
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdlib>

#include "results/parse_json.h"
#include "studio/gate.h"
#include "studio/settings.h"
#include "support.h"

namespace {

constexpr const char* kStudy =
    "[data]\npath = 'events.csv'\ntimezone = 'UTC'\n"
    "[rois]\nkind = 'grid'\nsouth = 0\nnorth = 1\nwest = 0\neast = 1\nrows = 4\ncols = 4\n"
    "[period]\nstart = 2024-01-01\nlength = '14 days'\nobserve = '7 days'\n"
    "[results]\nleast_people = 3\nusers = 5\n";

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hearsay;
  namespace http = boost::beast::http;
  static const experiment::Study base = experiment::parse_study(kStudy, "study.toml", "data", {});
  const std::string text = fuzz::text_of(data, size);
  fuzz::expect_answer([&] {
    const std::optional<results::Json> settings = results::parse_json(text);
    if (!settings) return;
    const experiment::Study study = studio::study_of(base, *settings);
    if (study.data.source.paths != base.data.source.paths || !study.defences.empty()) std::abort();
    if (study.adversary.attacks.empty() || study.adversary.goals.empty()) std::abort();
    const experiment::ResultsSpec& results = study.results;
    if (results.show_users || results.least_people != base.results.least_people ||
        results.user_rows != base.results.user_rows) {
      std::abort();
    }
  });
  static const studio::Gate gate(1);
  http::request_parser<http::string_body> parser;
  boost::system::error_code error;
  parser.put(boost::asio::buffer(text), error);
  // Nobody can guess the token: nothing but the page is to be had.
  if (parser.is_header_done() && !gate.refuse(parser.get().base()) && !studio::Gate::is_page(parser.get().base())) {
    std::abort();
  }
  return 0;
}
