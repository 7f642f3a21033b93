// SPDX-License-Identifier: Apache-2.0
// Tests of the studio in Chromium, against the program's own server, use this file.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { eventually, figure, launch, small, until, watched } from './browser.mjs';
import { serve } from './server.mjs';

export let browser;
export let server;
/** What the server offers, and the settings that tests start from. */
export let offers;
export let start;
let context;
let shared;
const listening = new AbortController();

export const ask = (path, body) => fetch(`${server.origin}/api/${path}`, {
  headers: { Authorization: `Bearer ${server.token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
  ...(body ? { method: 'POST', body: JSON.stringify(body) } : { signal: listening.signal }),
});

before(async () => {
  [browser, server] = [await launch(), await serve()];
  // The server ends when nobody listens, and tests close their pages.
  (await ask('alive')).text().catch(() => {});
  offers = await (await ask('studio')).json();
  start = { ...offers.settings, publish: null };
  context = await browser.newContext({ acceptDownloads: true, permissions: ['clipboard-read', 'clipboard-write'] });
  shared = await watched(context);
});
after(async () => {
  await browser?.close();
  listening.abort();
  await server?.end();
});

export const link_to = (...state) => server.link_to(...state);

/**
 * Opens the studio and runs the body. It fails where an error was logged that is not expected, or another machine was asked. All visits
 * of a file take place in one tab, which is empty in between.
 */
export async function visit({ viewport = { width: 1280, height: 900 }, colorScheme = 'light', reducedMotion = 'no-preference' }, body, { address = link_to(start), expected = /^$/ } = {}) {
  const { page, errors, requests } = shared;
  // A tab behind another is given no frames, and waits for what needs them.
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.bringToFront();
  await page.goto('about:blank');
  await page.unrouteAll();
  await context.setOffline(false);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion });
  errors.length = requests.length = 0;
  await page.goto(address);
  await body(page, context);
  assert.deepEqual(errors.filter((error) => !expected.test(error)), []);
  for (const request of requests) assert.ok(request.startsWith(`${server.origin}/`), request);
}

export const shown = (page) => page.locator('#brief').getAttribute('data-shown').then(Number);
/** Waits until the answer shown is that of the settings, and no more is under way. */
export const settled = (page) => until(page, () => document.querySelector('#brief')?.dataset.old === 'false' && Number(document.querySelector('#brief').dataset.shown) > 0
  && !document.querySelector('main [aria-busy="true"]'));
/** Does something, and waits for the answer to it. */
export async function answered(page, act) {
  const before = await shown(page);
  await act();
  await until(page, (old) => Number(document.querySelector('#brief').dataset.shown) > old, before);
  await settled(page);
}

/** The state in the address, which follows after a moment. */
export const state_of = async (page) => {
  await until(page, () => document.querySelector('#brief').dataset.pending === 'false');
  return JSON.parse(Buffer.from((await page.evaluate(() => location.hash)).split('/')[1], 'base64url').toString());
};

/** Holds what the page asks of the server by this path, until it is let go; the held requests are `asked`. */
export async function hold(page, path) {
  const routes = [];
  const keep = (route) => void routes.push(route);
  await page.route(`**/api/${path}`, keep);
  return {
    asked: routes,
    first: () => eventually(`a request for ${path}`, async () => routes[0] ?? (await page.waitForTimeout(20), null)),
    // What the page has given up meanwhile cannot go on.
    free: async () => {
      await page.unroute(`**/api/${path}`, keep);
      await Promise.all(routes.map((route) => route.continue().catch(() => {})));
    },
  };
}

/** What the server says to these settings, asked without the page. */
export async function asked(settings) {
  const lines = (await (await ask('run', settings)).text()).split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const found = lines.find((line) => line.event === 'report');
  assert.ok(found, JSON.stringify(lines.at(-1)));
  return found;
}

export const guarantee = (published) => (published?.epsilon == null ? 'none' : `epsilon ${figure(published.epsilon)}`);

/** The figures of the page are those of the document. */
export async function check_answer(page, { report }) {
  const text = (id) => page.locator(id).textContent();
  const her = report.adversaries[report.adversary];
  assert.equal(await text('#brief-against dd'), `${her.goal}: ${her.prior}, ${her.attack}${her.decision ? `, ${her.decision}` : ''}`);
  assert.equal(await text('#brief-own dd'), small(her.own));
  assert.equal(await text('#brief-with dd'), her.with.toFixed(3));
  assert.ok((await text('#brief-mae dd')).startsWith(report.published ? figure(report.published.mae) : '0'));
  assert.equal((await text('#brief-mae dd')).includes('further off than'), !!(report.published?.worse_than || report.published?.worse_than_mae));
  assert.ok((await text('#brief-guarantee dd')).startsWith(guarantee(report.published)));
  assert.deepEqual(await page.locator('.findings p').allTextContents(), report.findings);
  assert.equal(await page.locator('#published').count(), report.published ? 1 : 0);
}

export const noise = (page) => page.locator('#direct-noise');
/** Types a number beside a slider: one change. */
export async function type(page, label, value) {
  await page.getByLabel(`${label}, as a number`).fill(String(value));
  await page.keyboard.press('Enter');
}
/** Moves a slider through these stops before anything else can happen, as a quick hand does with the keys. */
export const run_through = (slider, stops) => slider.evaluate(async (input, all) => {
  for (const stop of all) {
    input.value = stop;
    for (const name of ['input', 'change']) {
      input.dispatchEvent(new Event(name, { bubbles: true }));
      await null; // the page is drawn anew
    }
  }
}, stops);
/** Presses a key on a slider so often. */
export async function press(page, slider, key, times = 1) {
  await slider.focus();
  for (let i = 0; i < times; ++i) await page.keyboard.press(key);
}

/** Drags a slider through these shares of its width, and leaves the mouse down. */
export async function drag(page, slider, shares, each = async () => {}) {
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  const at = (share) => [box.x + 8 + (box.width - 16) * share, box.y + box.height / 2];
  await page.mouse.move(...at(shares[0]));
  await page.mouse.down();
  for (const share of shares) {
    await page.mouse.move(...at(share), { steps: 3 });
    await each();
  }
}
