// SPDX-License-Identifier: Apache-2.0
// Drives finished reports in Chromium from file:// addresses.
//   HEARSAY_REPORTS         report.html files, separated by colons, each beside its summary.csv
//   HEARSAY_PLAIN_REPORT    a report of a study without a control
//   HEARSAY_CHAINS_REPORT   a report of a study with chains of steps, presets, membership and audit
//   HEARSAY_FLOWS_REPORT    a report of a study of flows, between places with coordinates
//   HEARSAY_HOSTILE_REPORT  a report with a place named <img src=x onerror=...>
//   HEARSAY_SCREENSHOTS     where pictures go (web/test-output)
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { download_of, draw, draw_all, eventually, figure, launch, overflow, percent, pictures, small, table_of, until, watched } from './browser.mjs';
import { parse_csv } from './csv.mjs';
import { added_to, alone, membership, refilled, sentence } from './membership.mjs';

const reports = (process.env.HEARSAY_REPORTS ?? '').split(':').filter(Boolean).map((path) => resolve(path));
const hostile = process.env.HEARSAY_HOSTILE_REPORT && resolve(process.env.HEARSAY_HOSTILE_REPORT);
const chains = process.env.HEARSAY_CHAINS_REPORT && resolve(process.env.HEARSAY_CHAINS_REPORT);
const flows = process.env.HEARSAY_FLOWS_REPORT && resolve(process.env.HEARSAY_FLOWS_REPORT);
const plain = process.env.HEARSAY_PLAIN_REPORT && resolve(process.env.HEARSAY_PLAIN_REPORT);
const widths = [380, 1280, 1920];

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** Opens a report, runs the body, and lets nothing pass that was logged as an error or asked of any network. */
async function visit(path, options, body) {
  const context = await browser.newContext({ acceptDownloads: true, viewport: { width: 1280, height: 900 }, ...options });
  const { page, errors, requests } = await watched(context);
  const address = pathToFileURL(path).href;
  try {
    await page.goto(address);
    await page.locator('#answer').waitFor();
    const document = JSON.parse(await page.locator('#hearsay-data').textContent());
    await body(page, document);
    assert.deepEqual(errors, []);
    assert.deepEqual([...new Set(requests)], [address]);
  } finally {
    await context.close();
  }
}

/** The tiles are about one adversary of the document. */
async function check_tiles(page, report, number) {
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

test('reports were given', { skip: reports.length ? false : 'HEARSAY_REPORTS is not set' }, () => assert.ok(reports.length));

for (const path of reports) {
  const name = basename(dirname(path));
  describe(`${name}/${basename(path)}`, { concurrency: false }, () => {
    const summary = parse_csv(readFileSync(join(dirname(path), 'summary.csv'), 'utf8')).filter((row) => row.release === 'RAW');

    // Of the processor, not of the clock: what else the machine does is not the page's.
    test('is small, and interactive after less than 2 s of work', async () => {
      const size = readFileSync(path).length;
      assert.ok(size < 6e6, `${size} bytes`);
      await visit(path, {}, async (page) => {
        const session = await page.context().newCDPSession(page);
        await session.send('Performance.enable', { timeDomain: 'threadTicks' });
        await page.reload();
        const button = page.locator('.chart').first().getByRole('button', { name: 'Table', exact: true });
        await button.click();
        assert.equal(await button.getAttribute('aria-expanded'), 'true');
        const { metrics } = await session.send('Performance.getMetrics');
        const spent = metrics.find((metric) => metric.name === 'TaskDuration').value;
        assert.ok(spent > 0 && spent < 2, `${spent} s`);
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
      await draw_all(page);

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
      for (const [number, her] of report.adversaries.entries()) {
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
      await draw_all(page);
      const goal = report.summary[0].goal;
      const first = page.locator(`#${goal} figure.chart`).first();
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
      await hours.evaluate((element) => element.scrollIntoView({ block: 'center' }));
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
      for (const button of await page.locator('.tools button[aria-controls]').all()) {
        if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
        assert.equal(await button.getAttribute('aria-expanded'), 'true');
        const table = page.locator(`[id="${await button.getAttribute('aria-controls')}"] table`);
        assert.ok((await table.locator('tbody tr').count()) > 0, await button.getAttribute('aria-controls'));
        if (!/where|when-hours/.test(await button.getAttribute('aria-controls'))) await button.click();
      }
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

    test('downloads are whole', () => visit(path, {}, async (page) => {
      await draw_all(page);
      const charts = await page.locator('figure.chart:has(.plot)').evaluateAll((all) => all.map((f) => f.id));
      for (const chart of charts.filter((id, i) => !id.includes('-cdf-') || i === 0)) {
        const csv = (await download_of(page, chart, 'CSV')).toString();
        const lines = parse_csv(csv);
        assert.ok(lines.length > 0 && Object.keys(lines[0]).length > 1, `${chart}.csv`);
        const png = await download_of(page, chart, 'PNG');
        assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10], `${chart}.png`);
        assert.ok(png.length > 5000 && png.readUInt32BE(16) === 1920, `${chart}.png: ${png.length} bytes`);
        const svg = (await download_of(page, chart, 'SVG')).toString();
        assert.match(svg, /^<svg[^>]+xmlns=/, `${chart}.svg`);
        assert.ok(svg.endsWith('</svg>') && svg.includes('<path') && svg.includes('<text'), `${chart}.svg`);
      }
      const goal = charts.find((id) => id.endsWith('-matrix'));
      await page.locator(`#${goal.split('-')[0]} .switch input[value="loss_mean"]`).check();
      const rows = parse_csv((await download_of(page, goal, 'CSV')).toString());
      const wanted = summary.find((row) => row.goal === goal.split('-')[0] && row.loss_mean !== '');
      assert.ok(Object.values(rows.find((r) => r.prior === wanted.prior)).some((v) => Math.abs(Number(v) - Number(wanted.loss_mean)) < 1e-9));
    }));

    for (const width of widths) {
      for (const colorScheme of ['light', 'dark']) {
        test(`fits ${width} px, ${colorScheme}`, () => visit(path, { viewport: { width, height: 900 }, colorScheme }, async (page, report) => {
          await draw_all(page);
          assert.equal(await overflow(page), null);
          // The sentences, and the chart of what the crowd and what being counted tells.
          assert.deepEqual(await page.locator('.findings p').allTextContents(), report.findings);
          assert.match(report.findings[0], /^What leaks: .*(leave the person out|nothing)/);
          for (const { goal, prior } of report.best) {
            const words = await page.locator(`#answer-parts-${goal} svg text`).allTextContents();
            assert.ok(words.includes(prior) && words.includes('NOWHERE'), `${goal}: ${words}`);
          }
          await page.locator('select[name="adversary"]').selectOption(String(report.adversaries.length - 1));
          await check_tiles(page, report, report.adversaries.length - 1);
          assert.equal(await overflow(page), null);
          await page.locator('select[name="adversary"]').selectOption(String(report.adversary));
          await draw_all(page);
          await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        }));
      }
    }

    test('prints, every chart drawn', () => visit(path, { colorScheme: 'dark' }, async (page) => {
      const pdf = await page.pdf({ path: join(pictures, `${name}.pdf`), format: 'A4' });
      assert.ok(pdf.length > 50_000);
      await page.emulateMedia({ media: 'print' });
      await until(page, () => [...document.querySelectorAll('.plot')].every((plot) => plot.dataset.ready === 'true'));
      assert.equal(await page.locator('.tools').first().isVisible(), false);
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

/** Rows of the table of all defences, by column. */
async function all_defences(page) {
  const [head, ...rows] = await table_of(page, 'defences-all');
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [head[i], cell])));
}

describe('all defences tried', { concurrency: false, skip: chains ? false : 'HEARSAY_CHAINS_REPORT is not set' }, () => {
  const open = async (page, against) => {
    if (against) await page.locator(`input[name="chains-against"][value="${against}"]`).check();
    await draw(page.locator('#defences-all .plot'));
    return page.locator('#defences-all svg text').allTextContents();
  };
  const same_chain = (chain) => (other) => other.release === chain.release && other.parameter === chain.parameter;
  const changed = (name, change) => {
    const path = join(pictures, `${name}.html`);
    writeFileSync(path, refilled(readFileSync(chains, 'utf8'), change));
    return path;
  };

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

  for (const [width, colorScheme] of [[360, 'light'], [768, 'dark'], [1400, 'light']]) {
    test(`fits ${width} px, ${colorScheme}, long chains too`, async () => {
      const long = changed(`long-chains-${width}`, (report) => {
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
            await page.locator('#defences-all').screenshot({ path: join(pictures, `${name}-${against}-${width}.png`) });
          }
        });
      }
    });
  }

  test('what was not measured is not offered, and says what to set', async () => {
    const bare = changed('chains-bare', (report) => ({
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

test('a study without a control shows what there is', { skip: plain ? false : 'HEARSAY_PLAIN_REPORT is not set' }, async () => {
  for (const width of widths) {
    await visit(plain, { viewport: { width, height: 900 } }, async (page, report) => {
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

test('flows are lines on the map', { skip: flows ? false : 'HEARSAY_FLOWS_REPORT is not set' }, async () => {
  for (const width of widths) {
    await visit(flows, { viewport: { width, height: 900 } }, async (page, report) => {
      assert.equal(report.rois.shape, 'pairs');
      const [pair] = report.rois.places.filter((place) => place.visits > 0);
      assert.match(pair.id, / -> /);
      assert.ok([pair.lat, pair.lng, pair.end_lat, pair.end_lng].every(Number.isFinite));
      await draw_all(page);
      assert.equal(await overflow(page), null);
      const map = page.locator('#where-map');
      assert.ok(await map.locator('canvas, svg').first().isVisible());
      await map.screenshot({ path: join(pictures, `flows-${width}.png`) });
    });
  }
});

describe('were you counted', { concurrency: false, skip: plain ? false : 'HEARSAY_PLAIN_REPORT is not set' }, () => {
  const page_of = (name, change) => {
    const path = join(pictures, `${name}.html`);
    writeFileSync(path, refilled(readFileSync(plain, 'utf8'), change));
    return path;
  };
  const charts_of = (page) => page.locator('#membership figure.chart').evaluateAll((all) => all.map((f) => f.id));

  test('lines, people, audits and tables', () => visit(page_of('counted', added_to), {}, async (page, report) => {
    assert.deepEqual(await page.locator('.findings p').allTextContents(), report.findings);
    assert.equal(await page.locator('nav a[href="#membership"]').textContent(), 'Were you counted?');
    await draw_all(page);
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
    await draw_all(page);
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

  for (const width of [390, 768, 1280]) {
    test(`fits ${width} px, beside other goals and alone`, async () => {
      for (const [name, change] of [['counted', added_to], ['counted-alone', alone]]) {
        await visit(page_of(name, change), { viewport: { width, height: 900 }, colorScheme: width === 768 ? 'dark' : 'light' }, async (page) => {
          await draw_all(page);
          assert.equal(await overflow(page), null);
          // Claimed, found and the verdict are seen without scrolling.
          const verdict = await page.locator('#membership-audit th', { hasText: 'verdict' }).boundingBox();
          assert.ok(verdict.x + verdict.width <= width, `${verdict.x + verdict.width}`);
          await page.locator('#membership').screenshot({ path: join(pictures, `${name}-${width}.png`) });
        });
      }
    });
  }

  test('alone it is the answer', () => visit(page_of('counted-alone', alone), {}, async (page) => {
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
    await visit(page_of('counted-means', means), {}, async (page) => {
      await draw_all(page);
      assert.match(await page.locator('#membership-auc-1 figcaption p').textContent(), /^Mean AUC/);
      const [head, first] = await table_of(page, 'membership-auc-1');
      assert.ok(!head.includes('median'));
      assert.equal(first[head.indexOf('mean')], '0.990');
      assert.deepEqual((await charts_of(page)).slice(-2), ['membership-auc-3', 'membership-lines']);
    });
    const nothing = few((point) => { for (const p of Object.keys(point.auc)) point.auc[p] = null; });
    await visit(page_of('counted-nothing', nothing), {}, async (page) => {
      assert.equal(await page.locator('#membership .plot').count(), 0);
      assert.match(await page.locator('#membership').innerText(), /fewer than 10 people were tried/);
    });
  });
});

/** Other names of the same length for all entries and goals, wherever they stand in a text. */
function renaming(report) {
  const names = [...Object.values(report.entries).flat().map((entry) => entry.name), ...report.goals.map((goal) => goal.name)].filter((name) => /^\w+$/.test(name));
  const turn = (letter) => String.fromCharCode(((letter.charCodeAt(0) & 31) + 12) % 26 + (letter < 'a' ? 65 : 97));
  const other = (name) => name.replace(/[A-Za-z]/g, turn);
  const known = new RegExp(`\\b(${names.flatMap((name) => [name, name[0].toUpperCase() + name.slice(1)]).join('|')})\\b`, 'g');
  return (text) => text.replace(known, other);
}

test('entries never heard of are shown as those known', { skip: reports.length ? false : 'HEARSAY_REPORTS is not set' }, async () => {
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

test('names in the data are text', { skip: hostile ? false : 'HEARSAY_HOSTILE_REPORT is not set' }, () => visit(hostile, {}, async (page, report) => {
  const place = report.rois.places.find((p) => /<img/.test(p.name));
  assert.ok(place, 'the report has a place named <img ...>');
  await draw_all(page);
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

describe('paths', { concurrency: false, skip: plain ? false : 'HEARSAY_PLAIN_REPORT is not set' }, () => {
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
  const page_of = (name, change) => {
    const path = join(pictures, `${name}.html`);
    writeFileSync(path, refilled(readFileSync(plain, 'utf8'), change));
    return path;
  };

  for (const width of [390, 1280]) {
    test(`what is right beside shuffled people, ${width} px`, () => visit(page_of('paths', with_paths(500)), { viewport: { width, height: 900 } }, async (page) => {
      assert.equal(await page.locator('nav a[href="#paths"]').textContent(), 'Paths');
      const rows = await page.locator('#paths-table tbody tr').allInnerTexts();
      assert.match(rows[0], /^memory\tas counted\t\s*\t45\.0%\t38\.0%\t7\.0%\t36\.0%\t34\.0%\t2\.0%/);
      assert.match(rows[1], /^memory\tSCM\t.*\t30\.0%\t30\.0%\t0\.0%\t–\t–\t–/);
      assert.equal(await overflow(page), null);
    }));
  }
  test('are held back where there are few people', () => visit(page_of('few-paths', with_paths(5)), {}, async (page, report) => {
    assert.ok(report.settings.least_people > 5);
    assert.equal(await page.locator('#paths-table').count(), 0);
  }));
});
