// SPDX-License-Identifier: Apache-2.0
// Own parts of people in order: what being counted costs each.
import type { ChartOption, Context } from '../lib/echarts';
import { percent, small } from '../lib/format';
import { axis, tip, tooltip } from '../lib/parts';
import type { Table } from '../lib/table';
import { palette } from '../lib/theme.svelte';

/** The share of people below the middle of a step. */
const share = (i: number, steps: number[]): number => (i + 0.5) / steps.length;

export function own_option(context: Context, steps: number[]): ChartOption {
  const { theme } = context;
  const color = palette(theme)[4];
  return {
    grid: { left: 52, right: 18, top: context.top + 10, bottom: 42 },
    xAxis: axis(theme, { type: 'value', min: 0, max: 1, name: 'people, in order of it', nameGap: 26, axisLabel: { formatter: (v: number) => percent(v, 0) } }),
    yAxis: axis(theme, { type: 'value', scale: false, axisLabel: { formatter: (v: number) => String(Number(v.toFixed(4))) } }),
    tooltip: tooltip(theme, {
      trigger: 'axis',
      formatter: ([{ dataIndex }]: { dataIndex: number }[]) => tip(`Around ${percent(share(dataIndex, steps))} of the people`, [{ label: 'own part', value: small(steps[dataIndex]), color }]),
    }),
    series: [{
      type: 'line', name: 'own part', showSymbol: false, symbol: context.top > 0 ? 'none' : undefined, lineStyle: { color, width: 2 }, itemStyle: { color },
      areaStyle: { color, opacity: 0.15 }, data: steps.map((own, i) => [share(i, steps), own]),
    }],
  };
}

export const own_table = (steps: number[]): Table => ({
  columns: [{ label: 'share of people', format: (v) => percent(v) }, { label: 'own part', format: small }],
  rows: steps.map((own, i) => [share(i, steps), own]),
});
