// SPDX-License-Identifier: Apache-2.0
// What every test of the page in Chromium needs.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const pictures = process.env.HEARSAY_SCREENSHOTS ?? fileURLToPath(new URL('../test-output', import.meta.url));
const arguments_ = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

// How long to wait for what must come. A busy machine is slow; what never comes still fails.
export const patience = 180_000;

export function launch() {
  mkdirSync(pictures, { recursive: true });
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: arguments_, timeout: patience });
}

/** A page that keeps what was logged as an error and asked of any network. */
export async function watched(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const [errors, requests] = [[], []];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && errors.push(message.text()));
  page.on('request', (request) => /^(blob|data):/.test(request.url()) || requests.push(request.url().split('#')[0]));
  page.on('dialog', (dialog) => (errors.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  return { page, errors, requests };
}

/** Waits until the condition holds in the page. By the clock: frames may not come while nothing is to be painted. */
export const until = (page, condition, argument) => page.waitForFunction(condition, argument, { polling: 50 });

/** Tries again until it gives something. */
export async function eventually(what, attempt) {
  const due = Date.now() + patience;
  for (;;) {
    const found = await attempt();
    if (found) return found;
    assert.ok(Date.now() < due, what);
  }
}

/**
 * Scrolls to a plot, and waits until its chart is drawn. Whoever sees nothing scrolls and looks again: frames may not come while nothing is to be
 * painted, and a picture asks for one.
 */
export async function draw(plot) {
  const page = plot.page();
  const is_drawn = (element) => element.dataset.ready === 'true' && element.querySelector('svg, canvas');
  await eventually('the chart is drawn', async () => {
    await plot.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    try {
      return await page.waitForFunction(is_drawn, await plot.elementHandle(), { polling: 50, timeout: 15_000 });
    } catch (error) {
      if (error.name !== 'TimeoutError') throw error;
      console.log('a chart was not drawn in 15 s, and is scrolled to again');
      await page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } });
      return null;
    }
  });
}

/** Scrolls through the page, so that every chart is drawn. */
export async function draw_all(page) {
  for (const plot of await page.locator('.plot').all()) await draw(plot);
  await page.evaluate(() => scrollTo(0, 0));
}

export const overflow = (page) => page.evaluate(() => {
  const wide = document.documentElement.scrollWidth;
  if (wide <= innerWidth) return null;
  const scrolls = (e) => e && (getComputedStyle(e).overflowX !== 'visible' || scrolls(e.parentElement));
  const guilty = [...document.querySelectorAll('#app *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e.parentElement));
  return `${wide} > ${innerWidth}: ${guilty.slice(0, 5).map((e) => `${e.tagName}.${e.className}`)}`;
});

export async function table_of(page, chart) {
  const figure = page.locator(`[id="${chart}"]`);
  const button = figure.locator('.tools button[aria-controls]');
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
  return figure.locator('table').evaluate((table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
}

/** Clicks until the file comes: Chromium drops downloads that follow each other by the dozen a second. */
export async function download_of(page, chart, kind) {
  const ending = `-${chart.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.${kind.toLowerCase()}`;
  const download = await eventually(`a file ${ending}`, async () => {
    const waiting = page.waitForEvent('download', { predicate: (file) => file.suggestedFilename().endsWith(ending), timeout: 15_000 });
    await page.locator(`[id="${chart}"] .tools button`, { hasText: kind }).click();
    return waiting.catch(() => null);
  });
  return readFileSync(await download.path());
}

// Numbers as the page has them.
export const small = (value) => value.toFixed(4).replace(/^-(0\.0+)$/, '$1');
export const percent = (value) => `${(100 * value).toFixed(1)}%`;
/** Three significant digits, as the page has them. */
export const figure = (value) => (Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : Math.abs(value) < 1e-5 && value ? value.toExponential(1) : Number(value.toPrecision(3)).toString());
