// SPDX-License-Identifier: Apache-2.0
// Finished reports of a small town: names that would be markup, no control, flows, membership, paths.
//   HEARSAY_PLAIN_REPORT    a report of a study without a control
//   HEARSAY_FLOWS_REPORT    a report of a study of flows, between places with coordinates
//   HEARSAY_HOSTILE_REPORT  a report with a place named <img src=x onerror=...>
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { download_of, draw, draw_all, eventually, given, layouts, long, overflow, percent, picture, scenario_widths, table_of } from './browser.mjs';
import { parse_csv } from './csv.mjs';
import { added_to, alone, membership, sentence } from './membership.mjs';
import { changed, visit } from './report.mjs';

const plain = given('HEARSAY_PLAIN_REPORT');
const flows = given('HEARSAY_FLOWS_REPORT');
const hostile = given('HEARSAY_HOSTILE_REPORT');

test('names in the data are text', () => visit(hostile, {}, async (page, report) => {
  const place = report.rois.places.find((p) => /<img/.test(p.name));
  assert.ok(place, 'the report has a place named <img ...>');
  await draw(page.locator('#where-map .plot'));
  const rows = await table_of(page, 'where-map');
  assert.ok(rows.some((row) => row[1] === place.name), 'the name is in the table as it is');
  const csv = (await download_of(page, 'where-map', 'CSV')).toString();
  assert.ok(report.rois.places.some((p) => p.name === '=cmd()'), 'the report has a place named =cmd()');
  assert.ok(Object.values(parse_csv(csv)).some((row) => Object.values(row).includes("'=cmd()")), 'a formula is text in CSV');
  assert.ok(!/(^|,)"?=/m.test(csv));
  const plot = page.locator('#where-map .plot');
  await plot.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const svg = (await download_of(page, 'where-map', 'SVG')).toString();
  assert.ok(!svg.includes('<img'));
  // Over every mark until the tooltip names it.
  await eventually('the name is in a tooltip as it is', async () => {
    for (const mark of await plot.locator('svg path').all()) {
      const box = await mark.boundingBox();
      if (!box || box.width > 200) continue;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      if (await plot.evaluate((p, text) => [...p.querySelectorAll('.tip strong')].some((s) => s.textContent.includes(text)), place.name)) return true;
    }
    return false;
  });
  assert.equal(await page.locator('img').count(), 0);
}));

test('a study without a control shows what there is', async () => {
  for (const [width, colorScheme] of layouts) {
    await visit(plain, { viewport: { width, height: 900 }, colorScheme }, async (page, report) => {
      assert.equal(report.adversaries[report.adversary].own, null);
      await draw_all(page);
      assert.equal(await overflow(page), null);
      assert.deepEqual(await page.locator('.findings p').allTextContents(), report.findings);
      assert.ok((await page.locator('#tile-mean-loss').textContent()).includes(percent(report.adversaries[report.adversary].loss)));
      assert.equal(await page.locator('#tile-own, #tile-counted, #who-own, input[value="own"], input[value="own_mean"]').count(), 0);
      assert.ok((await table_of(page, `answer-parts-${report.goals[0].name}`))[0].includes('what the counts take'));
      assert.ok(!(await page.locator('main').innerText()).includes('own part'));
    });
  }
});

test('flows are lines on the map', async () => {
  for (const [width, colorScheme] of layouts) {
    await visit(flows, { viewport: { width, height: 900 }, colorScheme }, async (page, report) => {
      assert.equal(report.rois.shape, 'pairs');
      const [pair] = report.rois.places.filter((place) => place.visits > 0);
      assert.match(pair.id, / -> /);
      assert.ok([pair.lat, pair.lng, pair.end_lat, pair.end_lng].every(Number.isFinite));
      const map = page.locator('#where-map');
      await draw(map.locator('.plot'));
      if (long) await draw_all(page);
      assert.equal(await overflow(page), null);
      assert.ok(await map.locator('canvas, svg').first().isVisible());
      await picture(map, `flows-${width}.png`);
    });
  }
});

describe('were you counted', { concurrency: false }, () => {
  const charts_of = (page) => page.locator('#membership figure.chart').evaluateAll((all) => all.map((f) => f.id));

  test('lines, people, audits and tables', () => visit(changed(plain, 'counted', added_to), {}, async (page, report) => {
    assert.deepEqual(await page.locator('.findings p').allTextContents(), report.findings);
    assert.equal(await page.locator('nav a[href="#membership"]').textContent(), 'Were you counted?');
    await draw_all(page, '#membership');
    const releases = 3;
    assert.deepEqual(await charts_of(page), [
      ...[1, 2, 3].map((n) => `membership-auc-${n}`), 'membership-exposed-activity', 'membership-exposed-company', 'membership-lines', 'membership-audit',
    ]);
    for (let n = 1; n <= releases; ++n) {
      const words = await page.locator(`#membership-auc-${n} svg text`).allTextContents();
      for (const word of ['blind guess', '5', '100', '300']) assert.ok(words.includes(word), `${word} in ${words}`);
    }
    // The strongest attack at each size, with the others to choose from.
    const [head, ...rows] = await table_of(page, 'membership-auc-1');
    const shown = (of, group) => of.find((row) => row[1] === 'where the person was' && row[2] === 'nothing of the others' && row[head.indexOf('group')] === group);
    assert.deepEqual([shown(rows, '100')[0], shown(rows, '100')[head.indexOf('median')]], ['LIKELIHOOD', '0.998']);
    assert.match(shown(rows, '300').at(-1), /overstated/);
    assert.ok(!head.includes('TPR at 0.1% FPR'), 'there is nothing in it');
    await page.locator('select[name="membership-attack"]').selectOption('LINEAR');
    assert.equal(shown((await table_of(page, 'membership-auc-1')).slice(1), '100')[head.indexOf('median')], '0.960');
    await page.locator('select[name="membership-attack"]').selectOption('');
    await page.locator('input[name="membership-facet"][value="knowledge"]').check();
    assert.equal(await page.locator('#membership .plot').count(), 4 + 2, 'four kinds of knowledge, two groupings');
    await draw_all(page, '#membership');
    assert.match(await page.locator('#membership-auc-1 .legend').innerText(), /the counts as they are[^]*epsilon=1[^]*epsilon=0.1/);
    const plot = page.locator('#membership-auc-1 .plot');
    await draw(plot);
    await eventually('an AUC under the pointer', async () => {
      const box = await plot.boundingBox();
      await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.5);
      await page.mouse.move(box.x + box.width * 0.65, box.y + box.height * 0.5);
      return /Groups of \d+/.test(await plot.locator('.tip').first().textContent({ timeout: 1000 }).catch(() => ''));
    });
    const people = await table_of(page, 'membership-exposed-company');
    assert.deepEqual(people.slice(1).map((row) => row.at(-1)), ['1.000', '0.999', '0.962']);
    await page.locator('select[name="membership-exposed"]').selectOption('1');
    assert.deepEqual((await table_of(page, 'membership-exposed-company')).slice(1).map((row) => row.at(-1)), ['0.700', '0.610', '0.550']);

    const lines = parse_csv((await download_of(page, 'membership-lines', 'CSV')).toString());
    assert.equal(lines.length, membership.lines.flatMap((line) => line.points).length);
    assert.equal(Number(lines[3].median), 0.998);
    // Broken is a word, not a colour.
    const audit = await page.locator('#membership-audit tbody tr').allInnerTexts();
    assert.match(audit[0], /^SCM.*\t1\t0\.83\tnot broken\tone event/);
    assert.match(audit[1], /^FPA.*\t1\t1\.7\tBROKEN\ta user/);
    assert.match(await page.locator('#membership-verdict').innerText(), /Broken: 1 of 2 promises. FPA k=10, epsilon=1 claims epsilon 1 for a user; at least 1.7 was found./);
    assert.equal(parse_csv((await download_of(page, 'membership-audit', 'CSV')).toString())[1].verdict, 'BROKEN');
    for (const region of await page.locator('#membership .scroll').all()) {
      assert.ok(await region.getAttribute('aria-label'));
      assert.equal(await region.getAttribute('tabindex'), '0');
    }
    await page.locator('.glossary summary').click();
    for (const term of ['AUC', 'TPR at 1% FPR', 'company', 'claimed, found']) assert.equal(await page.locator('.glossary dt').getByText(term, { exact: true }).count(), 1, term);
  }));

  for (const [width, colorScheme] of layouts) {
    test(`fits ${width} px, ${colorScheme}, beside other goals and alone`, async () => {
      for (const [name, change] of [['counted', added_to], ['counted-alone', alone]]) {
        await visit(changed(plain, name, change), { viewport: { width, height: 900 }, colorScheme }, async (page) => {
          await draw_all(page, '#membership');
          assert.equal(await overflow(page), null);
          // Claimed, found and the verdict are seen without scrolling.
          const verdict = await page.locator('#membership-audit th', { hasText: 'verdict' }).boundingBox();
          assert.ok(verdict.x + verdict.width <= width, `${verdict.x + verdict.width}`);
          await picture(page.locator('#membership'), `${name}-${width}.png`);
        });
      }
    });
  }

  test('alone it is the answer', () => visit(changed(plain, 'counted-alone', alone), {}, async (page) => {
    assert.deepEqual(await page.locator('main > section').evaluateAll((all) => all.map((s) => s.id)), ['answer', 'settings', 'membership']);
    assert.equal(await page.locator('.findings > p').textContent(), sentence);
    assert.equal(await page.locator('.tile').count(), 0);
  }));

  test('few people tried: means, or nothing', async () => {
    const few = (change) => (report) => {
      const made = structuredClone(added_to(report));
      for (const { points } of made.membership.lines) points.forEach(change);
      made.membership.exposure = [];
      made.membership.audit = [];
      return made;
    };
    const means = few((point) => { for (const p of ['p05', 'p25', 'p50', 'p75', 'p95']) point.auc[p] = null; });
    await visit(changed(plain, 'counted-means', means), {}, async (page) => {
      await draw_all(page, '#membership');
      assert.match(await page.locator('#membership-auc-1 figcaption p').textContent(), /^Mean AUC/);
      const [head, first] = await table_of(page, 'membership-auc-1');
      assert.ok(!head.includes('median'));
      assert.equal(first[head.indexOf('mean')], '0.990');
      assert.deepEqual((await charts_of(page)).slice(-2), ['membership-auc-3', 'membership-lines']);
    });
    const nothing = few((point) => { for (const p of Object.keys(point.auc)) point.auc[p] = null; });
    await visit(changed(plain, 'counted-nothing', nothing), {}, async (page) => {
      assert.equal(await page.locator('#membership .plot').count(), 0);
      assert.match(await page.locator('#membership').innerText(), /fewer than 10 people were tried/);
    });
  });
});

describe('paths', { concurrency: false }, () => {
  const line = (method, release, parameter, numbers) => {
    const [right, shuffled, right_active, shuffled_active] = numbers;
    return { method, release, parameter, raw: release === 'RAW', people: 500, repeats: 1, right, shuffled, right_active, shuffled_active };
  };
  const method = { name: 'memory', summary: 'People go back to where they have been.', explanation: 'An example.', citation: '', parameters: [] };
  const with_paths = (people) => (report) => ({
    ...report,
    trajectories: {
      methods: [method],
      lines: [line('memory', 'RAW', '', [0.45, 0.38, 0.36, 0.34]), line('memory', 'SCM', 'sensitivity=event,epsilon=1', [0.3, 0.3, null, null])]
        .map((one) => ({ ...one, people })),
    },
  });

  for (const width of scenario_widths) {
    test(`what is right beside shuffled people, ${width} px`, () => visit(changed(plain, 'paths', with_paths(500)), { viewport: { width, height: 900 } }, async (page) => {
      assert.equal(await page.locator('nav a[href="#paths"]').textContent(), 'Paths');
      const rows = await page.locator('#paths-table tbody tr').allInnerTexts();
      assert.match(rows[0], /^memory\tas counted\t\s*\t45\.0%\t38\.0%\t7\.0%\t36\.0%\t34\.0%\t2\.0%/);
      assert.match(rows[1], /^memory\tSCM\t.*\t30\.0%\t30\.0%\t0\.0%\t–\t–\t–/);
      assert.equal(await overflow(page), null);
    }));
  }
  test('are held back where there are few people', () => visit(changed(plain, 'few-paths', with_paths(5)), {}, async (page, report) => {
    assert.ok(report.settings.least_people > 5);
    assert.equal(await page.locator('#paths-table').count(), 0);
  }));
});
