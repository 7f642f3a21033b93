// SPDX-License-Identifier: Apache-2.0
// Uses the studio in Chromium: its answers, pins, links and layout.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { draw, draw_all, figure, layouts, long_test, overflow, percent, picture, scenario_widths, small, until, watched } from './browser.mjs';
import {
  answered, asked, check_answer, drag, guarantee, link_to, noise, press, server, settled, shown, start, state_of, type, visit,
} from './studio.mjs';

describe('the studio', { concurrency: false }, () => {
  for (const width of scenario_widths) {
    const viewport = { width, height: 900 };

    test(`${width} px: a slider is dragged, and the answers come`, () => visit({ viewport }, async (page) => {
      await settled(page);
      await check_answer(page, await asked((await state_of(page)).settings));
      // None of the paper's attacks has run, so nothing is compared with them.
      assert.doesNotMatch(await page.locator('[id$="-strongest"]').innerText(), /paper/i);
      assert.deepEqual(new Set(await page.locator('.legend .tag').allTextContents()), new Set(['strongest']));
      assert.match(await page.locator('#publish').innerText(), /There is no command[^]*Nothing is promised/);
      // Answers come while the mouse is down: the next move is after the answer to the last.
      let last = await shown(page);
      await drag(page, noise(page), [0.3, 0.4, 0.5, 0.6], async () => {
        await until(page, (old) => Number(document.querySelector('#brief').dataset.shown) > old, last);
        last = await shown(page);
      });
      // The answer is in sight of the slider.
      const brief = await page.locator('#brief').boundingBox();
      assert.ok(brief.y >= 0 && brief.y + brief.height <= 900, JSON.stringify(brief));
      await page.mouse.up();
      await settled(page);
      const { settings } = await state_of(page);
      assert.match(settings.publish.steps.join(), /^LAPLACE\(epsilon=[\d.]+\)$/);
      const answer = await asked(settings);
      await check_answer(page, answer);
      assert.equal(await page.locator('#command').textContent(), answer.command);
      assert.match(await page.locator('#command-notes').innerText(), /NAME is the people whose budget it spends/);
      await until(page, () => /^New answer/.test(document.querySelector('#announce').textContent));
      // All of it was one change.
      await answered(page, () => page.locator('#undo').click());
      assert.equal((await state_of(page)).settings.publish, null);
      await check_answer(page, await asked((await state_of(page)).settings));
      assert.equal(await overflow(page), null);
    }));

    test(`${width} px: pinned and compared`, () => visit({ viewport }, async (page) => {
      await settled(page);
      const raw = (await state_of(page)).settings;
      await page.locator('#pin').click();
      assert.match(await page.locator('#compare').innerText(), /are the pinned ones/);
      await answered(page, () => type(page, 'Noise', 1.5));
      const now = (await state_of(page)).settings;
      assert.match(await page.locator('#differences').innerText(), /what is published\s+the counts as they are\s+LAPLACE/);
      const rows = await page.locator('#compare-figures tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
      const [then, today] = [(await asked(raw)).report, (await asked(now)).report];
      for (const her of then.adversaries) {
        const other = today.adversaries.find((one) => one.goal === her.goal && one.prior === her.prior);
        const row = rows.find(([label]) => label === `${her.goal}, ${her.prior}: own part`);
        assert.deepEqual(row.slice(1, 3), [small(her.own), small(other.own)]);
        assert.equal(row[3], small(other.own - her.own));
      }
      assert.deepEqual(rows.at(-1).slice(0, 2), [`epsilon for ${today.published.unit}`, '–']);
      const overlap = today.published.top10_overlap;
      const points = `${(100 * (overlap - 1)).toFixed(1).replace(/^-0\.0$/, '0.0')} points`;
      assert.deepEqual(rows.find(([label]) => label === 'top-10 overlap').slice(1), ['100.0%', percent(overlap), points]);
      const mae = rows.find(([label]) => label.startsWith('mean absolute error'));
      assert.deepEqual(mae.slice(1), ['0', figure(today.published.mae), figure(today.published.mae)]);
      assert.match(await page.locator('#differences').innerText(), /guarantee\s+none\s+epsilon/);
      assert.deepEqual(await page.locator('#compare-figures .scroll').evaluate((box) => box.scrollWidth <= box.clientWidth), true, 'both in sight');
      await page.locator('#pin').click();
      assert.deepEqual(await page.locator('.pins label').allTextContents(), ['the counts as they are', now.publish.steps.join()]);
      await answered(page, () => page.getByRole('button', { name: 'Restore pin 1' }).click());
      assert.deepEqual((await state_of(page)).settings, raw);
      await page.getByRole('button', { name: 'Remove pin 1' }).click();
      assert.equal(await page.locator('.pins li').count(), 1);
      assert.equal(await overflow(page), null);
    }));

    test(`${width} px: a link restores the state in a new tab, and a reload`, () => visit({ viewport }, async (page, context) => {
      await settled(page);
      await page.locator('#pin').click();
      await answered(page, () => type(page, 'Noise', 1.5));
      await page.locator('select[name="focus-from"]').selectOption('7');
      await page.locator('select[name="focus-to"]').selectOption('10');
      const other = await page.locator('select[name="adversary"] option').last().getAttribute('value');
      await page.locator('select[name="adversary"]').selectOption(other);
      await page.getByRole('button', { name: 'Copy link' }).click();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      await state_of(page);
      assert.equal(await page.evaluate(() => location.href), link);
      const seen = async (tab) => {
        await settled(tab);
        await tab.locator('#compare-figures').waitFor();
        return {
          slider: await noise(tab).inputValue(), focus: await tab.locator('#focus tbody').innerText(), her: await tab.locator('select[name="adversary"]').inputValue(),
          brief: await tab.locator('#brief dl').innerText(), pinned: await tab.locator('#compare-figures tbody').innerText(),
        };
      };
      const wanted = await seen(page);
      assert.equal(wanted.her, other);
      assert.match(wanted.focus, /from 07:00 to 10:00/);
      const { page: tab, errors } = await watched(context);
      await tab.goto(link);
      assert.deepEqual(await seen(tab), wanted);
      await page.reload();
      assert.deepEqual(await seen(page), wanted);
      assert.deepEqual(errors, []);
      // What could be undone still can.
      await answered(page, () => page.locator('#undo').click());
      assert.equal((await state_of(page)).settings.publish, null);
    }));

    test(`${width} px: keyboard only, with focus in sight`, () => visit({ viewport }, async (page) => {
      await settled(page);
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
      const reached = new Set();
      const tab = async (until_) => {
        for (let i = 0; i < 80; ++i) {
          await page.keyboard.press('Tab');
          const at = await page.evaluate(() => {
            const e = document.activeElement;
            const { outlineStyle, outlineWidth } = getComputedStyle(e);
            const box = e.getBoundingClientRect();
            const bar = document.querySelector('#brief').getBoundingClientRect();
            const covered = !e.closest('#brief') && box.top >= bar.top && box.bottom <= bar.bottom && box.left >= bar.left && box.right <= bar.right;
            return { id: e.id || e.name || e.textContent.trim(), outline: outlineStyle !== 'none' && parseFloat(outlineWidth) > 0, covered };
          });
          assert.ok(at.outline, `no focus to be seen on ${at.id}`);
          assert.ok(!at.covered, `${at.id} is covered`);
          reached.add(at.id);
          if (at.id === until_) return;
        }
        assert.fail(`${until_} is not reached: ${[...reached]}`);
      };
      await tab('direct-noise');
      await answered(page, () => page.keyboard.press('ArrowRight'));
      assert.match((await state_of(page)).settings.publish.steps.join(), /LAPLACE/);
      await answered(page, () => page.keyboard.press('Control+z'));
      assert.equal((await state_of(page)).settings.publish, null);
      await answered(page, () => page.keyboard.press('Control+Shift+z'));
      assert.match((await state_of(page)).settings.publish.steps.join(), /LAPLACE/);
      await page.keyboard.press('Tab'); // the number beside it
      await page.keyboard.press('Control+a');
      await page.keyboard.type('0.5');
      await answered(page, () => page.keyboard.press('Enter'));
      assert.equal((await state_of(page)).settings.publish.steps.join(), 'LAPLACE(epsilon=0.5)');
      await tab('direct-threshold');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter'); // step by step
      await tab('add-step');
      const two = page.locator('summary', { hasText: 'What she knows' });
      await two.focus();
      await page.keyboard.press('Enter');
      await tab('priors');
    }));
  }

  for (const [width, colorScheme] of layouts) {
    test(`fits ${width} px, ${colorScheme}, whatever is open`, () => visit({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' }, async (page) => {
      await settled(page);
      await answered(page, () => type(page, 'Noise', 1.5));
      await page.locator('#pin').click();
      await answered(page, () => type(page, 'Threshold', 5));
      assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.live main > div')).transitionDuration), '0s');
      await page.evaluate(() => scrollTo(0, 0));
      await picture(page, `studio-${width}-${colorScheme}.png`);
      await draw_all(page);
      assert.equal(await overflow(page), null);
      for (const summary of await page.locator('#controls summary').all()) await summary.click();
      assert.equal(await overflow(page), null);
      await picture(page.locator('#controls'), `studio-controls-${width}-${colorScheme}.png`);
      if (width < 1120) {
        const fold = page.locator('.fold');
        await fold.click();
        assert.equal(await fold.getAttribute('aria-expanded'), 'false');
        assert.equal(await page.locator('#controls').isVisible(), false);
      }
      for (const id of ['compare', 'focus', 'published', 'publish', 'advise']) {
        await page.locator(`#${id}`).scrollIntoViewIfNeeded();
        await picture(page.locator(`#${id}`), `studio-${id}-${width}-${colorScheme}.png`);
      }
    }));
  }

  test('hours, places and people', () => visit({}, async (page) => {
    await settled(page);
    const { report } = await asked((await state_of(page)).settings);
    const her = report.adversaries[report.adversary];
    const requests = [];
    page.on('request', (request) => requests.push(request.url()));
    const row = async (start) => (await page.locator('#focus tbody tr', { hasText: start }).locator('td').allTextContents()).map((text) => text.trim());
    assert.deepEqual((await row('everybody')).slice(0, 4), [small(her.own), her.before.toFixed(3), her.without.toFixed(3), her.with.toFixed(3)]);
    // Over midnight.
    await page.locator('select[name="focus-from"]').selectOption('22');
    await page.locator('select[name="focus-to"]').selectOption('6');
    const mine = report.hours.series.find((s) => ['goal', 'prior', 'attack', 'decision'].every((key) => (s[key] ?? '') === (her[key] ?? '')));
    const chosen = report.hours.times.flatMap((time, i) => (Number(time.slice(11, 13)) >= 22 || Number(time.slice(11, 13)) < 6 ? [i] : []));
    const mean = (values) => chosen.reduce((sum, i) => sum + values[i], 0) / chosen.length;
    const [own, , ...rest] = await row('from 22:00');
    assert.deepEqual([own, ...rest], [small(mean(mine.without) - mean(mine.errors)), mean(mine.without).toFixed(3), mean(mine.errors).toFixed(3), `${chosen.length} epochs`]);
    const places = report.rois.places.map((place, i) => ({ ...place, own: her.places.own[i] })).filter((place) => place.own !== null && place.visits).slice(0, 2);
    for (const { id } of places) {
      await page.locator('input[name="focus-place"]').fill(id);
      await page.locator('input[name="focus-place"]').press('Enter');
    }
    const visits = places.reduce((sum, place) => sum + place.visits, 0);
    assert.equal((await row('at 2 places'))[0], small(places.reduce((sum, place) => sum + place.own * place.visits, 0) / visits));
    await page.locator('.chip').first().click();
    assert.equal(await page.locator('.chip').count(), 1);
    await page.locator('select[name="focus-group"]').selectOption({ index: 2 });
    assert.equal((await row('people by'))[0], small(her.by[0].groups[1].own));
    assert.deepEqual(requests, [], 'nothing was asked of the server');
    // Another answer, the same focus.
    await answered(page, () => type(page, 'Noise', 1.5));
    assert.equal(await page.locator('#focus tbody tr').count(), 4);
  }));

  test('charts follow, and keep what was chosen', () => visit({}, async (page) => {
    await settled(page);
    const last = await page.locator('select[name="adversary"] option').last().getAttribute('value');
    await page.locator('select[name="adversary"]').selectOption(last);
    const words = await page.locator('select[name="adversary"] option:checked').textContent();
    const plot = page.locator('#when-hours .plot');
    await draw(plot);
    const days = async () => (await plot.locator('svg text').allTextContents()).filter((text) => /^\w{3} \d\d-\d\d$/.test(text));
    const all_days = await days();
    await plot.focus();
    await page.keyboard.press('+');
    const toggle = page.locator('#when-hours .legend button').first();
    await toggle.click();
    await plot.evaluate((element) => (element.dataset.same = 'yes'));
    const zoomed = await plot.innerHTML();
    const seen = await days();
    assert.notDeepEqual(seen, all_days);
    const { y } = await plot.boundingBox();
    await answered(page, () => noise(page).evaluate((slider) => {
      slider.value = 25;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      slider.dispatchEvent(new Event('change', { bubbles: true }));
    }));
    await until(page, (old) => document.querySelector('#when-hours .plot').innerHTML !== old, zoomed);
    assert.equal(await plot.getAttribute('data-same'), 'yes', 'the chart is the same one');
    assert.equal(await toggle.getAttribute('aria-pressed'), 'false');
    assert.ok((await page.locator('select[name="adversary"] option:checked').textContent()).startsWith(words.split(',')[0]));
    assert.equal(await page.locator('select[name="adversary"]').inputValue(), last);
    assert.deepEqual(await days(), seen, 'still zoomed');
    assert.ok(Math.abs((await plot.boundingBox()).y - y) < 100, `the page is where it was: ${y}, ${(await plot.boundingBox()).y}`);
  }));

  test('every control has a name, every id is one, headings are in order', () => visit({}, async (page) => {
    await settled(page);
    await answered(page, () => type(page, 'Noise', 1.5));
    await page.locator('#pin').click();
    for (const summary of await page.locator('#controls summary').all()) await summary.click();
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const roles = ['button', 'slider', 'spinbutton', 'checkbox', 'radio', 'combobox', 'textbox', 'link', 'listbox', 'progressbar', 'region', 'group', 'toolbar', 'navigation', 'image'];
    const controls = nodes.filter((node) => !node.ignored && roles.includes(node.role?.value));
    assert.ok(controls.length > 60, String(controls.length));
    const nameless = controls.filter((node) => !node.name?.value?.trim() && !(node.role.value === 'group'));
    assert.deepEqual(nameless.map((node) => `${node.role.value} ${JSON.stringify(node.properties)}`), []);
    assert.ok(controls.some((node) => node.role.value === 'slider' && node.name.value === 'Noise'));
    assert.match(await noise(page).getAttribute('aria-valuetext'), /^epsilon /, 'its value is said in words');
    assert.deepEqual(await page.evaluate(() => {
      const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
      return ids.filter((id, i) => ids.indexOf(id) !== i);
    }), []);
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('label[for], [aria-controls], [aria-describedby]')]
      .flatMap((e) => [e.getAttribute('for'), e.getAttribute('aria-controls'), e.getAttribute('aria-describedby')])
      .filter((id) => id && !document.getElementById(id))), []);
    const levels = await page.locator('main :is(h1, h2, h3, h4)').evaluateAll((all) => all.map((h) => Number(h.tagName[1])));
    levels.forEach((level, i) => assert.ok(i === 0 || level <= levels[i - 1] + 2, `h${level} after h${levels[i - 1]}`));
    assert.equal(await page.locator('#announce').getAttribute('aria-live'), 'polite');
  }));

  test('links within the page go there, and leave the address', () => visit({}, async (page) => {
    await settled(page);
    const address = page.url();
    await page.locator('nav a[href="#who"]').click();
    await until(page, () => document.activeElement?.id === 'who');
    assert.equal(page.url(), address);
  }));

  long_test('eight tabs at once', () => visit({}, async (page, context) => {
    await settled(page);
    const tabs = [];
    for (let i = 0; i < 7; ++i) {
      const { page: tab } = await watched(context);
      await tab.goto(link_to(start));
      tabs.push(tab);
    }
    for (const tab of tabs) await settled(tab);
    await page.close();
    await answered(tabs[3], () => press(tabs[3], noise(tabs[3]), 'ArrowRight', 10));
  }));
});
