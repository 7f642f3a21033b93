// SPDX-License-Identifier: Apache-2.0
#include "about/about.h"

#include <fmt/format.h>

#include <boost/version.hpp>

#include "base/version.h"
#include "experiment/study.h"
#include "publication/ledger.h"
#include "report/document.h"
#include "results/manifest.h"
#include "storage/library_versions.h"

namespace hearsay::about {

// Of generated/built_from.cc; empty where it is not known.
extern const char* const kCommit;
extern const char* const kDate;

std::vector<std::pair<std::string, std::string>> facts() {
  std::vector<std::pair<std::string, std::string>> list = {
      {"hearsay", version()},
      {"commit", kCommit},
      {"date", kDate},
      {"compiler", HEARSAY_COMPILER},
      {"build", HEARSAY_BUILD},
      {"system", HEARSAY_SYSTEM},
      {"DuckDB", storage::duckdb_version()},
      {"OpenSSL", storage::openssl_version()},
      {"Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"study schema", std::to_string(experiment::kStudySchema)},
      {"results schema", std::to_string(results::kManifestSchema)},
      {"report schema", std::to_string(report::kDocumentSchema)},
      {"ledger schema", std::to_string(publication::kLedgerSchema)},
  };
  std::erase_if(list, [](const auto& fact) { return fact.second.empty(); });
  return list;
}

std::string facts_text() {
  std::string text;
  for (const auto& [name, value] : facts()) {
    text += text.empty() ? fmt::format("{} {}", name, value) : fmt::format("\n{:<15} {}", name, value);
  }
  return text;
}

}  // namespace hearsay::about
