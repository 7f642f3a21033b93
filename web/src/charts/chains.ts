// SPDX-License-Identifier: Apache-2.0
// A point for each chain tried: what its counts have lost against what is left of the leak, or what is claimed.
import type { Baseline, ReportDocument } from '../document';
import { chain_label, facts, lost_words, raw_told, steps_in_words, type Against, type Chosen, type Compared, type Lost } from '../lib/chains';
import type { ChartOption, Context, LegendItem } from '../lib/echarts';
import { figure, none } from '../lib/format';
import { unique } from '../lib/model';
import { axis, tip, tooltip } from '../lib/parts';
import { palette, type Theme } from '../lib/theme.svelte';
import { average_of, average_words } from './counted';
import { symbols } from './tradeoff';

const nothing = 'promises nothing';
const preset_name = 'rule in use (preset)';
const audit_name = 'found by audit, at least';
const star = 'path://M10,0L12.9,6.4L20,7.2L14.8,12L16.2,19L10,15.5L3.8,19L5.2,12L0,7.2L7.1,6.4Z';
const triangle = 'triangle';

const unit_of = ({ chain }: Compared): string => (chain.epsilon === null ? nothing : `hides ${chain.unit}`);

/** What is promised has a colour and a shape; nothing, the last of them, is hollow. */
const units_of = (all: Compared[]): string[] => unique(all.map(unit_of)).sort((a, b) => Number(a === nothing) - Number(b === nothing));
function unit_color(units: string[], unit: string, theme: Theme): string {
  const colors = palette(theme).slice(1, -1);
  return unit === nothing ? theme.muted : colors[units.indexOf(unit) % colors.length];
}
const unit_symbol = (units: string[], unit: string): [string, string] => (unit === nothing ? ['circle', '○'] : symbols[units.indexOf(unit) % symbols.length]);

export function chains_legend(all: Compared[], against: Against): LegendItem[] {
  const units = units_of(all);
  return [
    ...units.map((unit) => ({ name: unit, color: (theme: Theme) => unit_color(units, unit, theme), glyph: unit_symbol(units, unit)[1] })),
    ...(all.some(({ chain }) => chain.preset) ? [{ name: preset_name, color: (theme: Theme) => theme.ink, glyph: '★' }] : []),
    ...(against === 'claim' && all.some(({ audit }) => audit && audit.found) ? [{ name: audit_name, color: (theme: Theme) => theme.ink, glyph: '△' }] : []),
  ];
}

/** Where a chain stands, and how sure that is. */
interface Mark {
  one: Compared;
  x: number;
  x_range: [number, number] | null;
  y: number;
  y_range: [number, number] | null;
}

/** An axis of epsilons has a band above it for what has none. */
interface Band {
  least: number;
  from: number;
  to: number;
}

function band_of(all: Compared[]): Band {
  const known = all.flatMap(({ chain, audit }) => [chain.epsilon, audit?.found]).filter((value): value is number => !!value && value > 0);
  const [least, most] = known.length ? [Math.min(...known), Math.max(...known)] : [0.1, 1];
  const from = most * 2;
  return { least: least / 2, from, to: from * Math.max(4, (most / least) ** 0.3) };
}

function marks_of(report: ReportDocument, all: Compared[], lost: Lost, against: Against, band: Band): Mark[] {
  const average = report.membership ? average_of(report.membership) : 'p50';
  return all.flatMap((one): Mark[] => {
    const { chain, response, told } = one;
    const width = chain[`${lost}_half_width`];
    const x: Pick<Mark, 'one' | 'x' | 'x_range'> = { one, x: chain[lost], x_range: width === null ? null : [chain[lost] - width, chain[lost] + width] };
    if (against === 'claim') return [{ ...x, y: chain.epsilon ?? Math.sqrt(band.from * band.to), y_range: null }];
    if (against === 'auc') {
      if (!told) return [];
      const { p25, p75 } = told.point.auc;
      return [{ ...x, y: told.point.auc[average]!, y_range: p25 === null || p75 === null ? null : [p25, p75] }];
    }
    if (!response || response.own === null) return [];
    const half = response.own_half_width;
    return [{ ...x, y: response.own, y_range: half === null ? null : [response.own - half, response.own + half] }];
  });
}

/** Whether numbers differ so much that a plain axis would heap the small ones. */
const needs_log = (values: number[]): boolean => Math.max(...values) > 20 * Math.min(...values.filter((value) => value > 0));

interface Range {
  log: boolean;
  min: number;
  max: number;
}

function x_range(marks: Mark[], baselines: Baseline[], lost: Lost): Range {
  const values = [...marks.flatMap(({ x, x_range: range }) => [x, ...(range ? [range[1]] : [])]), ...baselines.map((one) => one[lost] ?? 0)];
  const positive = values.filter((value) => value > 0);
  if (positive.length && needs_log(values)) return { log: true, min: Math.min(...positive) / 2, max: Math.max(...positive) * 1.6 };
  return { log: false, min: 0, max: Math.max(...values, 0.01) * 1.08 };
}

/** How far right a value is, from 0 to 1. */
const place = ({ log, min, max }: Range, value: number): number =>
  log ? Math.log(Math.max(value, min) / min) / Math.log(max / min) : (value - min) / (max - min);

/** How far below its point the name of each preset stands, so that none covers another. */
function name_offsets(marks: Mark[], at: (mark: Mark) => [number, number]): number[] {
  const taken: { x: number; y: number; width: number }[] = [];
  return marks.map((mark) => {
    const [x, y] = at(mark);
    const width = 7 * mark.one.chain.release.length;
    const free = (offset: number) => taken.every((one) => Math.abs(one.y - y - offset) >= 13 || x > one.x + one.width || one.x > x + width);
    const offset = [0, -13, 13, -26, 26, -39, 39].find(free) ?? 0;
    taken.push({ x, y: y + offset, width });
    return offset;
  });
}

/** Half widths as lines through a point. A logarithmic axis has no 0. */
function bars(name: string, marks: Mark[], range: Range, low: number, color: (mark: Mark) => string): Record<string, unknown> {
  return {
    type: 'custom', name, silent: true, z: 2, tooltip: { show: false },
    data: marks.map((mark) => [Math.max(mark.x, range.min), mark.y, ...(mark.x_range ?? [mark.x, mark.x]).map((x) => Math.max(x, range.min)), ...(mark.y_range ?? [mark.y, mark.y]).map((y) => Math.max(y, low))]),
    renderItem: (params: { dataIndex: number }, api: { value: (i: number) => number; coord: (at: number[]) => number[] }) => {
      const [x, y, left, right, below, above] = [0, 1, 2, 3, 4, 5].map((i) => api.value(i));
      const line = (from: number[], to: number[]) => {
        const [[x1, y1], [x2, y2]] = [api.coord(from), api.coord(to)];
        return { type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: color(marks[params.dataIndex]), lineWidth: 1.2, opacity: 0.7 } };
      };
      return { type: 'group', children: [line([left, y], [right, y]), line([x, below], [x, above])] };
    },
  };
}

/** What could be published without counting anybody, as lines; beyond the nearest of them counts are further off than that. */
function baseline_series(theme: Theme, baselines: Baseline[], lost: Lost, range: Range, width: number, where: 'Start' | 'Middle'): Record<string, unknown> {
  const lines = baselines.filter((one) => one[lost] !== null && one[lost]! > 0).sort((a, b) => a[lost]! - b[lost]!);
  // On the other side of a line too near to the one before.
  const near = lines.map((one, i) => i > 0 && (place(range, one[lost]!) - place(range, lines[i - 1][lost]!)) * width < 15);
  const room = lines.length ? (1 - place(range, lines[0][lost]!)) * width : 0;
  return {
    type: 'scatter', name: 'baselines', data: [], silent: true,
    markLine: {
      silent: true, symbol: 'none', precision: 12, data: lines.map((one, i) => ({
        xAxis: one[lost], name: one.words.replace(/^publishing /, ''), label: { position: `inside${where}${near[i] ? 'Bottom' : 'Top'}` },
      })),
      lineStyle: { color: theme.muted, type: [5, 4], width: 1.2 },
      label: { formatter: '{b}', color: theme.muted, fontSize: 10 },
    },
    markArea: {
      silent: true, itemStyle: { color: theme.muted, opacity: 0.09 }, data: lines.length ? [[{ xAxis: lines[0][lost] }, { xAxis: range.max }]] : [],
      label: { show: room > 150, formatter: 'further off than a baseline', color: theme.muted, fontSize: 10, position: 'insideTopRight' },
    },
  };
}

/** The raw counts, and what nobody can be below or above. */
function reference_series(theme: Theme, lines: { at: number; label: string }[], band: Band | null): Record<string, unknown> {
  return {
    type: 'scatter', name: 'reference', data: [], silent: true,
    markLine: {
      silent: true, symbol: 'none', precision: 12, data: lines.map(({ at, label }) => ({ yAxis: at, name: label })),
      lineStyle: { color: theme.accent, type: 'solid', width: 1.2 },
      label: { formatter: '{b}', color: theme.accent, fontSize: 11, position: 'insideStartTop' },
    },
    markArea: {
      silent: true, itemStyle: { color: theme.muted, opacity: 0.12 }, data: band ? [[{ yAxis: band.from }, { yAxis: band.to }]] : [],
      label: { show: true, formatter: nothing, color: theme.muted, fontSize: 11, position: 'insideTopLeft' },
    },
  };
}

function audit_series(theme: Theme, marks: Mark[], range: Range): Record<string, unknown>[] {
  const found = marks.filter(({ one }) => one.audit && one.audit.found);
  if (!found.length) return [];
  const at = ({ one, x }: Mark): [number, number] => [Math.max(x, range.min), one.audit!.found!];
  return [
    bars(audit_name, found.filter(({ one }) => one.chain.epsilon !== null).map((mark) => ({ ...mark, x_range: null, y_range: [Math.min(mark.y, at(mark)[1]), Math.max(mark.y, at(mark)[1])] })), range, 0, () => theme.ink),
    {
      type: 'scatter', name: audit_name, symbol: triangle, symbolSize: 10, z: 4,
      data: found.map((mark) => ({ value: at(mark), mark })),
      itemStyle: { color: theme.surface, borderColor: theme.ink, borderWidth: 1.5 },
      label: { show: true, position: 'right', fontSize: 10, color: theme.ink, formatter: ({ data }: { data: { mark: Mark } }) => (data.mark.one.audit!.broken ? 'BROKEN' : '') },
    },
  ];
}

/** The raw counts by the attacks tried on chains: one line, or where those differ one each. */
function raw_lines(report: ReportDocument, all: Compared[], against: Against, chosen: Chosen): { at: number; label: string }[] {
  if (against === 'own') {
    const measured = all.filter(({ response, own_raw }) => response && response.own !== null && own_raw !== null);
    const rounded = ({ own_raw }: Compared) => Number(own_raw!.toFixed(9));
    const levels = unique(measured.map(rounded));
    return levels.map((at) => ({ at, label: levels.length === 1 ? 'raw counts' : `raw counts by ${measured.find((one) => rounded(one) === at)!.chain.attacks.join(', ')}` }));
  }
  if (against === 'claim' || !report.membership) return [];
  const average = average_of(report.membership);
  const raw = raw_told(report, chosen, average);
  return [{ at: 0.5, label: 'blind guess' }, ...(raw ? [{ at: raw.point.auc[average]!, label: 'raw counts' }] : [])];
}

export interface Comparison {
  report: ReportDocument;
  all: Compared[];
  lost: Lost;
  against: Against;
  chosen: Chosen;
}

export function chains_option(context: Context, { report, all, lost, against, chosen }: Comparison): ChartOption {
  const { theme } = context;
  const average = report.membership ? average_of(report.membership) : 'p50';
  const band = band_of(all);
  const claims = against === 'claim';
  const marks = marks_of(report, all, lost, against, band);
  const units = units_of(all);
  const range = x_range(marks, report.baselines, lost);
  const lines = raw_lines(report, all, against, chosen);
  const heights = [...marks.flatMap(({ y, y_range: r }) => [y, ...(r ?? [])]), ...lines.map(({ at }) => at), ...(against === 'own' ? [0] : [])];
  const [low, high] = heights.length ? [Math.min(...heights), Math.max(...heights)] : [0, 1];
  const pad = Math.max((high - low) * 0.08, 1e-4);
  const words = (one: Compared) => [chain_label(one.chain), ...steps_in_words(report, one.chain), ...facts(one, report.baselines, average).map(({ label, value }) => `${label}: ${value}`), one.chain.note ?? ''].join('. ');
  const [bottom, top] = claims ? [band.least, band.to].map(Math.log) : [low - pad, high + pad];
  const presets = marks.filter(({ one }) => one.chain.preset);
  const offsets = name_offsets(presets, ({ x, y }) => [place(range, x) * (context.width - 68), (1 - ((claims ? Math.log(y) : y) - bottom) / (top - bottom)) * (context.height - context.top - 58)]);
  const point = (mark: Mark) => ({ value: [Math.max(mark.x, range.min), mark.y], mark, words: words(mark.one) });
  const y_name = { own: 'own part', auc: `${average_words[average]} AUC`, claim: 'epsilon claimed (logarithmic)' }[against];
  return {
    grid: { left: 54, right: 14, top: context.top + 14, bottom: 44 },
    xAxis: axis(theme, { type: range.log ? 'log' : 'value', name: `${lost_words[lost]}${range.log ? ' (logarithmic)' : ''}`, nameGap: 28, min: range.min, max: range.max, axisLabel: { formatter: figure, showMinLabel: false, showMaxLabel: false }, splitLine: { show: false } }),
    yAxis: claims
      ? axis(theme, { type: 'log', name: y_name, nameGap: 40, min: band.least, max: band.to, axisLabel: { formatter: (v: number) => (v > band.from * 0.999 ? '' : figure(v)), showMinLabel: false }, splitLine: { show: false } })
      : axis(theme, { type: 'value', name: y_name, nameGap: 40, min: low - pad, max: high + pad, axisLabel: { formatter: (v: number) => String(Number(v.toFixed(4))), showMinLabel: false, showMaxLabel: false } }),
    tooltip: tooltip(theme, {
      trigger: 'item',
      enterable: true,
      extraCssText: `max-width:min(24rem,90vw);max-height:${context.height - 12}px;overflow:auto;white-space:normal;box-shadow:0 4px 16px rgb(0 0 0/.18)`,
      formatter: ({ data }: { data?: { mark?: Mark } }) => {
        if (!data?.mark) return '';
        const { one } = data.mark;
        const why = one.chain.note ? [one.chain.note] : [];
        const here = marks.filter((mark) => mark.x === data.mark!.x && mark.y === data.mark!.y).map((mark) => chain_label(mark.one.chain)).filter((name) => name !== chain_label(one.chain));
        const beside = here.length ? [`At the same place: ${here.join('; ')}.`] : [];
        return tip(chain_label(one.chain), facts(one, report.baselines, average), [...(one.chain.preset ? [one.chain.preset.summary] : []), ...steps_in_words(report, one.chain), ...why, ...beside]);
      },
    }),
    series: [
      baseline_series(theme, report.baselines, lost, range, context.width - 68, claims ? 'Start' : 'Middle'),
      reference_series(theme, lines, claims && all.some(({ chain }) => chain.epsilon === null) ? band : null),
      ...units.flatMap((unit) => {
        const mine = marks.filter(({ one }) => unit_of(one) === unit && !one.chain.preset);
        const color = unit_color(units, unit, theme);
        return [
          bars(unit, mine, range, claims ? band.least : -Infinity, () => color),
          {
            type: 'scatter', name: unit, symbol: unit_symbol(units, unit)[0], symbolSize: 10, z: 3, data: mine.map(point),
            itemStyle: { color: unit === nothing ? theme.surface : color, borderColor: unit === nothing ? color : theme.surface, borderWidth: unit === nothing ? 2 : 1 },
          },
        ];
      }),
      bars(preset_name, presets, range, claims ? band.least : -Infinity, ({ one }) => unit_color(units, unit_of(one), theme)),
      {
        type: 'scatter', name: preset_name, symbol: star, symbolSize: 17, z: 4,
        data: presets.map((mark, i) => ({
          ...point(mark), itemStyle: { color: unit_color(units, unit_of(mark.one), theme), borderColor: theme.surface, borderWidth: 1 },
          label: { show: true, formatter: mark.one.chain.release || none, color: theme.ink, textBorderColor: theme.surface, textBorderWidth: 2, fontSize: 11, position: place(range, mark.x) > 0.6 ? 'left' : 'right', offset: [0, offsets[i]] },
        })),
      },
      ...(claims ? audit_series(theme, marks, range) : []),
    ],
  };
}
