// SPDX-License-Identifier: Apache-2.0
#include "release/fourier.h"

// One series at a time: vectors would only bring allocations that sanitizers object to.
#define POCKETFFT_NO_VECTORS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 at -O3 does not follow it
#include <gemmi/third_party/pocketfft_hdronly.h>
#pragma GCC diagnostic pop

#include <cmath>

namespace hearsay::release {

Spectrum transform(std::span<const double> series) {
  Spectrum input(series.begin(), series.end());
  Spectrum output(series.size());
  const auto stride = static_cast<std::ptrdiff_t>(sizeof(std::complex<double>));
  pocketfft::c2c({series.size()}, {stride}, {stride}, {0}, pocketfft::FORWARD, input.data(), output.data(), 1.0);
  return output;
}

void inverse(const Spectrum& spectrum, std::span<double> series) {
  Spectrum output(series.size());
  const auto stride = static_cast<std::ptrdiff_t>(sizeof(std::complex<double>));
  pocketfft::c2c({series.size()}, {stride}, {stride}, {0}, pocketfft::BACKWARD, spectrum.data(), output.data(),
                 1.0 / static_cast<double>(series.size()));
  for (std::size_t t = 0; t < series.size(); ++t) series[t] = output[t].real();
}

std::size_t real_parts(std::size_t j, std::size_t n) {
  return j == 0 || 2 * j == n ? 1 : 2;
}

std::size_t kept_numbers(std::size_t k, std::size_t n) {
  std::size_t numbers = 0;
  for (std::size_t j = 0; j < k; ++j) numbers += real_parts(j, n);
  return numbers;
}

void replace_kept(Spectrum& spectrum, std::size_t k, const std::function<double(double)>& replace) {
  const std::size_t n = spectrum.size();
  for (std::size_t j = 0; j <= n / 2; ++j) {
    const bool pair = real_parts(j, n) == 2;
    const double norm = std::sqrt((pair ? 2.0 : 1.0) / static_cast<double>(n));
    std::complex<double> kept = 0;
    if (j < k) {
      const double real = replace(spectrum[j].real() * norm) / norm;
      kept = {real, pair ? replace(spectrum[j].imag() * norm) / norm : 0.0};
    }
    spectrum[j] = kept;
    if (pair) spectrum[n - j] = std::conj(kept);
  }
}

std::vector<double> left_out(const Spectrum& spectrum) {
  const std::size_t n = spectrum.size();
  std::vector<double> norms(n / 2 + 2);
  double power = 0;
  for (std::size_t j = n / 2 + 1; j-- > 0;) {
    power += static_cast<double>(real_parts(j, n)) * std::norm(spectrum[j]);
    norms[j] = std::sqrt(power / static_cast<double>(n));
  }
  return norms;
}

}  // namespace hearsay::release
