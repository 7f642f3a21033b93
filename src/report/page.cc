// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "base/errors.h"
#include "report/document.h"
#include "report/result_folder.h"

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

constexpr std::string_view kPlaceholder = "<script id=\"hearsay-data\" type=\"application/json\">null</script>";
constexpr std::string_view kEmpty = "null";

// JSON that means the same and holds no character a page could take for markup.
std::string safe(const Json& document) {
  const std::string text = document.dump(-1, ' ', true, Json::error_handler_t::replace);  // ASCII only
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

std::string page_html(const Json& document) {
  std::string page(kPageBegin, kPageEnd);
  const std::size_t element = page.find(kPlaceholder);
  if (element == std::string::npos) throw std::logic_error("the built page has no place for its document");
  page.replace(element + kPlaceholder.find(kEmpty), kEmpty.size(), safe(document));
  return page;
}

std::string write_page(const std::string& folder) {
  const std::string source = (std::filesystem::path(folder) / kDocumentName).string();
  std::ifstream in(source, std::ios::binary);
  if (!in) throw InputError({source, 0, ""}, "no such file; `hearsay study` writes it into its results");
  const Json document = Json::parse(in, nullptr, false);
  if (!document.is_object() || document.value("schema", 0) != kDocumentSchema) {
    throw InputError({source, 0, ""}, "not a report document of this version; run the study again");
  }
  std::string target = (std::filesystem::path(folder) / kPageName).string();
  const std::string partial = target + ".partial";
  try {
    write_text_file(partial, page_html(document));
    std::filesystem::rename(partial, target);
  } catch (...) {
    std::filesystem::remove(partial);
    throw;
  }
  return target;
}

}  // namespace hearsay::report
