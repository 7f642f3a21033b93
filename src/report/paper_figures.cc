// SPDX-License-Identifier: Apache-2.0
#include "report/paper_figures.h"

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"
#include "storage/database.h"

namespace hearsay::report {

// Generated from the files in data/.
extern const char* const kPaperFiguresCsv;
extern const char* const kPaperStatisticsCsv;
extern const char* const kKnockKnockCsv;

namespace {

// Calls take(result, row) for every row of a CSV text.
template <typename Take>
void read_csv(const char* csv, const std::string& columns, const Take& take) {
  const TemporaryFolder folder("", "hearsay-");
  const std::string path = (std::filesystem::path(folder.path()) / "figures.csv").string();
  std::ofstream(path) << csv;
  storage::Database database({1, 0, folder.path()});
  storage::QueryRows rows = database.execute(
      "SELECT " + columns + " FROM read_csv($1, header = true, all_varchar = true, comment = '#')", {path});
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.rows(); ++row) take(rows, row);
  }
}

std::optional<double> number(const storage::QueryRows& rows, std::size_t column, std::size_t row) {
  return rows.is_null(column, row) ? std::nullopt : std::optional(rows.number(column, row));
}

}  // namespace

std::vector<Figure> paper_figures() {
  std::vector<Figure> figures;
  read_csv(kPaperFiguresCsv,
           "dataset, goal, prior, attack, decision, release, parameter, baseline, metric, CAST(value AS DOUBLE)",
           [&](const storage::QueryRows& rows, std::size_t row) {
             const auto text = [&](std::size_t column) { return std::string(rows.text(column, row)); };
             figures.push_back({text(0), text(1), text(2), text(3), text(4), text(5), text(6), text(7), text(8),
                                rows.number(9, row)});
           });
  return figures;
}

std::vector<PaperStatistic> paper_statistics() {
  std::vector<PaperStatistic> statistics;
  read_csv(kPaperStatisticsCsv,
           "dataset, statistic, CAST(paper_mean AS DOUBLE), CAST(paper_deviation AS DOUBLE), CAST(expected_mean AS "
           "DOUBLE), CAST(expected_deviation AS DOUBLE)",
           [&](const storage::QueryRows& rows, std::size_t row) {
             statistics.push_back({std::string(rows.text(0, row)), std::string(rows.text(1, row)), rows.number(2, row),
                                   number(rows, 3, row), number(rows, 4, row), number(rows, 5, row)});
           });
  return statistics;
}

std::vector<KnockKnockFigure> knock_knock_figures() {
  std::vector<KnockKnockFigure> figures;
  read_csv(kKnockKnockCsv, "prior, classifier, metric, CAST(\"group\" AS DOUBLE), CAST(value AS DOUBLE)",
           [&](const storage::QueryRows& rows, std::size_t row) {
             figures.push_back({std::string(rows.text(0, row)), static_cast<std::uint64_t>(rows.number(3, row)),
                                std::string(rows.text(1, row)), std::string(rows.text(2, row)), rows.number(4, row)});
           });
  return figures;
}

}  // namespace hearsay::report
