// SPDX-License-Identifier: Apache-2.0
// The page's modules ask the browser for these when they are loaded; node does not have them.
globalThis.matchMedia ??= () => ({ matches: false, addEventListener: () => {} });
globalThis.addEventListener ??= () => {};
