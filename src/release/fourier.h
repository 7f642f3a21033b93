// SPDX-License-Identifier: Apache-2.0
//
// The Fourier transform of a series, and its coefficients in an orthonormal basis of cosines and sines, where nothing
// is longer or shorter than in the series.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace hearsay::release {

using Spectrum = std::vector<std::complex<double>>;

// Full complex transform, not normalised.
Spectrum transform(std::span<const double> series);
// Real part of the inverse, divided by the length.
void inverse(const Spectrum& spectrum, std::span<double> series);

// How many real numbers coefficient j of a real series of length n stands for: its own or, with its conjugate, two.
std::size_t real_parts(std::size_t j, std::size_t n);
// Real numbers that the first k coefficients stand for.
std::size_t kept_numbers(std::size_t k, std::size_t n);

// Of a real series: puts replace(number) in the place of each of those numbers, in the orthonormal basis and in order,
// and 0 in the place of all others. k is at most n / 2 + 1.
void replace_kept(Spectrum& spectrum, std::size_t k, const std::function<double(double)>& replace);
// Of a real series: the 2-norm of what its first k coefficients leave out, by k from 0 to n / 2 + 1.
std::vector<double> left_out(const Spectrum& spectrum);

}  // namespace hearsay::release
