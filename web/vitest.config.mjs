// SPDX-License-Identifier: Apache-2.0
// Tests of the page's model in node, without a browser: `npx vitest run`. It is no .ts file, because those are sources of the page.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  test: {
    include: ['tests/model/*.test.mjs'],
    setupFiles: ['tests/model/globals.mjs'],
    // Svelte compiles for the browser, where a derived value follows its sources.
    testTransformMode: { web: ['**/*.test.mjs'] },
    // A busy machine is slow. What hangs still fails.
    testTimeout: 180_000,
    // One process: starting another for each file takes longer than the tests do.
    pool: 'threads',
    poolOptions: { threads: { singleThread: true } },
  },
});
