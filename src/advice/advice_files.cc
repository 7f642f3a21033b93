// SPDX-License-Identifier: Apache-2.0
#include "advice/advice.h"
#include "report/document.h"
#include "report/page.h"
#include "results/result_folder.h"

namespace hearsay::advice {
namespace {

// Text from outside, such as the path of a study, need not be UTF-8.
std::string text_of(const results::Json& json, int indent) {
  return json.dump(indent, ' ', false, results::Json::error_handler_t::replace) + "\n";
}

}  // namespace

results::Json advice_document(const Advice& advice, const experiment::Study& study) {
  return {{"schema", report::kDocumentSchema},
          {"hearsay", version()},
          {"title", study.data.name},
          {"advice", advice_json(advice)}};
}

void write_advice(const Advice& advice, const experiment::Study& study, const std::string& out) {
  results::tidy_result_place(results::checked_result_path(out));
  results::ResultFolder folder(out);
  const results::Json document = advice_document(advice, study);
  folder.write_text(kAdviceName, text_of(document["advice"], 2));
  folder.write_text(report::kDocumentName, text_of(document, -1));
  folder.write_text(report::kPageName, report::page_html(document));
  results::Json manifest = {{"hearsay", version()},
                            {"schema", results::kManifestSchema},
                            {"study", study.as_run},
                            {"files", results::Json::array()}};
  for (const char* name : {kAdviceName, report::kDocumentName, report::kPageName}) {
    manifest["files"].push_back({{"name", name}, {"bytes", folder.describe(name, 0).bytes}});
  }
  folder.write_text(results::kManifestName, text_of(manifest, 2));
  folder.put_in_place();
}

}  // namespace hearsay::advice
