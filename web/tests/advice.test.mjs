// SPDX-License-Identifier: Apache-2.0
// Reads the page of an advice in Chromium from a file:// address, and asks the studio for advice.
//   HEARSAY_ADVICE_REPORT  report.html of `hearsay advise --out`, beside its advice.json
//   HEARSAY_SERVE          the command that serves a study
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { draw, given, layouts, overflow, picture, until, watched } from './browser.mjs';
import { answered, asked, browser, check_answer, hold, settled, state_of, visit } from './studio.mjs';

const report = given('HEARSAY_ADVICE_REPORT');

describe('advice', { concurrency: false }, () => {
  for (const [width, colorScheme] of layouts) {
    test(`the answer, the command and the frontier at ${width} px, ${colorScheme}`, async () => {
      const advice = JSON.parse(readFileSync(join(dirname(report), 'advice.json'), 'utf8'));
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
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
      await picture(page, `advice-${width}-${colorScheme}.png`, { fullPage: true });
      assert.deepEqual(errors, []);
      assert.deepEqual(requests, [pathToFileURL(report).href]);
      await context.close();
    });
  }

  test('advice is cancelled, asked again, and used', () => visit({}, async (page) => {
    await settled(page);
    await page.locator('#limit-own').fill('');
    await page.locator('#limit-mae').fill('3');
    await page.locator('#limit-seconds').fill('60');
    const asks = page.getByRole('button', { name: 'Ask for advice' });
    const held = await hold(page, 'advise');
    await asks.click();
    await held.first();
    await page.locator('#advise').getByRole('button', { name: 'Cancel' }).click();
    await asks.waitFor();
    assert.equal(await page.locator('#advise .error').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Ask for advice');
    await held.free();
    await asks.click();
    await page.locator('#advice').waitFor();
    assert.ok((await page.locator('#advice').innerText()).length > 200);
    const label = await page.locator('#advise [role="status"] code').textContent();
    await answered(page, () => page.locator('#use-advice').click());
    const { publish } = (await state_of(page)).settings;
    for (const name of (publish.preset ? [publish.preset] : publish.steps.map((step) => step.split('(')[0]))) assert.ok(label.includes(name), `${name} in ${label}`);
    await check_answer(page, await asked((await state_of(page)).settings));
    assert.equal(await overflow(page), null);
    await page.locator('#advice').scrollIntoViewIfNeeded();
    await picture(page, 'studio-advice.png');
  }));
});
