// SPDX-License-Identifier: Apache-2.0
// Every test of the page in Chromium uses this file.
//   HEARSAY_TIER         "long" runs every scenario at every width, takes pictures, and saves every file through the browser
//   HEARSAY_SCREENSHOTS  the folder of pictures and of pages that tests change (web/test-output)
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { chromium } from 'playwright-core';

export const long = process.env.HEARSAY_TIER === 'long';
/** The widths at which everything is used. */
export const scenario_widths = long ? [1280, 768, 390] : [1280];
/** The widths at which the page must fit, each with a colour scheme. */
export const layouts = long
  ? [360, 380, 390, 768, 800, 1280, 1400, 1920].flatMap((width) => [[width, 'light'], [width, 'dark']])
  : [[1280, 'light'], [800, 'dark'], [390, 'light']];
/** A test that the short tier leaves to the long one. */
export const long_test = long ? test : () => {};

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

/** The file that a variable names. A test without it fails, because scripts/test_page sets all of them. */
export function given(variable) {
  const path = process.env[variable];
  assert.ok(path, `${variable} must name a file; scripts/test_page makes it and sets the variable`);
  return resolve(path);
}

/** Opens a page that keeps every error that is logged and every address that is asked for. */
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

/** Waits until the condition holds in the page. It looks by the clock, because frames may not come while nothing is to be painted. */
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
 * Scrolls to each of these plots, and waits until its chart is drawn. All of it happens inside the page, in one call. A chart that was moved
 * away from the screen by what came above it is scrolled to again, and where the page has put another element in a plot's place, as it may
 * when another answer comes, the plots are looked up again.
 */
async function drawn(plots) {
  await plots.page().bringToFront(); // A tab behind another is given no frames, and then no chart learns that it is near the screen.
  const due = Date.now() + patience;
  for (;;) {
    const missing = await plots.evaluateAll(async (all, most) => {
      const is_drawn = (plot) => plot.dataset.ready === 'true' && plot.querySelector('svg, canvas');
      const until = performance.now() + most;
      for (const plot of all) {
        for (let i = 0; !is_drawn(plot); ++i) {
          if (!plot.isConnected) return 'replaced';
          if (performance.now() > until) return plot.closest('figure').id;
          if (i % 50 === 0) plot.scrollIntoView({ block: 'center' });
          await new Promise((done) => setTimeout(done, 10));
        }
      }
      return null;
    }, Math.min(10_000, due - Date.now()));
    if (missing === null) return;
    assert.ok(Date.now() < due, `the chart ${missing} is not drawn`);
    // Chromium on a busy machine may stop giving a tab frames, and then nothing is drawn in it. A screenshot makes it give one.
    if (missing !== 'replaced') await plots.page().screenshot().catch(() => null);
  }
}

export async function draw(plot) {
  await plot.waitFor({ state: 'attached' });
  await drawn(plot);
  await plot.evaluate((element) => element.scrollIntoView({ block: 'center' }));
}

/** Scrolls through the page, or a part of it, so that every chart in it is drawn. */
export async function draw_all(page, part = '#app') {
  await drawn(page.locator(`${part} .plot`));
  await page.evaluate(() => scrollTo(0, 0));
}

/** Takes a picture in the long tier, for people to look at. */
export async function picture(of, name, options = {}) {
  if (long) await of.screenshot({ path: join(pictures, name), ...options });
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

/** The bytes of the file that a button of a chart saves, through the browser: Chromium drops downloads that follow each other by the dozen a second. */
export async function download_of(page, chart, kind) {
  const ending = `-${chart.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.${kind.toLowerCase()}`;
  const download = await eventually(`a file ${ending}`, async () => {
    const waiting = page.waitForEvent('download', { predicate: (file) => file.suggestedFilename().endsWith(ending), timeout: 15_000 });
    await page.locator(`[id="${chart}"] .tools button`, { hasText: kind }).click();
    return waiting.catch(() => null);
  });
  return readFileSync(await download.path());
}

/** The bytes of the same file, taken where the page hands it to the browser. */
export async function saved_by(page, chart, kind) {
  const [name, content] = await page.locator(`[id="${chart}"] .tools button`, { hasText: kind }).evaluate(async (button) => {
    const { createObjectURL } = URL;
    const { click } = HTMLAnchorElement.prototype;
    try {
      let blob;
      const name = await new Promise((done) => {
        URL.createObjectURL = (of) => createObjectURL.call(URL, (blob = of));
        HTMLAnchorElement.prototype.click = function () { done(this.download); };
        button.click();
      });
      return await new Promise((done) => {
        const reader = new FileReader();
        reader.onload = () => done([name, reader.result.split(',')[1]]);
        reader.readAsDataURL(blob);
      });
    } finally {
      Object.assign(URL, { createObjectURL });
      HTMLAnchorElement.prototype.click = click;
    }
  });
  assert.ok(name.endsWith(`.${kind.toLowerCase()}`), name);
  return Buffer.from(content, 'base64');
}

// Numbers as the page has them.
export const small = (value) => value.toFixed(4).replace(/^-(0\.0+)$/, '$1');
export const percent = (value) => `${(100 * value).toFixed(1)}%`;
/** Three significant digits, as the page has them. */
export const figure = (value) => (Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : Math.abs(value) < 1e-5 && value ? value.toExponential(1) : Number(value.toPrecision(3)).toString());
