// SPDX-License-Identifier: Apache-2.0
// A finished report of a study with chains of steps: every defence beside every other.
//   HEARSAY_CHAINS_REPORT  a report of a study with chains of steps, presets, membership and audit
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { download_of, draw, eventually, figure, given, layouts, overflow, picture, small, until } from './browser.mjs';
import { parse_csv } from './csv.mjs';
import { all_defences, changed, visit } from './report.mjs';

const chains = given('HEARSAY_CHAINS_REPORT');

describe('all defences tried', { concurrency: false }, () => {
  const open = async (page, against) => {
    if (against) await page.locator(`input[name="chains-against"][value="${against}"]`).check();
    await draw(page.locator('#defences-all .plot'));
    return page.locator('#defences-all svg text').allTextContents();
  };
  const same_chain = (chain) => (other) => other.release === chain.release && other.parameter === chain.parameter;

  test('what being counted costs, for the strongest tried and for others', () => visit(chains, {}, async (page, report) => {
    const words = await open(page);
    assert.ok(words.includes('raw counts'));
    for (const { words: baseline } of report.baselines) assert.ok(words.includes(baseline.replace('publishing ', '')), baseline);
    const presets = report.chains.filter((chain) => chain.preset);
    assert.ok(presets.length > 1 && presets.some(({ release }) => words.includes(release)), words.join());
    const check = (rows, goal, wanted) => {
      assert.equal(rows.length, report.chains.length);
      report.chains.forEach((chain, i) => {
        assert.equal(rows[i].defence.includes('(preset)'), chain.preset !== null);
        assert.ok(rows[i].defence.includes(chain.release));
        for (const { name } of chain.steps) assert.ok(rows[i].steps.includes(name), name);
        assert.equal(rows[i].MRE, figure(chain.mre));
        assert.equal(rows[i].MAE, figure(chain.mae));
        assert.equal(rows[i]['beside the baselines'] !== '', chain.worse_than !== '' || chain.worse_than_mae !== '');
        assert.equal(rows[i].hides, chain.epsilon === null ? 'nothing' : chain.unit);
        const mine = chain.responses.filter((one) => one.goal === goal);
        assert.equal(rows[i]['own part'], mine.length ? small(mine.find(wanted).own) : '–');
      });
    };
    const goals = [...new Set(report.chains.flatMap((chain) => chain.responses.map((one) => one.goal)))];
    assert.equal(goals.length, 2);
    check(await all_defences(page), goals[0], (one) => one.strongest);
    await page.locator('select[name="chains-goal"]').selectOption(goals[1]);
    check(await all_defences(page), goals[1], (one) => one.strongest);
    await page.locator('select[name="chains-prior"]').selectOption('FREQ_ROI');
    check(await all_defences(page), goals[1], (one) => one.prior === 'FREQ_ROI');

    // It says against whom, and of which it was not measured.
    const said = await page.locator('#defences').innerText();
    assert.match(said, /attacked by BAYES only; the raw counts also by/);
    assert.match(await page.locator('#defences-all figcaption p').textContent(), /against those tried/);
    assert.match(await page.locator('#defences-not-measured').textContent(), /FPA/);
    assert.equal(await page.locator('.missing').count(), 0, 'all was asked');

    await page.locator('input[name="chains-lost"][value="mae"]').check();
    assert.ok((await open(page)).some((text) => text.startsWith('mean absolute error')));
  }));

  test('membership, by what she knows and by size of group', () => visit(chains, {}, async (page, report) => {
    const words = await open(page, 'auc');
    assert.ok(words.includes('raw counts') && words.includes('blind guess'), words.join());
    const groups = await page.locator('select[name="chains-group"] option').evaluateAll((all) => all.map((o) => o.value));
    assert.deepEqual(groups, ['5', '15']);
    const known = await page.locator('select[name="chains-knowledge"] option').evaluateAll((all) => all.map((o) => o.value));
    assert.equal(known.length, 2);
    for (const knowledge of known) {
      for (const group of groups) {
        await page.locator('select[name="chains-knowledge"]').selectOption(knowledge);
        await page.locator('select[name="chains-group"]').selectOption(group);
        const rows = await all_defences(page);
        report.chains.forEach((chain, i) => {
          const lines = report.membership.lines.filter((line) => same_chain(chain)(line) && `${line.knows}; ${line.knows_of_others}` === knowledge);
          const medians = lines.flatMap((line) => line.points.filter((point) => String(point.group) === group).map((point) => point.auc.p50));
          assert.equal(rows[i].AUC, medians.length ? Math.max(...medians).toFixed(3) : '–', chain.release);
        });
      }
    }
  }));

  test('the claim, its reason where there is none, and the audit beside it', () => visit(chains, {}, async (page, report) => {
    const words = await open(page, 'claim');
    assert.ok(words.includes('promises nothing'), words.join());
    assert.match(await page.locator('#defences-all .legend').innerText(), /found by audit/);
    const rows = await all_defences(page);
    report.chains.forEach((chain, i) => {
      assert.equal(rows[i].epsilon, chain.epsilon === null ? '–' : figure(chain.epsilon));
      if (chain.note) assert.equal(rows[i]['why, or what it rests on'], chain.note);
      const audit = report.membership.audit.find(same_chain(chain));
      assert.equal(rows[i]['audit: found'], audit ? figure(audit.found) : '–');
      assert.equal(rows[i].verdict, audit ? (audit.broken ? 'BROKEN' : 'not broken') : '–');
    });
    // The paper's form of FPA has too little noise for its epsilon: a word on the chart, and in the table.
    assert.ok(report.membership.audit.length > 2 && report.membership.audit.some((one) => one.broken && one.release === 'FPA'));
    assert.equal(words.filter((word) => word === 'BROKEN').length, report.membership.audit.filter((one) => one.broken).length);
    const csv = parse_csv((await download_of(page, 'defences-all', 'CSV')).toString());
    assert.equal(csv.length, report.chains.length);
    report.chains.forEach((chain, i) => assert.equal(Number(csv[i].MRE), chain.mre));
  }));

  test('its table can be sorted', () => visit(chains, {}, async (page, report) => {
    const head = page.locator('#defences-all th', { hasText: /^MAE$/ });
    const shown = async () => (await all_defences(page)).map((row) => row.MAE);
    const rising = [...report.chains].sort((a, b) => a.mae - b.mae).map((chain) => figure(chain.mae));
    await head.locator('button').focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await shown(), rising);
    assert.equal(await head.getAttribute('aria-sort'), 'ascending');
    await page.keyboard.press('Enter');
    assert.deepEqual(await shown(), rising.toReversed());
    assert.equal(await head.getAttribute('aria-sort'), 'descending');
    await page.keyboard.press('Enter');
    assert.deepEqual(await shown(), report.chains.map((chain) => figure(chain.mae)));
    await page.locator('#defences-all th', { hasText: /^epsilon$/ }).locator('button').click();
    assert.equal((await all_defences(page)).at(-1).epsilon, '–', 'what has none comes last');
  }));

  test('points are told by keyboard and under the pointer', () => visit(chains, {}, async (page, report) => {
    await open(page, 'claim');
    const plot = page.locator('#defences-all .plot');
    const tip = plot.locator('.tip').first();
    const heard = page.locator('#defences-all p[aria-live]');
    await plot.focus();
    await page.keyboard.press('Home');
    const found = new Set();
    for (const chain of report.chains) {
      const words = await heard.textContent();
      const mine = report.chains.find((one) => words.startsWith(`${one.release} ${one.preset ? '(preset)' : one.parameter.replace(/,(?=\S)/g, ', ')}. `));
      assert.ok(mine, words);
      found.add(mine);
      for (const step of mine.steps) assert.ok(words.includes(report.entries.mechanisms.find((entry) => entry.name === step.name).summary), step.name);
      assert.ok(words.includes(mine.epsilon === null ? 'promises nothing' : `epsilon ${figure(mine.epsilon)}`), words);
      await until(page, ([id, name]) => document.querySelector(`#${id} .tip strong`)?.textContent.startsWith(name), ['defences-all', mine.release]);
      const box = await tip.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 1280, 'the words stay on the page');
      await page.keyboard.press('ArrowRight');
    }
    assert.equal(found.size, report.chains.length, 'every one');
    await page.keyboard.press('Escape');
    assert.equal(await heard.textContent(), '');
    await page.locator('#defences-all h4').click();
    await eventually('a chain under the pointer', async () => {
      for (const mark of await plot.locator('svg path').all()) {
        const box = await mark.boundingBox();
        if (!box || box.width > 24 || box.width < 6) continue;
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        if ((await tip.isVisible()) && /guarantee/.test(await tip.textContent())) return true;
      }
      return false;
    });
  }));

  for (const [width, colorScheme] of layouts) {
    test(`fits ${width} px, ${colorScheme}, long chains too`, async () => {
      const long = changed(chains, `long-chains-${width}`, (report) => {
        const chain = report.chains.find((one) => one.steps.length > 2);
        chain.release = Array(12).fill(chain.release).join('+');
        chain.parameter = Array(12).fill(chain.parameter).join('; ');
        chain.steps = Array(12).fill(chain.steps).flat();
        return report;
      });
      for (const [name, path] of [['all-defences', chains], ['long-chains', long]]) {
        await visit(path, { viewport: { width, height: 900 }, colorScheme }, async (page) => {
          for (const against of ['own', 'auc', 'claim']) {
            await open(page, against);
            assert.equal(await overflow(page), null);
            const plot = page.locator('#defences-all .plot');
            await plot.focus();
            await page.keyboard.press('End');
            await plot.locator('.tip').first().waitFor();
            assert.equal(await overflow(page), null, 'with the words of a point');
            await page.keyboard.press('Escape');
            await picture(page.locator('#defences-all'), `${name}-${against}-${width}.png`);
          }
        });
      }
    });
  }

  test('what was not measured is not offered, and says what to set', async () => {
    const bare = changed(chains, 'chains-bare', (report) => ({
      ...report, membership: null, chains: report.chains.map((chain) => ({ ...chain, responses: chain.responses.map((one) => ({ ...one, own: null, own_half_width: null, own_raw: null, without: null })) })),
    }));
    await visit(bare, {}, async (page) => {
      assert.equal(await page.locator('input[name="chains-against"]').count(), 0, 'the claim alone');
      assert.match(await page.locator('#defences-all h4').textContent(), /the claim/);
      const said = (await page.locator('.missing').allTextContents()).join(' ');
      for (const setting of ['study.control = true', '[membership]', 'audit among study.goals']) assert.ok(said.includes(setting), setting);
      await open(page);
      assert.ok(!(await page.locator('#defences-all').innerText()).includes('own part'));
    });
  });
});
