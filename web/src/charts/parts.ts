// SPDX-License-Identifier: Apache-2.0
// The least error about everybody: without the counts, with counts that leave each person out, and with them.
import type { BestResponse, ReportDocument, Strategy } from '../document';
import type { ChartOption, Context, LegendItem } from '../lib/echarts';
import { fraction, none, small } from '../lib/format';
import { attack_label, is_blind, priors_of } from '../lib/model';
import { axis, extent, tip, tooltip } from '../lib/parts';
import type { Table } from '../lib/table';
import { palette, type Theme } from '../lib/theme.svelte';

export interface Parts {
  rows: BestResponse[];
  /** Whether there is a control. */
  control: boolean;
  blind: { name: string; error: number } | null;
}

export function parts_of(report: ReportDocument, goal: string): Parts {
  const priors = priors_of(report, goal);
  const rows = report.best.filter((best) => best.goal === goal).sort((a, b) => priors.indexOf(a.prior) - priors.indexOf(b.prior));
  const blind = report.summary.find((row) => row.goal === goal && is_blind(report, row));
  return { rows, control: rows.some((row) => row.without), blind: blind ? { name: blind.attack, error: blind.error_mean } : null };
}

type Mark = 'before' | 'without' | 'with';
const marks: Record<Mark, { name: string; symbol: string; glyph: string }> = {
  before: { name: 'without counts', symbol: 'emptyCircle', glyph: '○' },
  without: { name: 'counts without the person', symbol: 'diamond', glyph: '◆' },
  with: { name: 'with the counts', symbol: 'circle', glyph: '●' },
};
const crowd_color = (theme: Theme) => palette(theme)[3];
const own_color = (theme: Theme) => palette(theme)[4];

interface Span {
  name: string;
  color: (theme: Theme) => string;
  from: Mark;
  to: Mark;
}
const spans = (parts: Parts): Span[] => parts.control
  ? [{ name: 'crowd part', color: crowd_color, from: 'without', to: 'before' }, { name: 'own part', color: own_color, from: 'with', to: 'without' }]
  : [{ name: 'what the counts take', color: crowd_color, from: 'with', to: 'before' }];
const shown_marks = (parts: Parts): Mark[] => (parts.control ? ['before', 'without', 'with'] : ['before', 'with']);

export const parts_legend = (parts: Parts): LegendItem[] => [
  ...shown_marks(parts).map((mark) => ({ name: marks[mark].name, glyph: marks[mark].glyph, color: (theme: Theme) => theme.ink })),
  ...spans(parts).map(({ name, color }) => ({ name, color, glyph: '▬' })),
  ...(parts.blind ? [{ name: parts.blind.name, color: (theme: Theme) => theme.muted, dash: [2, 3] }] : []),
];

export const parts_height = (parts: Parts): number => 62 + 34 * parts.rows.length;

const strategy = (of: Strategy | null, row: BestResponse): string =>
  of ? `${fraction(of.error)} (${attack_label({ ...row, attack: of.attack, decision: of.decision })})` : none;

export function parts_option(context: Context, parts: Parts): ChartOption {
  const { theme } = context;
  const { rows } = parts;
  const left = Math.min(Math.max(...rows.map((row) => row.prior.length)) * 7 + 14, 130);
  const at = (row: BestResponse, mark: Mark) => row[mark]?.error ?? null;
  const all = rows.flatMap((row) => shown_marks(parts).map((mark) => at(row, mark)));
  const [low, high] = extent([...all, parts.blind?.error]);
  const pad = (high - low) * 0.05;
  const draw = (span: Span) => (_: unknown, api: { value: (at: number) => number; coord: (at: number[]) => number[] }) => {
    const [x1, y] = api.coord([api.value(0), api.value(1)]);
    const [x2] = api.coord([api.value(2), api.value(1)]);
    return { type: 'rect', shape: { x: Math.min(x1, x2), y: y - 4, width: Math.abs(x2 - x1), height: 8 }, style: { fill: span.color(theme) } };
  };
  return {
    grid: { left, right: 18, top: context.top + 16, bottom: 42 },
    xAxis: axis(theme, {
      type: 'value', name: 'least mean error', nameGap: 26, min: Math.max(0, low - pad), max: high + pad,
      axisLabel: { formatter: (v: number) => String(Number(v.toFixed(3))), showMinLabel: false, showMaxLabel: false },
    }),
    yAxis: axis(theme, { type: 'category', data: rows.map((row) => row.prior), inverse: true, axisLabel: { interval: 0, hideOverlap: false } }),
    tooltip: tooltip(theme, {
      trigger: 'axis',
      axisPointer: { type: 'shadow', axis: 'y' },
      formatter: (params: { dataIndex: number }[]) => {
        const row = rows[params[0].dataIndex];
        return tip(row.prior, [
          ...shown_marks(parts).map((mark) => ({ label: marks[mark].name, value: strategy(row[mark], row) })),
          ...spans(parts).map(({ name, from, to, color }) => ({ label: name, value: small((at(row, to) ?? 0) - (at(row, from) ?? 0)), color: color(theme) })),
        ]);
      },
    }),
    series: [
      ...spans(parts).map((span) => ({
        type: 'custom', name: span.name, renderItem: draw(span), itemStyle: { color: span.color(theme) }, encode: { x: [0, 2], y: 1 }, z: 2,
        data: rows.map((row, i) => [at(row, span.from), i, at(row, span.to)]),
      })),
      ...shown_marks(parts).map((mark) => ({
        type: 'scatter', name: marks[mark].name, symbol: marks[mark].symbol, symbolSize: mark === 'before' ? 13 : 9, z: 3,
        itemStyle: { color: theme.ink, borderColor: theme.surface, borderWidth: mark === 'before' ? 0 : 1 },
        data: rows.map((row, i) => [at(row, mark), i]),
      })),
      ...(parts.blind ? [{
        type: 'scatter', name: parts.blind.name, data: [], itemStyle: { color: theme.muted },
        markLine: {
          silent: true, symbol: 'none', precision: 12, data: [{ xAxis: parts.blind.error }], lineStyle: { color: theme.muted, type: [2, 3], width: 1.5 },
          label: { formatter: parts.blind.name, color: theme.muted, fontSize: 10, position: 'start', distance: 2 },
        },
      }] : []),
    ],
  };
}

export const parts_table = (parts: Parts): Table => ({
  columns: [
    { label: 'prior' }, { label: 'without counts', format: fraction }, { label: 'by' },
    ...(parts.control ? [{ label: 'counts without the person', format: fraction }, { label: 'by' }] : []),
    { label: 'with the counts', format: fraction }, { label: 'by' },
    ...spans(parts).map(({ name }) => ({ label: name, format: small })),
  ],
  rows: parts.rows.map((row) => [
    row.prior,
    ...shown_marks(parts).flatMap((mark) => [row[mark]?.error ?? null, row[mark] ? attack_label({ ...row, ...row[mark]! }) : null]),
    ...spans(parts).map(({ from, to }) => (row[to] && row[from] ? row[to]!.error - row[from]!.error : null)),
  ]),
});
