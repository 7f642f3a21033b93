// SPDX-License-Identifier: Apache-2.0
#include "advice/advice.h"
#include "report/document.h"
#include "report/page.h"
#include "results/result_folder.h"

namespace hearsay::advice {

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
  folder.write_text(kAdviceName, document["advice"].dump(2) + "\n");
  folder.write_text(report::kDocumentName, document.dump() + "\n");
  folder.write_text(report::kPageName, report::page_html(document));
  results::Json manifest = {{"hearsay", version()},
                            {"schema", results::kManifestSchema},
                            {"study", study.as_run},
                            {"files", results::Json::array()}};
  for (const char* name : {kAdviceName, report::kDocumentName, report::kPageName}) {
    manifest["files"].push_back({{"name", name}, {"bytes", folder.describe(name, 0).bytes}});
  }
  folder.write_text(results::kManifestName, manifest.dump(2) + "\n");
  folder.put_in_place();
}

}  // namespace hearsay::advice
