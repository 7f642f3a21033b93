// SPDX-License-Identifier: Apache-2.0
#include "studio.h"

#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "base/limits.h"
#include "registration.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

constexpr const char* kFile = "study.toml";  // as the page saves it
constexpr int kFrameHeight = 900;            // pixels

engine::LoadOptions options_of(std::size_t threads) {
  engine::LoadOptions options;
  options.threads = threads > 0 ? threads : default_threads();
  return options;
}

// Lives as long as Python holds it, whether a page is open or not.
studio::ServerOptions server_options(std::uint16_t port) {
  constexpr std::chrono::hours kForGood(24 * 3650);
  return {.port = port, .framed = true, .grace = kForGood};
}

}  // namespace

Studio::Studio(std::shared_ptr<Data> data, std::size_t threads, std::uint16_t port)
    : data_(std::move(data)),
      session_(data_->engine, data_->settings, kFile, options_of(threads)),
      server_(session_, server_options(port)),
      thread_([this](const std::stop_token& stop) { server_.run(stop); }) {}

void Studio::close() {
  if (!open()) return;
  const nb::gil_scoped_release free_interpreter;
  thread_.request_stop();
  thread_.join();
}

std::unique_ptr<Studio> open_studio(std::shared_ptr<Data> data, std::size_t threads, std::uint16_t port) {
  const nb::gil_scoped_release free_interpreter;
  return std::make_unique<Studio>(std::move(data), threads, port);
}

void register_studio(nb::module_& module) {
  nb::class_<Studio>(module, "Studio",
                     "The report, alive, on this machine alone: a page at `link` for whoever has it. In a notebook it "
                     "shows itself in a frame. It ends with close(), at the end of a with block, or with the program.")
      .def_prop_ro("link", &Studio::link, "Where the page is, with the token that lets one in.")
      .def("close", &Studio::close, "Ends it. Pages that are open keep what they show.")
      .def("__enter__", [](nb::object self) { return self; })
      .def("__exit__", [](Studio& self, const nb::args&) { self.close(); })
      .def("__repr__",
           [](const Studio& self) {
             return self.open() ? fmt::format("<Studio at {}>", self.link()) : "<Studio, closed>";
           })
      .def("_repr_html_", [](const Studio& self) {
        if (!self.open()) return std::string("<p>The studio is closed.</p>");
        return fmt::format(
            "<iframe src=\"{0}\" width=\"100%\" height=\"{1}\" style=\"border: 0\" title=\"Hearsay studio\"></iframe>"
            "<p><a href=\"{0}\" target=\"_blank\" rel=\"noreferrer\">Open it by itself</a></p>",
            self.link(), kFrameHeight);
      });
}

}  // namespace hearsay::python
