// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace hearsay {

// Calls work(index, worker) once for every index below count, on up to `threads` threads; worker < threads tells them
// apart. Which worker gets which index is not defined: sums over workers must not depend on order (integers do not).
// The first exception that `work` throws ends the loop and is rethrown. A request to stop (base/stop_scope.h) ends it
// with Cancelled.
void parallel_for(std::size_t count, std::size_t threads,
                  const std::function<void(std::size_t index, std::size_t worker)>& work);

}  // namespace hearsay
