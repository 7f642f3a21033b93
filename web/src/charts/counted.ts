// SPDX-License-Identifier: Apache-2.0
// How well somebody can tell that a person was counted: AUC by group size, and by thirds of people.
import type { Audit, ExposedThirds, Membership, MembershipLine, MembershipPoint } from '../document';
import type { ChartOption, Context } from '../lib/echarts';
import { count, figure, fraction, none, percent, type Cell } from '../lib/format';
import { unique } from '../lib/model';
import { axis, tip, tooltip } from '../lib/parts';
import type { Table } from '../lib/table';
import { palette, type Theme } from '../lib/theme.svelte';
import { range_label } from './groups';
import { symbols } from './tradeoff';

/** The median where every one may be told, else the mean. */
export type Average = 'p50' | 'mean';
export const average_words: Record<Average, string> = { p50: 'median', mean: 'mean' };

const blind = 0.5;

export const knowledge_label = (line: MembershipLine): string => `${line.knows}; ${line.knows_of_others}`;
export const release_label = (line: MembershipLine): string =>
  line.raw ? (line.words ?? 'the counts as they are') : `${line.release} ${line.parameter.replaceAll(',', ', ')}`.trim();

/** What a chart is about, and what a curve in it. */
export type Facet = 'release' | 'knowledge';
export const facet_label: Record<Facet, (line: MembershipLine) => string> = { release: release_label, knowledge: knowledge_label };

/** Of the attacks, the strongest at a group size. */
interface Reached {
  line: MembershipLine;
  point: MembershipPoint;
}

export interface AucCurve {
  name: string;
  reached: Reached[];
  color: (theme: Theme) => string;
  symbol: string;
  glyph: string;
}

export interface AucChart {
  title: string;
  curves: AucCurve[];
}

export function average_of({ lines }: Membership): Average {
  return lines.every((line) => line.points.every(({ auc }) => auc.p50 !== null || auc.mean === null)) ? 'p50' : 'mean';
}

/** One chart for each release with a curve a knowledge, or the other way round. `attack`: of that one alone. */
export function auc_charts({ lines }: Membership, facet: Facet, attack: string | null, average: Average): AucChart[] {
  const [chart_of, curve_of] = facet === 'release' ? [release_label, knowledge_label] : [knowledge_label, release_label];
  const names = unique(lines.map(curve_of));
  return unique(lines.map(chart_of)).map((title) => ({
    title,
    curves: names.flatMap((name, index) => {
      const all = lines
        .filter((line) => chart_of(line) === title && curve_of(line) === name && (attack === null || line.attack === attack))
        .flatMap((line) => line.points.map((point) => ({ line, point })))
        .filter(({ point }) => point.auc[average] !== null);
      const groups = unique(all.map(({ point }) => point.group)).sort((a, b) => a - b);
      const reached = groups.map((group) =>
        all.filter(({ point }) => point.group === group).reduce((best, one) => (one.point.auc[average]! > best.point.auc[average]! ? one : best)));
      const [symbol, glyph] = symbols[index % symbols.length];
      return reached.length ? [{ name, reached, symbol, glyph, color: (theme: Theme) => palette(theme)[index % palette(theme).length] }] : [];
    }),
  })).filter(({ curves }) => curves.length);
}

/** What all charts reach over: the sizes of groups, and the least AUC. */
export interface AucRange {
  smallest: number;
  largest: number;
  auc: number;
}

export function auc_range({ lines }: Membership, average: Average): AucRange {
  const points = lines.flatMap((line) => line.points);
  const [smallest, largest] = [Math.min, Math.max].map((of) => of(...points.map((point) => point.group)));
  return { smallest, largest, auc: Math.min(...points.map(({ auc }) => Math.min(auc[average] ?? 1, auc.p25 ?? 1))) };
}

/** From below the blind guess, or the least there is, to 1. */
function auc_axis(theme: Theme, least: number, name: string): Record<string, unknown> {
  return axis(theme, {
    type: 'value', name, nameGap: 34, min: Math.max(0, Math.floor(Math.min(blind, least) * 20 - 0.5) / 20), max: 1.02,
    axisLabel: { formatter: (value: number) => (value > 1.001 ? '' : String(Number(value.toFixed(2)))), showMinLabel: false, showMaxLabel: false },
  });
}

/** A series without points, so that no curve takes the line with it when it is hidden. */
const blind_line = (theme: Theme) => ({
  type: 'scatter', name: 'blind guess', data: [], itemStyle: { color: theme.muted },
  markLine: {
    silent: true, symbol: 'none', precision: 12, data: [{ yAxis: blind }], lineStyle: { color: theme.muted, type: [2, 3], width: 1.5 },
    label: { formatter: 'blind guess', color: theme.muted, fontSize: 10, position: 'insideStartBottom' },
  },
});

export const quartiles = ({ auc }: MembershipPoint): string => (auc.p25 === null || auc.p75 === null ? '' : ` (${fraction(auc.p25)} to ${fraction(auc.p75)})`);

export function auc_option(context: Context, { curves }: AucChart, range: AucRange, average: Average, is_hidden: (name: string) => boolean): ChartOption {
  const { theme } = context;
  const points = curves.flatMap(({ reached }) => reached.map(({ point }) => point));
  const groups = unique(points.map((point) => point.group)).sort((a, b) => a - b);
  const at = (group: number) => Math.log10(group);
  const pad = Math.max(0.1, (at(range.largest) - at(range.smallest)) * 0.06);
  const drawn = curves.map((curve) => ({ ...curve, banded: curve.reached.filter(({ point }) => point.auc.p25 !== null && point.auc.p75 !== null) }));
  return {
    grid: { left: 50, right: 14, top: context.top + 10, bottom: 42 },
    xAxis: axis(theme, {
      type: 'value', name: 'people in the group (logarithmic)', nameGap: 26, min: at(range.smallest) - pad, max: at(range.largest) + pad, splitLine: { show: false },
      axisLabel: { customValues: groups.map(at), formatter: (value: number) => count(Math.round(10 ** value)) },
    }),
    yAxis: auc_axis(theme, range.auc, `${average_words[average]} AUC`),
    tooltip: tooltip(theme, {
      trigger: 'axis',
      axisPointer: { snap: true, lineStyle: { color: theme.muted } },
      formatter: (params: { axisValue: number }[]) => {
        const nearest = groups.reduce((a, b) => (Math.abs(at(b) - params[0].axisValue) < Math.abs(at(a) - params[0].axisValue) ? b : a));
        return tip(`Groups of ${count(nearest)}`, curves.filter(({ name }) => !is_hidden(name)).flatMap((curve) =>
          curve.reached.filter(({ point }) => point.group === nearest).map(({ line, point }) => ({
            label: `${curve.name} (${line.attack})${point.near_all ? ', overstated' : ''}`, color: curve.color(theme), value: `${fraction(point.auc[average])}${quartiles(point)}`,
          }))));
      },
    }),
    series: [
      ...drawn.filter(({ banded }) => banded.length > 1).map(({ name, banded, color }) => ({
        type: 'custom', name, silent: true, z: 1, itemStyle: { color: color(theme) }, encode: { x: 0, y: 1 },
        data: [[at(banded[0].point.group), banded[0].point.auc.p25]],
        renderItem: (_: unknown, api: { coord: (at: number[]) => number[] }) => ({
          type: 'polygon', style: { fill: color(theme), opacity: 0.13 },
          shape: { points: [
            ...banded.map(({ point }) => api.coord([at(point.group), point.auc.p75!])),
            ...banded.map(({ point }) => api.coord([at(point.group), point.auc.p25!])).reverse(),
          ] },
        }),
      })),
      ...drawn.map(({ name, reached, color, symbol }) => ({
        type: 'line', name, symbol, symbolSize: 8, z: 3, emphasis: { focus: 'series' }, itemStyle: { color: color(theme) }, lineStyle: { color: color(theme), width: 1.8 },
        data: reached.map(({ point }) => ({
          value: [at(point.group), point.auc[average]],
          itemStyle: point.near_all ? { color: theme.surface, borderColor: color(theme), borderWidth: 1.5 } : undefined,
        })),
      })),
      blind_line(theme),
    ],
  };
}

const wordy = true;
const columns: (Table['columns'][number] & { of: (reached: Reached) => Cell })[] = [
  { label: 'attack', of: ({ line }) => line.attack },
  { label: 'of the person she knows', wordy, of: ({ line }) => line.knows },
  { label: 'of the others', wordy, of: ({ line }) => line.knows_of_others },
  { label: 'counts', wordy, of: ({ line }) => release_label(line) },
  { label: 'group', format: count, of: ({ point }) => point.group },
  { label: 'people tried', format: count, of: ({ point }) => point.targets },
  { label: 'trials', format: count, of: ({ point }) => point.trials },
  { label: 'AUC, 5%', format: fraction, of: ({ point }) => point.auc.p05 },
  { label: '25%', format: fraction, of: ({ point }) => point.auc.p25 },
  { label: 'median', format: fraction, of: ({ point }) => point.auc.p50 },
  { label: '75%', format: fraction, of: ({ point }) => point.auc.p75 },
  { label: '95%', format: fraction, of: ({ point }) => point.auc.p95 },
  { label: 'mean', format: fraction, of: ({ point }) => point.auc.mean },
  { label: 'half width', format: fraction, of: ({ point }) => point.half_width },
  { label: 'loss', format: percent, of: ({ point }) => point.loss },
  { label: 'TPR at 1% FPR', format: percent, of: ({ point }) => point.tpr_1 },
  { label: 'TPR at 0.1% FPR', format: percent, of: ({ point }) => point.tpr_01 },
  { label: 'above 0.6', format: percent, of: ({ point }) => point.above_06 },
  { label: 'above 0.9', format: percent, of: ({ point }) => point.above_09 },
  { label: 'note', wordy, of: ({ point }) => (point.near_all ? 'overstated: more than a quarter of all people' : '') },
];

export const auc_table = ({ curves }: AucChart): Table => table_of(curves.flatMap(({ reached }) => reached));

/** Every attack, knowledge, release and group. */
export const lines_table = ({ lines }: Membership): Table => table_of(lines.flatMap((line) => line.points.map((point) => ({ line, point }))));

/** Without the columns in which there is nothing. */
function table_of(all: Reached[]): Table {
  const filled = columns.filter(({ of }) => all.some((reached) => (of(reached) ?? '') !== ''));
  return { columns: filled, rows: all.map((reached) => filled.map(({ of }) => of(reached))) };
}

export function exposed_option(context: Context, { groups, unit }: ExposedThirds): ChartOption {
  const { theme } = context;
  const color = theme.dark ? '#56b4e9' : '#0072b2';
  return {
    grid: { left: 50, right: 14, top: context.top + 14, bottom: 42 },
    xAxis: axis(theme, {
      type: 'category', data: groups.map(({ from, to }) => range_label(from, to)), splitLine: { show: false }, name: context.width > 420 ? unit : '', nameGap: 26,
      axisLabel: { interval: 0, hideOverlap: false },
    }),
    yAxis: auc_axis(theme, Math.min(...groups.map(({ auc }) => auc ?? 1)), 'median AUC'),
    tooltip: tooltip(theme, {
      trigger: 'axis',
      axisPointer: { type: 'shadow' },
      formatter: ([{ dataIndex }]: { dataIndex: number }[]) => {
        const { from, to, targets, auc } = groups[dataIndex];
        return tip(`${range_label(from, to)} ${unit}`, [{ label: 'median AUC', value: fraction(auc) }, { label: 'people tried', value: count(targets) }]);
      },
    }),
    series: [
      {
        type: 'scatter', symbolSize: 12, itemStyle: { color }, data: groups.map(({ auc }) => auc),
        label: { show: true, position: 'bottom', color: theme.ink, fontSize: 11, formatter: ({ value }: { value: number }) => fraction(value) },
      },
      blind_line(theme),
    ],
  };
}

export const exposed_table = ({ groups, unit }: ExposedThirds): Table => ({
  columns: [{ label: `from (${unit})`, format: figure }, { label: `to (${unit})`, format: figure }, { label: 'people tried', format: count }, { label: 'median AUC', format: fraction }],
  rows: groups.map(({ from, to, targets, auc }) => [from, to, targets, auc]),
});

export const audit_label = (one: Audit): string => `${one.release} ${one.parameter.replaceAll(',', ', ')}`.trim();

/** The verdict stands where a small screen still shows it. */
export const audit_table = (audit: Audit[]): Table => ({
  columns: [
    { label: 'counts' }, { label: 'claimed epsilon', format: figure }, { label: 'found, at least', format: figure }, { label: 'verdict' }, { label: 'for' },
    { label: 'trials', format: count },
  ],
  rows: audit.map((one) => [audit_label(one), one.claimed, one.found, one.broken ? 'BROKEN' : 'not broken', one.unit || none, one.trials]),
});

export const sentence_of = (line: MembershipLine): string => `${line.attack}, knowing ${line.knows} and ${line.knows_of_others}, on ${release_label(line)}`;
