// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "base/errors.h"
#include "base/regular_file.h"
#include "base/temporary_folder.h"
#include "report/document.h"
#include "results/parse_json.h"
#include "results/result_folder.h"
#include "results/schema.h"

// The page built from web/, as it is.
asm(".section .rodata\n"
    ".global hearsay_page_begin\n"
    "hearsay_page_begin:\n"
    ".incbin \"" HEARSAY_PAGE_FILE
    "\"\n"
    ".global hearsay_page_end\n"
    "hearsay_page_end:\n"
    ".byte 0\n"
    ".previous\n");

namespace hearsay::report {

extern const char kPageBegin[] asm("hearsay_page_begin");
extern const char kPageEnd[] asm("hearsay_page_end");

namespace {

constexpr std::string_view kDataElement = "<script id=\"hearsay-data\" type=\"application/json\">null</script>";
constexpr std::string_view kEmpty = "null";
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

// JSON that means the same and holds no character a page could take for markup.
std::string safe(const results::Json& document) {
  const std::string text = document.dump(-1, ' ', true, results::Json::error_handler_t::replace);  // ASCII only
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string page_html(const results::Json& document) {
  std::string page(kPageBegin, kPageEnd);
  const std::size_t element = page.find(kDataElement);
  if (element == std::string::npos) throw std::logic_error("the built page has no place for its document");
  page.replace(element + kDataElement.find(kEmpty), kEmpty.size(), safe(document));
  return page;
}

std::string write_page(const std::string& folder) {
  const std::string source = (std::filesystem::path(folder) / kDocumentName).string();
  const std::optional<std::string> text = read_regular_file(source, kMostBytes);
  if (!text) {
    throw InputError({source, 0, ""}, "no such file; name a folder of results, into which `hearsay study` writes it");
  }
  const results::Json document = results::parse_json(*text).value_or(results::Json());
  results::check_schema({"a report document", kDocumentSchema, kDocumentSchema, "run the study again"}, document,
                        source);
  std::string target = (std::filesystem::path(folder) / kPageName).string();
  // Beside the folder: what a crash leaves in it would be taken for somebody's file.
  const TemporaryFolder staging(std::filesystem::absolute(folder).lexically_normal().parent_path().string(),
                                ".hearsay-report-");
  const std::string partial = (std::filesystem::path(staging.path()) / kPageName).string();
  results::write_text_file(partial, page_html(document));
  results::sync_path(partial);
  std::filesystem::rename(partial, target);
  return target;
}

}  // namespace hearsay::report
