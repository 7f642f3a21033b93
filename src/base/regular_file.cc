// SPDX-License-Identifier: Apache-2.0
#include "base/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/errors.h"

namespace hearsay {
namespace {

[[noreturn]] void fail(const std::string& path, int problem) {
  throw InputError({path, 0, ""}, fmt::format("the file cannot be read: {}", std::generic_category().message(problem)));
}

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

[[noreturn]] void refuse(const std::string& path, mode_t mode) {
  throw InputError({path, 0, ""}, fmt::format("this is {}; name an ordinary file", kind_of(mode)));
}

}  // namespace

void require_regular_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return;
  refuse(path, status.st_mode);
}

std::optional<std::string> read_regular_file(const std::string& path, std::uint64_t most) {
  // A named pipe without a writer is opened at once.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ENOENT) return std::nullopt;
  if (!file) fail(path, errno);
  return read_regular_file(file, path, most);
}

std::string read_regular_file(const Descriptor& file, const std::string& path, std::uint64_t most) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(path, errno);
  if (!S_ISREG(status.st_mode)) refuse(path, status.st_mode);
  std::string text;
  constexpr std::size_t kBlock = 1U << 16;
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + kBlock);
    const ssize_t got = ::read(file.get(), text.data() + before, kBlock);
    if (got < 0 && errno != EINTR) fail(path, errno);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    if (got == 0) return text;
    if (text.size() > most) {
      throw InputError({path, 0, ""}, fmt::format("the file has more than {} bytes, which is too large", most));
    }
  }
}

}  // namespace hearsay
