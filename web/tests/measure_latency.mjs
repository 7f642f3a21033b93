// SPDX-License-Identifier: Apache-2.0
// Measures how long the page takes, and prints a table; scripts/measure_latency runs it.
//   HEARSAY_REPORT  the report.html of a study
//   HEARSAY_SERVE   the command that serves a study
import { pathToFileURL } from 'node:url';
import { launch, until, watched } from './browser.mjs';
import { serve } from './server.mjs';

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
const ms = (value) => `${Math.round(value)} ms`;
function print(what, aim, times) {
  const sorted = [...times].sort((a, b) => a - b);
  row(what, aim, ms(sorted[Math.floor(sorted.length / 2)]), ms(sorted[0]), ms(sorted.at(-1)), times.length);
}

const browser = await launch();
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const { page } = await watched(context);
row('what', 'aim', 'median', 'least', 'most', 'times');
row('---', '---', '---', '---', '---', '---');

// Processor time, because what else the machine does is not the page's.
const session = await context.newCDPSession(page);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });
const work = [];
for (let i = 0; i < 5; ++i) {
  await page.goto('about:blank');
  await page.goto(pathToFileURL(process.env.HEARSAY_REPORT).href);
  await page.locator('.chart').first().getByRole('button', { name: 'Table', exact: true }).click();
  const { metrics } = await session.send('Performance.getMetrics');
  work.push(1000 * metrics.find(({ name }) => name === 'TaskDuration').value);
}
print('report: processor time until its first table is open', '2,000 ms', work);

const server = await serve();
// The noise slider starts at its left end, so that every move is another release.
const { settings } = await (await fetch(`${server.origin}/api/studio`, { headers: { Authorization: `Bearer ${server.token}` } })).json();
await page.goto(server.link_to({ ...settings, publish: null }));
const settled = () => until(page, () => {
  const brief = document.querySelector('#brief');
  return brief?.dataset.old === 'false' && brief.dataset.pending === 'false' && Number(brief.dataset.shown) > 0 && !document.querySelector('main [aria-busy="true"]');
});
await settled();

/** Milliseconds from an event in the page to the first frame after the answer is there. */
const timed = (change) => page.evaluate(async (name) => {
  const brief = document.querySelector('#brief');
  const before = brief.dataset.shown;
  const painted = new Promise((done) => {
    new MutationObserver((_, observer) => {
      if (brief.dataset.shown === before) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now())));
    }).observe(brief, { attributes: true });
  });
  const start = performance.now();
  if (name === 'noise') {
    const slider = document.querySelector('#direct-noise');
    slider.value = Number(slider.value) + 1;
    for (const type of ['input', 'change']) slider.dispatchEvent(new Event(type, { bubbles: true }));
  } else {
    document.querySelector(`input[name="priors"][value="${name}"]`).click();
  }
  return (await painted) - start;
}, change);

const releases = [];
for (let i = 0; i < 20; ++i) {
  releases.push(await timed('noise'));
  await settled();
}
print('studio: another release, from the input to the paint', '300 ms', releases.slice(5));

await page.locator('summary', { hasText: 'What she knows' }).click();
const names = await page.locator('input[name="priors"]:not(:checked)').evaluateAll((all) => all.map((input) => input.value));
const priors = [];
for (const name of names) {
  const time = await timed(name);
  priors.push(time);
  row(`studio: ${name} as well`, '', ms(time), '', '', 1);
  await settled();
  await page.locator('#undo').click();
  await until(page, (one) => !document.querySelector(`input[name="priors"][value="${one}"]`).checked, name);
  await settled();
}
print('studio: a prior more, all of them', '1,500 ms', priors);
await browser.close();
await server.end();
