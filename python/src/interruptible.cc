// SPDX-License-Identifier: Apache-2.0
#include "interruptible.h"

#include <nanobind/stl/string.h>

#include <chrono>
#include <condition_variable>
#include <optional>
#include <string>
#include <thread>

namespace nb = nanobind;

namespace hearsay::python {
namespace {

constexpr auto kLook = std::chrono::milliseconds(100);

struct Step {
  std::string stage;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

// What the two threads tell each other.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  bool finished = false;
  std::optional<Step> step;
  std::exception_ptr error;
};

void look(Shared& shared, const nb::object& progress) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  std::optional<Step> step;
  {
    const std::lock_guard lock(shared.mutex);
    step.swap(shared.step);
  }
  if (step && !progress.is_none()) progress(step->stage, step->done, step->total);
}

void work_and_tell(Shared& shared, const std::function<void(const Progress&)>& work) {
  try {
    work([&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
      const std::lock_guard lock(shared.mutex);
      shared.step = {std::string(stage), done, total};
    });
  } catch (...) {
    shared.error = std::current_exception();
  }
  const std::lock_guard lock(shared.mutex);
  shared.finished = true;
  shared.changed.notify_one();
}

}  // namespace

void Job::fail() {
  const std::lock_guard lock(mutex_);
  if (error_ == nullptr) error_ = std::current_exception();
  source_.request_stop();
}

void Job::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (error_ != nullptr) std::rethrow_exception(error_);
}

void run_interruptibly(Job& job, const nb::object& progress, const std::function<void(const Progress&)>& work) {
  Shared shared;
  {
    const nb::gil_scoped_release free_interpreter;
    std::thread worker(work_and_tell, std::ref(shared), std::cref(work));
    std::unique_lock lock(shared.mutex);
    while (!shared.finished) {
      shared.changed.wait_for(lock, kLook);
      lock.unlock();
      try {
        const nb::gil_scoped_acquire locked;
        look(shared, progress);
      } catch (...) {
        job.fail();
      }
      lock.lock();
      if (job.failed()) shared.changed.wait(lock, [&] { return shared.finished; });
    }
    lock.unlock();
    worker.join();
  }
  job.rethrow();
  if (shared.error != nullptr) std::rethrow_exception(shared.error);
}

}  // namespace hearsay::python
