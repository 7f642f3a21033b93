// SPDX-License-Identifier: Apache-2.0
import type { Grouping, Part } from '../document';
import type { ChartOption, Context } from '../lib/echarts';
import { count, figure } from '../lib/format';
import { part_words } from '../lib/model';
import { axis, tip, tooltip } from '../lib/parts';
import type { Table } from '../lib/table';

export function range_label(from: number | null, to: number | null): string {
  if (from === null) return to === null ? 'all' : `up to ${figure(to)}`;
  if (to === null) return `${figure(from)} and more`;
  return from === to ? figure(from) : `${figure(from)} to ${figure(to)}`;
}

export function groups_option(context: Context, grouping: Grouping, part: Part): ChartOption {
  const { theme } = context;
  const words = part_words[part];
  return {
    grid: { left: 46, right: 10, top: context.top + 22, bottom: 42 },
    xAxis: axis(theme, {
      type: 'category', data: grouping.groups.map((_, index) => String(index + 1)), splitLine: { show: false },
      name: 'group of users, lowest to highest', nameGap: 26,
    }),
    yAxis: axis(theme, { type: 'value', scale: false, axisLabel: { formatter: part === 'own' ? (v: number) => String(Number(v.toFixed(5))) : words.label } }),
    tooltip: tooltip(theme, {
      trigger: 'axis',
      axisPointer: { type: 'shadow' },
      formatter: ([{ dataIndex }]: { dataIndex: number }[]) => {
        const group = grouping.groups[dataIndex];
        return tip(`${range_label(group.from, group.to)} ${grouping.unit}`, [
          { label: `mean ${words.low}`, value: words.format(group[part]) },
          { label: 'users', value: count(group.users) },
        ]);
      },
    }),
    series: [{
      type: 'bar', barCategoryGap: '25%', itemStyle: { color: theme.dark ? '#56b4e9' : '#0072b2', borderRadius: [2, 2, 0, 0] },
      labelLayout: { hideOverlap: true },
      label: { show: part === 'loss' || context.width > 340, position: 'top', color: theme.muted, fontSize: 10, formatter: ({ value }: { value: number }) => words.short(value) },
      data: grouping.groups.map((group) => group[part]),
    }],
  };
}

export const groups_table = (grouping: Grouping, part: Part): Table => ({
  columns: [
    { label: 'group', format: String }, { label: `from (${grouping.unit})`, format: figure }, { label: `to (${grouping.unit})`, format: figure },
    { label: 'users', format: count }, { label: `mean ${part_words[part].low}`, format: part_words[part].format },
  ],
  rows: grouping.groups.map((g, index) => [index + 1, g.from, g.to, g.users, g[part]]),
});
