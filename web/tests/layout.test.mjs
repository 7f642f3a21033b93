// SPDX-License-Identifier: Apache-2.0
// Finished reports of whole studies on screens of several widths, on paper, and as files.
//   HEARSAY_REPORTS  report.html files, separated by colons, each beside its summary.csv
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { download_of, draw_all, layouts, long, overflow, picture, pictures, saved_by, until } from './browser.mjs';
import { parse_csv } from './csv.mjs';
import { check_tiles, visit } from './report.mjs';

const reports = process.env.HEARSAY_REPORTS.split(':').map((path) => resolve(path));

for (const path of reports) {
  const name = basename(dirname(path));
  describe(`${name}/${basename(path)}`, { concurrency: false }, () => {
    const summary = parse_csv(readFileSync(join(dirname(path), 'summary.csv'), 'utf8')).filter((row) => row.release === 'RAW');

    for (const [width, colorScheme] of layouts) {
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
        await picture(page, `${name}-${width}-${colorScheme}.png`, { fullPage: true });
      }));
    }

    test('prints, every chart drawn', () => visit(path, { colorScheme: 'dark' }, async (page) => {
      if (long) assert.ok((await page.pdf({ path: join(pictures, `${name}.pdf`), format: 'A4' })).length > 50_000);
      await page.emulateMedia({ media: 'print' });
      await until(page, () => [...document.querySelectorAll('.plot')].every((plot) => plot.dataset.ready === 'true'));
      assert.equal(await page.locator('.tools').first().isVisible(), false);
    }));

    test('downloads are whole', () => visit(path, {}, async (page) => {
      // The first file of each kind is a download of the browser. In the long tier every file is one, and every chart is saved as a picture.
      const kinds = new Set();
      const saved = (chart, kind) => {
        const through_browser = long || !kinds.has(kind);
        kinds.add(kind);
        return (through_browser ? download_of : saved_by)(page, chart, kind);
      };
      const charts = await page.locator('figure.chart:has(.plot)').evaluateAll((all) => all.map((f) => f.id));
      for (const chart of charts.filter((id, i) => !id.includes('-cdf-') || i === 0)) {
        const csv = (await saved(chart, 'CSV')).toString();
        const lines = parse_csv(csv);
        assert.ok(lines.length > 0 && Object.keys(lines[0]).length > 1, `${chart}.csv`);
        if (long || /-cdf-|-matrix|map/.test(chart)) {
          const png = await saved(chart, 'PNG');
          assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10], `${chart}.png`);
          assert.ok(png.length > 5000 && png.readUInt32BE(16) === 1920, `${chart}.png: ${png.length} bytes`);
        }
        const svg = (await saved(chart, 'SVG')).toString();
        assert.match(svg, /^<svg[^>]+xmlns=/, `${chart}.svg`);
        assert.ok(svg.endsWith('</svg>') && svg.includes('<path') && svg.includes('<text'), `${chart}.svg`);
      }
      const goal = charts.find((id) => id.endsWith('-matrix'));
      await page.locator(`#${goal.split('-')[0]} .switch input[value="loss_mean"]`).check();
      const rows = parse_csv((await saved(goal, 'CSV')).toString());
      const wanted = summary.find((row) => row.goal === goal.split('-')[0] && row.loss_mean !== '');
      assert.ok(Object.values(rows.find((r) => r.prior === wanted.prior)).some((v) => Math.abs(Number(v) - Number(wanted.loss_mean)) < 1e-9));
    }));
  });
}
