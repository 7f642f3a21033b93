// SPDX-License-Identifier: Apache-2.0
// Uses finished reports of whole studies: their numbers, switches, tables and tooltips.
//   HEARSAY_REPORTS  report.html files, separated by colons, each beside its summary.csv
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { draw, draw_all, eventually, long, overflow, percent, pictures, small, table_of, until } from './browser.mjs';
import { parse_csv } from './csv.mjs';
import { all_defences, check_tiles, visit } from './report.mjs';

const reports = process.env.HEARSAY_REPORTS.split(':').map((path) => resolve(path));

const matters = (d) => (d.own_raw ?? 0) > 1e-12;
/** Whether defences were tried against anybody from whom the counts took something. */
const spared_any = (report) => report.defences.some((d) => matters(d) || d.given_back !== null);

const by = (strategy) => [strategy.attack, strategy.decision].filter(Boolean).join(', ');

/** The paper's best beside the strongest: in their table, and marked on the curves of each prior. */
async function check_strongest(page, report, goal) {
  const best = report.best.filter((one) => one.goal === goal);
  const rows = await page.locator(`#${goal}-strongest tbody tr`).evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
  assert.equal(rows.length, best.length);
  for (const { prior, before, paper, with: strongest } of best) {
    const [papers, whose, less] = paper ? [paper.error.toFixed(3), by(paper), small(paper.error - strongest.error)] : ['–', '–', '–'];
    const wanted = [prior, papers, strongest.error.toFixed(3), less, before.error.toFixed(3), whose, by(strongest), by(before)];
    assert.deepEqual(rows.find((row) => row[0] === prior), wanted);
    const legend = page.locator(`[id="${goal}-cdf-${prior}"] .legend`);
    if (!(await legend.count())) continue;
    const tags = await legend.locator('.tag').evaluateAll((all) => all.map((tag) => `${tag.textContent}: ${tag.closest('button').title}`));
    assert.deepEqual(new Set(tags), new Set([...(paper ? [`paper: Show or hide ${by(paper)}`] : []), `strongest: Show or hide ${by(strongest)}`]));
  }
  const caption = await page.locator(`#${goal}-strongest figcaption p`).textContent();
  const equal = best.filter(({ paper, with: strongest }) => paper && paper.error - strongest.error < 0.00005);
  assert.equal(caption.includes('Nothing tried beats the paper'), equal.length > 0, caption);
  assert.equal(caption.includes('no such knowledge'), best.some(({ paper }) => !paper), caption);
}

for (const path of reports) {
  const name = basename(dirname(path));
  describe(`${name}/${basename(path)}`, { concurrency: false }, () => {
    const summary = parse_csv(readFileSync(join(dirname(path), 'summary.csv'), 'utf8')).filter((row) => row.release === 'RAW');

    test('is small, and its first table opens before the charts further down are drawn', async () => {
      const size = readFileSync(path).length;
      assert.ok(size < 6e6, `${size} bytes`);
      await visit(path, {}, async (page) => {
        const button = page.locator('.chart').first().getByRole('button', { name: 'Table', exact: true });
        await button.click();
        assert.equal(await button.getAttribute('aria-expanded'), 'true');
        assert.ok((await page.locator('.plot[data-ready="false"]').count()) > 10, 'charts far from the screen are not drawn yet');
      });
    });

    test('has every section and chart, and the numbers of summary.csv', () => visit(path, {}, async (page, report) => {
      const goals = [...new Set(summary.map((row) => row.goal))];
      const sections = ['answer', 'settings', ...goals, 'when', 'where', 'who', ...(report.membership ? ['membership'] : []), ...(report.trajectories ? ['paths'] : []), 'defences', ...(report.paper ? ['paper'] : [])];
      assert.deepEqual(await page.locator('main > section').evaluateAll((all) => all.map((s) => s.id)), sections);
      const links = await page.locator('nav a').evaluateAll((all) => all.map((a) => a.getAttribute('href').slice(1)));
      assert.deepEqual(links, sections);
      for (const finding of report.findings) assert.ok((await page.locator('#answer').textContent()).includes(finding));
      for (const warning of report.warnings) assert.ok((await page.locator('#answer').textContent()).includes(warning));

      // One adversary for all tiles, the one of the first sentence: of her goal, the counts add most to what she knows.
      const her = report.adversaries[report.adversary];
      const taken = ({ goal, prior }) => {
        const mine = summary.filter((row) => row.goal === goal && row.prior === prior);
        const least = (rows) => Math.min(...rows.map((row) => Number(row.error_mean)));
        const [blind, using] = [mine.filter((row) => ['PRIOR', 'NOWHERE'].includes(row.attack)), mine.filter((row) => !['PRIOR', 'NOWHERE'].includes(row.attack))];
        return { before: least(blind), with: least(using) };
      };
      for (const one of report.adversaries) {
        assert.ok(Math.abs(one.before - taken(one).before) < 1e-9 && Math.abs(one.with - taken(one).with) < 1e-9, one.prior);
      }
      const gained = (one) => Math.max(0, taken(one).before - taken(one).with);
      assert.ok(Math.abs(gained(her) - Math.max(...report.adversaries.filter((one) => one.goal === her.goal).map(gained))) < 1e-9);
      assert.match(report.findings[0], gained(her) > 1e-9 ? new RegExp(`\\(${her.prior}, ${her.attack}\\b`) : /nothing/);
      await check_tiles(page, report, report.adversary);
      for (const tile of ['own', 'counted', 'worst-hour', 'worst-roi']) {
        const text = await page.locator(`#tile-${tile}`).allTextContents();
        for (const prior of new Set(summary.map((row) => row.prior))) assert.ok(!text.join().includes(prior), `${tile} names ${prior}`);
      }

      // What became of the events, and what was held back.
      const facts = await page.locator('#settings').textContent();
      for (const key of ['events', 'used', 'outside_period', 'outside_rois']) assert.ok(facts.includes(report.dataset[key].toLocaleString('en-US')), key);
      assert.match(await page.locator('#held-back').textContent(), new RegExp(`fewer than ${report.settings.least_people} people`));
      assert.equal(await page.getByText("no one's movements").count(), 0);
      for (const group of her.by.flatMap((by) => by.groups)) assert.ok(group.users >= report.settings.least_people);
      assert.ok(report.cdf.probabilities.length <= report.dataset.users / report.settings.least_people);
      const base = report.settings.log_base === 2 ? 'possible is 1.' : 'possible is 0.83.';
      if (goals.includes('profiling')) assert.ok((await page.locator('#profiling .lede').textContent()).includes(base));

      const charts = await page.locator('figure.chart').evaluateAll((all) => all.map((f) => f.id));
      for (const goal of goals) {
        const priors = [...new Set(summary.filter((row) => row.goal === goal).map((row) => row.prior))];
        for (const prior of priors) assert.ok(charts.includes(`${goal}-cdf-${prior}`), `${goal}-cdf-${prior}`);
        assert.ok(charts.includes(`${goal}-matrix`));
        assert.ok(charts.includes(`answer-parts-${goal}`));
        assert.ok(charts.includes(`${goal}-strongest`));
      }
      for (const chart of ['when-hours', 'when-week']) assert.ok(charts.includes(chart));
      assert.equal(charts.filter((id) => id.startsWith('who-')).length, her.by.length + 1);
      assert.ok(charts.includes('who-own'));
      if (report.rois?.places.some((place) => place.lat !== null)) assert.ok(charts.includes('where-map'));
      if (report.defences.length) assert.ok(charts.includes('defences-utility'));
      assert.equal(charts.includes('defences-all'), report.chains.length > 0);
      if (report.chains.length) assert.equal((await all_defences(page)).length, report.chains.length);
      assert.equal(charts.includes('defences-tradeoff'), spared_any(report));
      for (const figure of await page.locator('figure.chart').all()) {
        assert.ok((await figure.locator('figcaption p').textContent()).length > 30, 'a caption');
      }
      for (const goal of goals) {
        // Best responses, and the parts between them.
        const [head, ...best] = await table_of(page, `answer-parts-${goal}`);
        for (const one of report.best.filter((b) => b.goal === goal)) {
          const row = best.find((r) => r[0] === one.prior);
          for (const [i, mark] of ['before', 'without', 'with'].entries()) {
            assert.deepEqual(row.slice(1 + 2 * i, 3 + 2 * i), [one[mark].error.toFixed(3), [one[mark].attack, one[mark].decision].filter(Boolean).join(', ')]);
          }
          assert.equal(row[head.indexOf('crowd part')], small(one.before.error - one.without.error));
          assert.equal(row[head.indexOf('own part')], small(one.without.error - one.with.error));
        }
        await check_strongest(page, report, goal);
        const own = await table_of(page, `${goal}-matrix`);
        const compared = report.summary.filter((row) => row.goal === goal && row.baseline && row.attack !== 'NOWHERE');
        for (const row of compared) assert.ok(own.flat().includes(small(row.own_mean)), `${goal} ${row.prior} ${row.attack} ${row.own_mean}`);
        await page.locator(`#${goal} .switch input[value="loss_mean"]`).check();
        const shown = await table_of(page, `${goal}-matrix`);
        assert.ok(!shown[0].some((name) => name.includes('NOWHERE')), 'a blind guess has no loss');
        const lost = summary.filter((r) => r.goal === goal && r.loss_mean !== '' && r.attack !== 'NOWHERE');
        for (const row of lost) assert.ok(shown.flat().includes(percent(row.loss_mean)), `${goal} ${row.prior} ${row.attack} ${row.loss_mean}`);
        for (const row of lost.filter((r) => r.decision === '')) assert.equal(shown.find((r) => r[0] === row.prior)[shown[0].indexOf(row.attack)], percent(row.loss_mean));
        for (const row of summary.filter((r) => r.goal === goal)) {
          const legend = await page.locator(`[id="${goal}-cdf-${row.prior}"] .legend`).textContent();
          for (const key of ['error_mean', 'error_p50']) assert.ok(legend.includes(Number(row[key]).toFixed(3)), `${goal} ${row.prior} ${row.attack} ${key}`);
        }
      }
    }));

    test('another adversary can be chosen', () => visit(path, {}, async (page, report) => {
      const choice = page.locator('select[name="adversary"]');
      const titles = () => page.locator('#when h4, #where h4, #who h4').allTextContents();
      // The short tier chooses the first and the last.
      const numbers = [...report.adversaries.keys()].filter((number) => long || number === 0 || number === report.adversaries.length - 1);
      for (const number of numbers) {
        const her = report.adversaries[number];
        await choice.selectOption(String(number));
        await check_tiles(page, report, number);
        const own = await table_of(page, 'who-own');
        assert.equal(own.at(-1)[1], small(her.own_steps.at(-1)));
        assert.ok((await page.locator('#when-hours h4').textContent()).includes(`${her.goal} with ${her.prior}`));
        assert.ok((await page.locator('#when-hours .legend').textContent()).includes('person left out'));
        assert.equal(await page.locator('#where-map').count(), her.places && report.rois.places.some((p) => p.lat !== null) ? 1 : 0);
      }
      // Own parts and the paper's losses: one switch for hours, places and people.
      await choice.selectOption(String(report.adversary));
      const her = report.adversaries[report.adversary];
      for (const title of await titles()) assert.match(title, /Own part|being counted|Error by epoch/);
      const groups = async () => (await table_of(page, 'who-activity')).slice(1).map((row) => row[4]);
      assert.deepEqual(await groups(), her.by[0].groups.map((group) => small(group.own)));
      await page.locator('input[name="when-part"][value="loss"]').check();
      assert.equal(await page.locator('input[name="who-part"][value="loss"]').isChecked(), true);
      assert.deepEqual(await groups(), her.by[0].groups.map((group) => percent(group.loss)));
      assert.equal((await titles()).filter((title) => title.startsWith("Paper's loss")).length, her.by.length + 1 + (await page.locator('#where-map').count()));
    }));

    test('switches, toggles, zoom and tables work', () => visit(path, {}, async (page, report) => {
      const goal = report.summary[0].goal;
      const first = page.locator(`#${goal} figure.chart`).first();
      await draw(first.locator('.plot'));
      const before = await first.locator('.plot').innerHTML();
      const toggle = first.locator('.legend button').first();
      await toggle.click();
      assert.equal(await toggle.getAttribute('aria-pressed'), 'false');
      await until(page, ([id, old]) => document.getElementById(id).querySelector('.plot').innerHTML !== old, [await first.getAttribute('id'), before]);
      await toggle.click();

      const share = page.locator(`#${goal} .switch input[value="improved"]`);
      await share.check();
      const shown = (await table_of(page, `${goal}-matrix`)).flat();
      for (const row of summary.filter((r) => r.goal === goal && r.improved !== '' && r.attack !== 'NOWHERE')) assert.ok(shown.includes(percent(row.improved)), `improved ${row.improved}`);

      for (const name of ['adversary', ...(report.defences.length ? ['defence-adversary'] : [])]) {
        const select = page.locator(`select[name="${name}"]`);
        const values = await select.locator('option').evaluateAll((all) => all.map((o) => o.value));
        await select.selectOption(values.at(-1));
        assert.equal(await select.inputValue(), values.at(-1));
      }
      const hours = page.locator('#when-hours .plot');
      await draw(hours);
      const whole = await hours.innerHTML();
      await hours.focus();
      await page.keyboard.press('+');
      await until(page, (old) => document.querySelector('#when-hours .plot').innerHTML !== old, whole);

      if (report.defences.length) {
        const tile = page.locator('#tile-best-defence .value');
        await page.locator('#limit-number').fill('0');
        const takes = report.best.some((one) => one.before.error > one.with.error);
        assert.match(await tile.textContent(), spared_any(report) || !takes ? /None/ : /Not measured/);
        await page.locator('#limit-number').fill('1e9');
        const spared = (d) => Math.round(100 * (matters(d) ? 1 - Math.max(0, d.own) / d.own_raw : (d.given_back ?? -1)));
        const best = report.defences.reduce((a, b) => (spared(b) > spared(a) || (spared(b) === spared(a) && b.mre < a.mre) ? b : a));
        const words = await page.locator('#tile-best-defence').textContent();
        if (spared_any(report)) {
          assert.ok((await tile.textContent()).startsWith(best.release));
          assert.ok(words.includes(matters(best) ? 'that being counted costs' : 'of the error that the counts took'), words);
        } else {
          assert.ok(words.includes(takes ? 'From others they take some' : 'nothing to give back'), words);
        }
        const utility = await page.locator('#defences-utility tbody').innerText();
        for (const d of report.defences) assert.ok(utility.includes(`/ ${small(d.own_raw)}`), d.parameter);
        for (const baseline of report.baselines) assert.ok(utility.includes(`baseline: ${baseline.words}`), baseline.release);
        assert.ok(report.baselines.some((one) => one.release === 'ZEROS'));
        const nearest = report.baselines.reduce((a, b) => (b.mre < a.mre ? b : a));
        const rows = await page.locator('#defences-utility tbody tr').allInnerTexts();
        assert.equal(rows.length, report.defences.length + report.baselines.length);
        report.defences.forEach((d, i) => {
          assert.equal(d.worse_than, d.mre > nearest.mre ? nearest.release : '', d.parameter);
          assert.equal(rows[i].includes(`further off than ${nearest.words}`), d.mre > nearest.mre || d.worse_than_mae === nearest.release, d.parameter);
        });
        if (await page.locator('input[name="defences-by"]').count()) {
          await page.locator('input[name="defences-by"][value="own"]').check();
          assert.match(await page.locator('#defences-tradeoff h4').textContent(), /being counted still costs/);
        }
      }
      // Every table opens and closes again; those of the map and the hours stay open.
      const tables = await page.locator('.tools button[aria-controls]').evaluateAll(async (buttons) => {
        const shown = [];
        for (const button of buttons) {
          const id = button.getAttribute('aria-controls');
          const drawn = () => new Promise((done) => setTimeout(done));
          if (button.getAttribute('aria-expanded') === 'false') button.click();
          await drawn();
          shown.push([id, button.getAttribute('aria-expanded'), document.querySelectorAll(`[id="${id}"] table tbody tr`).length]);
          if (!/where|when-hours/.test(id)) button.click();
          await drawn();
        }
        return shown;
      });
      assert.ok(tables.length > 10, String(tables.length));
      for (const [id, expanded, rows] of tables) assert.ok(expanded === 'true' && rows > 0, `${id}: ${expanded}, ${rows} rows`);
      assert.equal(await overflow(page), null);
    }));

    test('shows numbers under the pointer', () => visit(path, {}, async (page) => {
      for (const id of [await page.locator('figure.chart[id*="-cdf-"]').first().getAttribute('id'), 'when-hours', 'when-week']) {
        const plot = page.locator(`[id="${id}"] .plot`);
        await draw(plot);
        // The page may still be moving under the pointer.
        await eventually(`numbers in ${id}`, async () => {
          const box = await plot.boundingBox();
          await page.mouse.move(box.x + box.width * 0.45, box.y + box.height * 0.5);
          await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
          const tip = plot.locator('.tip').first();
          return (await tip.isVisible()) && /\d/.test(await tip.textContent({ timeout: 1000 }).catch(() => ''));
        });
      }
    }));

    test('can be reached by keyboard', () => visit(path, {}, async (page) => {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement.closest('nav') !== null), true);
      const button = page.locator('.chart .tools button').first();
      await button.focus();
      await page.keyboard.press('Enter');
      assert.equal(await button.getAttribute('aria-expanded'), 'true');
    }));
  });
}

/** Other names of the same length for all entries and goals, wherever they stand in a text. */
function renaming(report) {
  const names = [...Object.values(report.entries).flat().map((entry) => entry.name), ...report.goals.map((goal) => goal.name)].filter((name) => /^\w+$/.test(name));
  const turn = (letter) => String.fromCharCode(((letter.charCodeAt(0) & 31) + 12) % 26 + (letter < 'a' ? 65 : 97));
  const other = (name) => name.replace(/[A-Za-z]/g, turn);
  const known = new RegExp(`\\b(${names.flatMap((name) => [name, name[0].toUpperCase() + name.slice(1)]).join('|')})\\b`, 'g');
  return (text) => text.replace(known, other);
}

test('entries never heard of are shown as those known', async () => {
  const contents = async (page) => {
    await draw_all(page);
    const charts = await page.locator('figure.chart').evaluateAll((all) => all.map((f) => f.id));
    const lines = await page.locator('.plot path[fill="none"]').evaluateAll((all) => all.map((p) => ['stroke', 'stroke-width', 'stroke-dasharray', 'd'].map((a) => p.getAttribute(a)).join()));
    const texts = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
      const found = [];
      while (walker.nextNode()) if (!walker.currentNode.parentElement.closest('.plot')) found.push(walker.currentNode.data);
      return found;
    });
    return { charts, lines, texts };
  };
  let known;
  await visit(reports[0], {}, async (page, report) => { known = { report, ...(await contents(page)) }; });
  const rename = renaming(known.report);
  const path = join(pictures, 'renamed.html');
  writeFileSync(path, readFileSync(reports[0], 'utf8').replace(/(<script id="hearsay-data"[^>]*>)([^<]*)/, (_, open, data) => open + rename(data)));
  await visit(path, {}, async (page, report) => {
    assert.notDeepEqual(report.goals, known.report.goals);
    assert.ok(known.lines.length > 0);
    const shown = await contents(page);
    assert.deepEqual(shown.charts, known.charts.map(rename));
    assert.deepEqual(shown.lines, known.lines);
    assert.deepEqual(shown.texts, known.texts.map(rename));
  });
});
