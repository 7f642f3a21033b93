// SPDX-License-Identifier: Apache-2.0
// Heat maps: rows and columns of named values, prior x attack or weekday x hour.
import type { ChartOption, Context } from '../lib/echarts';
import type { Words } from '../lib/model';
import { axis, color_scale, extent, tip, tooltip } from '../lib/parts';
import type { Table } from '../lib/table';
import { on_ramp } from '../lib/theme.svelte';

export interface Heat {
  what: string;
  words: Words;
  corner: string;
  rows: string[];
  columns: string[];
  /** By row, then column; null where there is nothing. */
  values: (number | null)[][];
  detail?: (row: number, column: number) => { label: string; value: string }[];
}

const longest_of = (names: string[]): number => Math.max(0, ...names.map((name) => name.length));

const left_of = (heat: Heat): number => Math.min(longest_of(heat.rows) * 7 + 14, 120);
const cell_of = (heat: Heat, width: number): number => (width - left_of(heat) - 12) / heat.columns.length;
/** Whether the names of columns are wider than a cell; numbers may be left out instead. */
const is_slanted = (heat: Heat, width: number): boolean => longest_of(heat.columns) > 2 && longest_of(heat.columns) * 7 + 6 > cell_of(heat, width);
const bottom_of = (heat: Heat, width: number): number => (is_slanted(heat, width) ? Math.min(118, 24 + longest_of(heat.columns) * 5) : 28);

export function heat_height(heat: Heat, row: number, width: number): number {
  return 30 + heat.rows.length * row + bottom_of(heat, width);
}

export function heat_option(context: Context, heat: Heat): ChartOption {
  const { theme, width } = context;
  const [low, high] = extent(heat.values.flat());
  const [left, cell] = [left_of(heat), cell_of(heat, width)];
  const slanted = is_slanted(heat, width);
  const place = (value: number) => (value - low) / (high - low || 1);
  return {
    grid: { left, right: 12, top: context.top + 30, bottom: bottom_of(heat, width) },
    xAxis: axis(theme, {
      type: 'category', data: heat.columns, splitLine: { show: false },
      axisLabel: { interval: slanted ? 0 : 'auto', rotate: slanted ? 45 : 0, width: slanted ? 150 : undefined, overflow: slanted ? 'truncate' : undefined, hideOverlap: !slanted },
    }),
    yAxis: axis(theme, { type: 'category', data: heat.rows, inverse: true, splitLine: { show: false }, axisLabel: { interval: 0, hideOverlap: false, fontSize: 11 } }),
    visualMap: color_scale(context, [low, high], heat.words.label),
    tooltip: tooltip(theme, {
      formatter: ({ value }: { value: [number, number, number] }) =>
        tip(`${heat.rows[value[1]]}, ${heat.columns[value[0]]}`, [
          { label: heat.what, value: heat.words.format(value[2]) },
          ...(heat.detail?.(value[1], value[0]) ?? []),
        ]),
    }),
    series: [{
      type: 'heatmap',
      itemStyle: { borderColor: theme.surface, borderWidth: 1 },
      emphasis: { itemStyle: { borderColor: theme.ink, borderWidth: 2 } },
      data: heat.values.flatMap((row, y) => row.flatMap((value, x) => value === null ? [] : [{
        value: [x, y, value],
        label: { show: cell >= 6 * heat.words.short(value).length + 5, color: on_ramp(place(value)), fontSize: cell < 22 ? 9 : cell < 34 ? 10 : 11, formatter: cell < 40 ? heat.words.short(value) : heat.words.label(value) },
      }])),
    }],
  };
}

export const heat_table = (heat: Heat): Table => ({
  columns: [{ label: heat.corner }, ...heat.columns.map((label) => ({ label, format: heat.words.format }))],
  rows: heat.rows.map((name, y) => [name, ...heat.values[y]]),
});
