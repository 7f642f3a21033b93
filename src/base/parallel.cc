// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/errors.h"
#include "base/stop_scope.h"

namespace hearsay {

void parallel_for(std::size_t count, std::size_t threads,
                  const std::function<void(std::size_t index, std::size_t worker)>& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::once_flag failed;
  const std::stop_token stop = current_stop();
  const auto run = [&](std::size_t worker) noexcept {
    try {
      const StopScope scope(stop);
      for (std::size_t index = next++; index < count; index = next++) {
        if (stop.stop_requested()) throw Cancelled();
        work(index, worker);
      }
    } catch (...) {
      next = count;
      std::call_once(failed, [&] { failure = std::current_exception(); });
    }
  };
  const std::size_t workers = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(1, count));
  std::vector<std::jthread> helpers;
  helpers.reserve(workers - 1);
  for (std::size_t worker = 1; worker < workers; ++worker) helpers.emplace_back(run, worker);
  run(0);
  helpers.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace hearsay
