// SPDX-License-Identifier: Apache-2.0
// Box plots of privacy gain over users, one box a defence, by the parameter that was swept.
import type { Defence, GainQuantiles, Key } from '../document';
import type { ChartOption, Context } from '../lib/echarts';
import { percent } from '../lib/format';
import { guarantee, same, sweep, unique } from '../lib/model';
import { axis, tip, tooltip } from '../lib/parts';
import type { Table } from '../lib/table';
import { palette, type Theme } from '../lib/theme.svelte';

export interface Sweep {
  parameter: string;
  values: string[];
  families: string[];
  boxes: { family: string; value: string; defence: Defence; gain: GainQuantiles }[];
}

/** One chart a swept parameter (epsilon, p), because their values are not comparable. */
export function sweeps(defences: Defence[], adversary: Key): Sweep[] {
  const boxes = defences.flatMap((defence) => {
    const gain = defence.adversaries.find((a) => same(a, adversary));
    return gain ? [{ ...sweep(defence), defence, gain }] : [];
  });
  return unique(boxes.map((box) => box.name)).map((parameter) => {
    const mine = boxes.filter((box) => box.name === parameter);
    const values = unique(mine.map((box) => box.value));
    if (values.every((value) => Number.isFinite(Number(value)))) values.sort((a, b) => Number(a) - Number(b));
    return { parameter, values, families: unique(mine.map((box) => box.family)), boxes: mine };
  });
}

export function family_color(families: string[], family: string, theme: Theme): string {
  const colors = palette(theme);
  return colors[(families.indexOf(family) + 1) % colors.length];
}

export function gains_option(context: Context, of: Sweep, all_families: string[]): ChartOption {
  const { theme } = context;
  const box = (family: string, value: string) => of.boxes.find((b) => b.family === family && b.value === value);
  const numbers = ({ gain: g }: Sweep['boxes'][number]) => [g.p05, g.p25, g.p50, g.p75, g.p95];
  return {
    grid: { left: 46, right: 10, top: context.top + 10, bottom: 42 },
    xAxis: axis(theme, { type: 'category', data: of.values, name: of.parameter, nameGap: 26, splitLine: { show: false } }),
    yAxis: axis(theme, { type: 'value', axisLabel: { formatter: (v: number) => percent(v, 0) } }),
    tooltip: tooltip(theme, {
      trigger: 'item',
      formatter: ({ seriesIndex, dataIndex }: { seriesIndex: number; dataIndex: number }) => {
        const found = box(of.families[seriesIndex], of.values[dataIndex]);
        if (!found) return '';
        const { gain: g, defence } = found;
        return tip(`${found.family}, ${of.parameter} ${found.value}`, [
          { label: '95th percentile', value: percent(g.p95) }, { label: '75th', value: percent(g.p75) }, { label: 'median', value: percent(g.p50) },
          { label: 'mean', value: percent(g.mean) }, { label: '25th', value: percent(g.p25) }, { label: '5th', value: percent(g.p05) },
          { label: 'guarantee', value: guarantee(defence) },
        ]);
      },
    }),
    series: of.families.map((family) => {
      const color = family_color(all_families, family, theme);
      return {
        type: 'boxplot', name: family, boxWidth: [3, 22], itemStyle: { color: `${color}33`, borderColor: color, borderWidth: 1.6 },
        data: of.values.map((value) => { const found = box(family, value); return found && found.gain.p05 !== null && found.gain.p95 !== null ? numbers(found) : []; }),
      };
    }),
  };
}

export const gains_table = (of: Sweep): Table => ({
  columns: [
    { label: 'mechanism' }, { label: of.parameter }, ...['p05', 'p25', 'p50', 'p75', 'p95', 'mean'].map((label) => ({ label, format: (v: unknown) => percent(v as number) })),
    { label: 'guarantee' },
  ],
  rows: of.boxes.map(({ family, value, gain: g, defence }) => [family, value, g.p05, g.p25, g.p50, g.p75, g.p95, g.mean, guarantee(defence)]),
});
