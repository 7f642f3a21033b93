// SPDX-License-Identifier: Apache-2.0
// Drives the page of an advice in Chromium from a file:// address.
//   HEARSAY_ADVICE_REPORT   report.html of `hearsay advise --out`, beside its advice.json
//   HEARSAY_SCREENSHOTS     where pictures go (web/test-output)
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { draw, launch, overflow, pictures, until, watched } from './browser.mjs';

const report = process.env.HEARSAY_ADVICE_REPORT && resolve(process.env.HEARSAY_ADVICE_REPORT);

describe('advice', { concurrency: false, skip: report ? false : 'HEARSAY_ADVICE_REPORT is not set' }, () => {
  let browser;
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());

  for (const width of [390, 768, 1280]) {
    test(`the answer, the command and the frontier at ${width}`, async () => {
      const advice = JSON.parse(readFileSync(join(dirname(report), 'advice.json'), 'utf8'));
      const context = await browser.newContext({ viewport: { width, height: 900 } });
      const { page, errors, requests } = await watched(context);
      await page.goto(pathToFileURL(report).href);
      const section = page.locator('#advice');
      await section.waitFor();
      const text = await section.innerText();
      for (const sentence of [...advice.sentences, ...advice.steps, advice.command]) assert.ok(text.includes(sentence), sentence);
      const plot = page.locator('#advice-frontier .plot');
      await draw(plot);
      // The table has every candidate, the chosen marked once.
      const rows = page.locator('#advice-frontier tbody tr');
      assert.equal(await rows.count(), advice.frontier.length);
      const verdicts = await rows.locator('td:nth-child(2)').allInnerTexts();
      assert.equal(verdicts.filter((verdict) => verdict === 'chosen').length, advice.chosen === null ? 0 : 1);
      assert.equal(verdicts.indexOf('chosen'), advice.chosen ?? -1);
      // Points are told by keyboard, in order of their errors.
      await plot.focus();
      await plot.press('Home');
      const said = page.locator('#advice-frontier [aria-live]');
      await until(page, (element) => element.textContent, await said.elementHandle());
      assert.ok((await said.textContent()).startsWith(advice.frontier[0].label));
      if (advice.frontier.some((one) => one.membership)) {
        await page.getByRole('radio', { name: 'membership (AUC)' }).check();
        await page.getByRole('heading', { name: /error against membership/ }).waitFor();
      }
      assert.equal(await overflow(page), null);
      await page.screenshot({ path: join(pictures, `advice-${width}.png`), fullPage: true });
      assert.deepEqual(errors, []);
      assert.deepEqual(requests, [pathToFileURL(report).href]);
      await context.close();
    });
  }
});
