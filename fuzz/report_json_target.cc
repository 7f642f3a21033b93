// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "report/page.h"
#include "support.h"

namespace {

// The document in a page, which no text in it may have ended early.
void expect_same_document(const std::string& page, const hearsay::results::Json& document) {
  constexpr std::string_view kBegin = "<script id=\"hearsay-data\" type=\"application/json\">";
  const std::size_t begin = page.find(kBegin) + kBegin.size();
  const std::string inside = page.substr(begin, page.find("</script>", begin) - begin);
  const auto read = hearsay::results::Json::parse(inside, nullptr, false);
  if (read.is_discarded() || read.size() != document.size()) std::abort();
  if (inside.find_first_of("<>&") != std::string::npos) std::abort();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hearsay;
  const std::string folder = fuzz::folder() + "/results";
  std::filesystem::create_directories(folder);
  fuzz::write_file(folder + "/report.json", fuzz::text_of(data, size));
  fuzz::expect_answer([&] {
    std::ostringstream page;
    page << std::ifstream(report::write_page(folder), std::ios::binary).rdbuf();
    expect_same_document(page.str(), results::Json::parse(fuzz::text_of(data, size), nullptr, false));
  });
  return 0;
}
