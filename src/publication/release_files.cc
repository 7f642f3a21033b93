// SPDX-License-Identifier: Apache-2.0
#include "publication/release_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/errors.h"
#include "base/output_name.h"
#include "base/temporary_folder.h"
#include "publication/ledger.h"
#include "publication/publishing_step.h"
#include "results/result_folder.h"
#include "storage/file_digest.h"

namespace hearsay::publication {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_existing(const fs::path& path) {
  throw ConfigError("--out", path.string(), "exists already, and a release is never replaced; choose another name");
}

[[noreturn]] void refuse_out_folder(const fs::path& folder, int problem) {
  throw ConfigError("--out", folder.string(),
                    fmt::format("the folder cannot be written to: {}; name a file in another folder",
                                std::generic_category().message(problem)));
}

void check_writable(const fs::path& folder) {
  if (!fs::is_directory(folder)) refuse_out_folder(folder, ENOTDIR);
  if (access(folder.c_str(), W_OK | X_OK) != 0) refuse_out_folder(folder, errno);
}

template <typename T>
std::string bytes_hash(const T& values) {
  return storage::sha256({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

// Ids and visits, since a table in memory has no bytes of a file.
std::string visits_fingerprint(const dataset::Dataset& dataset) {
  std::string text;
  for (const std::string& user : dataset.user_ids()) text += fmt::format("{} {}\n", user.size(), user);
  for (const ingest::Roi& roi : dataset.rois()) text += fmt::format("{} {}\n", roi.id.size(), roi.id);
  for (std::size_t epoch = 0; epoch < dataset.visits().epochs(); ++epoch) {
    const dataset::EpochVisits visits = dataset.visits().at(static_cast<EpochId>(epoch));
    text += bytes_hash(visits.users) + bytes_hash(visits.begins) + bytes_hash(visits.rois);
  }
  return storage::sha256(text);
}

void put(const std::string& staged, const fs::path& target) {
  if (renameat2(AT_FDCWD, staged.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) return;
  // Not every file system knows how; a second name for the file is never put in the place of another either.
  if (errno == EINVAL && link(staged.c_str(), target.c_str()) == 0) return;
  if (errno == EEXIST) refuse_existing(target);
  throw std::system_error(errno, std::generic_category(), "cannot write " + target.string());
}

}  // namespace

std::vector<std::string> data_fingerprints(const engine::Loaded& loaded) {
  std::vector<std::string> hashes;
  for (const storage::InputFile& input : loaded.provenance.inputs) {
    if (!input.places) hashes.push_back(input.sha256);
  }
  if (hashes.empty()) hashes.push_back(visits_fingerprint(loaded.dataset));
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

ReleaseFiles::ReleaseFiles(const std::string& out)
    : counts(fs::absolute(out).lexically_normal()), guarantee(counts.string() + ".guarantee.json") {
  if (counts.extension() != ".parquet" && counts.extension() != ".csv") {
    throw ConfigError("--out", out, "must end in .parquet or .csv");
  }
  check_output_name("--out", counts.string());
}

void ReleaseFiles::check_free() const {
  const auto is_there = [](const fs::path& path) { return fs::exists(fs::symlink_status(path)); };
  if (is_there(counts)) refuse_existing(counts);
  if (is_there(guarantee)) {
    throw ConfigError("--out", guarantee.string(),
                      "exists already, though its counts do not, and a release is never replaced. The counts were "
                      "moved away, or their release was interrupted: move this file away too, or choose another name");
  }
}

void ReleaseFiles::tidy() const {
  remove_stale_folders(folder().string(), kStagingPrefix);
}

void ReleaseFiles::check_folder(const std::string& ledger) const {
  fs::path nearest = folder();
  while (!fs::exists(nearest)) nearest = nearest.parent_path();
  check_writable(nearest);
  const fs::path name(kLedgerName);
  if (fs::weakly_canonical(folder() / name) == fs::weakly_canonical(fs::absolute(ledger) / name)) {
    throw ConfigError("--ledger", ledger, "is the folder of the release, which others will see; name another");
  }
  const fs::path old = folder() / name;
  if (is_old_ledger(old.string())) {
    throw ConfigError("--out", counts.string(),
                      fmt::format("{} is a ledger of an earlier version, which does not count any more: state a "
                                  "--budget lower by what its releases of this data spent, then move it away",
                                  old.string()));
  }
}

void ReleaseFiles::make_folder() const {
  std::error_code problem;
  fs::create_directories(folder(), problem);
  if (problem) refuse_out_folder(folder(), problem.value());
  check_writable(folder());
}

void ReleaseFiles::put_in_place(const std::string& staged_counts, const std::string& staged_guarantee) const {
  results::sync_path(staged_counts);
  results::sync_path(staged_guarantee);
  put(staged_guarantee, guarantee);
  try {
    reached(PublishingStep::kGuaranteeInPlace);
    put(staged_counts, counts);
  } catch (...) {
    unlink(guarantee.c_str());
    throw;
  }
  reached(PublishingStep::kCountsInPlace);
}

}  // namespace hearsay::publication
