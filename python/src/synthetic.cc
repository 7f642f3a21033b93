// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>

#include <filesystem>

#include "base/errors.h"
#include "base/limits.h"
#include "generate/commuters.h"
#include "interruptible.h"
#include "registration.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

std::uint64_t generate(const std::string& path, std::size_t users, std::uint32_t weeks, std::uint64_t seed,
                       std::size_t threads) {
  return interruptibly([&](const Job& job) {
    generate::CommuterOptions options;
    options.cards = users;
    options.weeks = weeks;
    options.seed = seed;
    options.threads = threads > 0 ? threads : default_threads();
    options.stations = (std::filesystem::path(path).parent_path() / "stations.csv").string();
    options.progress = [&](std::string_view, std::uint64_t, std::uint64_t) {
      if (job.failed()) throw Cancelled();
    };
    return generate::generate_commuters(options, path);
  });
}

}  // namespace

void register_synthetic(nb::module_& module) {
  module.def("generate_commuters", &generate, nb::arg("path"), nb::arg("users"), nb::arg("weeks"), nb::arg("seed"),
             nb::arg("threads"));
}

}  // namespace hearsay::python
