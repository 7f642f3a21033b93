// SPDX-License-Identifier: Apache-2.0
// Tests of finished reports in Chromium, from file:// addresses, use this file.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch, percent, pictures, small, table_of, watched } from './browser.mjs';
import { refilled } from './membership.mjs';

let browser;
let shared;
before(async () => {
  browser = await launch();
  const context = await browser.newContext({ acceptDownloads: true });
  shared = await watched(context);
});
after(() => browser?.close());

/**
 * Opens a report and runs the body. It fails where an error was logged, or anything but the file was asked for. All visits of a file take
 * place in one tab: a new one would compile the page's script again, which takes longer than most tests.
 */
export async function visit(path, { viewport = { width: 1280, height: 900 }, colorScheme = 'light' }, body) {
  const { page, errors, requests } = shared;
  const address = pathToFileURL(path).href;
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, media: 'screen' });
  errors.length = requests.length = 0;
  await page.goto(address);
  await page.locator('#answer').waitFor();
  const document = JSON.parse(await page.locator('#hearsay-data').textContent());
  await body(page, document);
  assert.deepEqual(errors, []);
  assert.deepEqual([...new Set(requests)], [address]);
}

/** Writes a report whose document is another one, and gives its path. */
export function changed(from, name, change) {
  const path = join(pictures, `${name}.html`);
  writeFileSync(path, refilled(readFileSync(from, 'utf8'), change));
  return path;
}

/** The tiles are about one adversary of the document. */
export async function check_tiles(page, report, number) {
  const her = report.adversaries[number];
  const text = async (tile) => (await page.locator(tile).allTextContents()).join();
  const said = await text('#tiles-adversary');
  for (const part of [her.prior, her.attack, her.baseline, her.with.toFixed(3), her.before.toFixed(3)]) assert.ok(said.includes(part), `${part} in ${said}`);
  assert.equal(said.includes('ignore them'), her.with >= her.before);
  const own_error = (value) => (Math.abs(her.own) < 0.01 ? small(value) : value.toFixed(3));
  for (const part of [her.own, her.without, her.with]) assert.ok((await text('#tile-own')).includes(own_error(part)), String(part));
  for (const share of [her.own_hundredth, her.counted]) assert.ok((await text('#tile-counted')).includes(percent(share)));
  if (her.own_p95 !== null) assert.ok((await text('#tile-counted')).includes(own_error(her.own_p95)));
  if (her.worst_hour) assert.ok((await text('#tile-worst-hour')).includes(`${String(her.worst_hour.hour).padStart(2, '0')}:00`));
  else assert.equal(await page.locator('#tile-worst-hour').count(), 0);
  if (her.worst_roi) assert.ok((await text('#tile-worst-roi')).includes(her.worst_roi.id));
  else assert.equal(await page.locator('#tile-worst-roi').count(), 0);
}

/** The rows of the table of all defences, by column. */
export async function all_defences(page) {
  const [head, ...rows] = await table_of(page, 'defences-all');
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [head[i], cell])));
}
