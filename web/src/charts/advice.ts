// SPDX-License-Identifier: Apache-2.0
// Candidates that no other is better than: the error of their counts against what they still cost, limits as lines.
import type { Advice, Priced, Value } from '../document';
import type { ChartOption, Context, LegendItem } from '../lib/echarts';
import { figure, percent } from '../lib/format';
import { axis, tip, tooltip } from '../lib/parts';
import type { Table } from '../lib/table';
import type { Theme } from '../lib/theme.svelte';

export type Cost = 'own_loss' | 'membership';
export const cost_words: Record<Cost, string> = { own_loss: 'own loss', membership: 'membership (AUC)' };
export const cost_format: Record<Cost, (value: number) => string> = {
  own_loss: (value) => percent(value, 2),
  membership: (value) => value.toFixed(2),
};

const chosen_name = 'chosen';
const nearest_name = 'nearest';
const keeps_name = 'keeps to the limits';
const misses_name = 'misses a limit';

type Kind = typeof chosen_name | typeof nearest_name | typeof keeps_name | typeof misses_name;
const looks: Record<Kind, { glyph: string; symbol: string; size: number; color: (theme: Theme) => string }> = {
  [chosen_name]: { glyph: '★', symbol: 'path://M10,0L12.9,6.4L20,7.2L14.8,12L16.2,19L10,15.5L3.8,19L5.2,12L0,7.2L7.1,6.4Z', size: 22, color: (theme) => theme.accent },
  [nearest_name]: { glyph: '◆', symbol: 'diamond', size: 17, color: (theme) => theme.accent },
  [keeps_name]: { glyph: '●', symbol: 'circle', size: 11, color: (theme) => theme.accent },
  [misses_name]: { glyph: '○', symbol: 'emptyCircle', size: 9, color: (theme) => theme.muted },
};

const kind_of = (advice: Advice, index: number): Kind =>
  advice.chosen === index ? chosen_name : advice.nearest === index ? nearest_name : advice.frontier[index].keeps ? keeps_name : misses_name;

export function advice_legend(advice: Advice): LegendItem[] {
  const kinds = advice.frontier.map((_, index) => kind_of(advice, index));
  return (Object.keys(looks) as Kind[])
    .filter((kind) => kinds.includes(kind))
    .map((kind) => ({ name: kind, color: looks[kind].color, glyph: looks[kind].glyph }));
}

const range = (value: Value, format: (value: number) => string): string =>
  value.low === value.high ? format(value.mean) : `${format(value.mean)} (${format(value.low)} to ${format(value.high)})`;

export const promise = (one: Priced): string => (one.epsilon === null ? 'promises nothing' : `epsilon ${figure(one.epsilon)} for ${one.unit}`);

const rows_of = (one: Priced): { label: string; value: string }[] => [
  ...(one.mae ? [{ label: 'MAE', value: range(one.mae, figure) }] : []),
  ...(['own_loss', 'membership'] as const).flatMap((cost) => (one[cost] ? [{ label: cost_words[cost], value: range(one[cost], cost_format[cost]) }] : [])),
  { label: 'guarantee', value: promise(one) },
];

export function advice_option(context: Context, advice: Advice, cost: Cost): ChartOption {
  const { theme } = context;
  const marks = advice.frontier.flatMap((one, index) => (one.mae && one[cost] ? [{ one, kind: kind_of(advice, index), x: one.mae, y: one[cost] }] : []));
  const positive = marks.map(({ x }) => x.mean).filter((x) => x > 0);
  const limit_x = advice.limits.mae;
  const known = [...positive, ...(limit_x ? [limit_x] : [])];
  const [least, most] = known.length ? [Math.min(...known), Math.max(...known)] : [1, 1];
  const log = most > 20 * least;
  const min = log ? least / 2 : 0;
  const max = most * (log ? 1.8 : 1.1);
  const at = (x: number) => Math.max(x, min);
  // All of every interval is to be seen, below a blind guess too, and some room where all are equal.
  const blind = cost === 'membership' ? 0.5 : 0;
  const ends = [blind, ...marks.flatMap(({ y }) => [y.low, y.high]), ...(advice.limits[cost] === null ? [] : [advice.limits[cost]!])];
  const [bottom, top] = [Math.min(...ends), Math.max(...ends)];
  const room = (top - bottom || 0.01) * 0.05;
  const lines = [
    ...(limit_x === null ? [] : [{ xAxis: at(limit_x), name: `MAE at most ${figure(limit_x)}`, label: { position: 'insideEndTop' } }]),
    ...(advice.limits[cost] === null ? [] : [{ yAxis: advice.limits[cost]!, name: `${cost_words[cost]} at most ${cost_format[cost](advice.limits[cost]!)}`, label: { position: 'insideStartTop' } }]),
  ];
  return {
    grid: { left: 58, right: 18, top: context.top + 22, bottom: 42 },
    xAxis: axis(theme, { type: log ? 'log' : 'value', min, max, name: `mean absolute error${log ? ' (logarithmic)' : ''}`, nameGap: 26, axisLabel: { formatter: figure, showMinLabel: false, showMaxLabel: false } }),
    yAxis: axis(theme, {
      type: 'value',
      min: bottom < blind ? bottom - room : blind,
      max: top + room,
      axisLabel: { formatter: cost_format[cost], showMinLabel: bottom === blind, showMaxLabel: false },
    }),
    tooltip: tooltip(theme, {
      trigger: 'item',
      formatter: ({ data }: { data: { one?: Priced } }) => (data.one ? tip(data.one.label, rows_of(data.one)) : ''),
    }),
    series: [
      {
        type: 'custom', name: 'intervals', silent: true, z: 2, tooltip: { show: false },
        data: marks.map(({ x, y }) => [at(x.mean), y.mean, at(x.low), at(x.high), y.low, y.high]),
        renderItem: (params: { dataIndex: number }, api: { value: (i: number) => number; coord: (at: number[]) => number[] }) => {
          const [x, y, left, right, below, above] = [0, 1, 2, 3, 4, 5].map((i) => api.value(i));
          const line = (from: number[], to: number[]) => {
            const [[x1, y1], [x2, y2]] = [api.coord(from), api.coord(to)];
            return { type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: looks[marks[params.dataIndex].kind].color(theme), lineWidth: 1.2, opacity: 0.7 } };
          };
          return { type: 'group', children: [line([left, y], [right, y]), line([x, below], [x, above])] };
        },
      },
      ...(Object.keys(looks) as Kind[]).map((kind) => ({
        type: 'scatter', name: kind, z: 3, symbol: looks[kind].symbol, symbolSize: looks[kind].size, itemStyle: { color: looks[kind].color(theme) },
        data: marks.filter((mark) => mark.kind === kind).map(({ one, x, y }) => ({
          value: [at(x.mean), y.mean], one, words: `${one.label}${kind === chosen_name ? ', chosen' : ''}: ${rows_of(one).map(({ label, value }) => `${label} ${value}`).join('; ')}`,
        })),
      })),
      {
        type: 'scatter', name: 'limits', data: [], silent: true,
        markLine: {
          silent: true, symbol: 'none', precision: 12, data: lines, lineStyle: { color: theme.ink, type: [5, 4], width: 1.2 },
          label: { formatter: '{b}', color: theme.ink, fontSize: 11 },
        },
      },
    ],
  };
}

export function advice_table(advice: Advice): Table {
  const cell = (value: Value | null) => value?.mean ?? null;
  const number = (format: (value: number) => string) => (value: unknown) => (typeof value === 'number' ? format(value) : '–');
  const columns = (label: string, format: (value: number) => string) => ['', ' low', ' high'].map((end) => ({ label: label + end, format: number(format), aside: end !== '' }));
  const cells = (value: Value | null) => [cell(value), value?.low ?? null, value?.high ?? null];
  return {
    sortable: true,
    columns: [
      { label: 'candidate', wide: true }, { label: 'verdict' }, ...columns('MAE', figure), ...columns('own loss', cost_format.own_loss), ...columns('membership', cost_format.membership),
      { label: 'epsilon', format: number(figure) }, { label: 'hides', wordy: true }, { label: 'draws', format: number(String) }, { label: 'people', format: number(String) },
      { label: 'targets', format: number(String) }, { label: 'trials', format: number(String) }, { label: 'worse than' },
    ],
    rows: advice.frontier.map((one, index) => [
      one.label, kind_of(advice, index), ...cells(one.mae), ...cells(one.own_loss), ...cells(one.membership), one.epsilon, one.unit, one.draws, one.people, one.targets, one.trials, one.worse_than || null,
    ]),
  };
}
