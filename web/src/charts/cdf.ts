// SPDX-License-Identifier: Apache-2.0
import type { ReportDocument, Series } from '../document';
import type { ChartOption, Context } from '../lib/echarts';
import { fraction, percent } from '../lib/format';
import { attack_label, is_baseline, line_type } from '../lib/model';
import { axis, tip, tooltip, zoom_inside } from '../lib/parts';
import type { Table } from '../lib/table';
import type { Theme } from '../lib/theme.svelte';

export interface Curve extends Series {
  mean: number | null;
  median: number | null;
  color: (theme: Theme) => string;
}

/** The share of users with at most this error. */
function share_at(errors: (number | null)[], probabilities: number[], error: number): number {
  let share = 0;
  for (let i = 0; i < errors.length; ++i) {
    const here = errors[i] ?? Infinity;
    if (here > error) {
      const before = errors[i - 1];
      if (i === 0 || before === null || before === undefined) return 0;
      return probabilities[i - 1] + ((error - before) / (here - before)) * (probabilities[i] - probabilities[i - 1]);
    }
    share = here < error ? 1 : probabilities[i];
  }
  return share;
}

/** `is_hidden` is asked when a tooltip is shown: on an axis of numbers ECharts names only the nearest curve. */
export function cdf_option(
  context: Context, report: ReportDocument, curves: Curve[], range: [number, number], is_hidden: (name: string) => boolean,
): ChartOption {
  const { theme } = context;
  const { probabilities } = report.cdf;
  const pad = (range[1] - range[0]) * 0.02;
  return {
    grid: { left: 46, right: 14, top: context.top + 10, bottom: 42 },
    xAxis: axis(theme, {
      type: 'value', name: 'error', nameGap: 26,
      min: Math.max(0, range[0] - pad), max: Math.min(1, range[1] + pad),
      axisLabel: { formatter: (v: number) => String(Number(v.toFixed(3))), showMinLabel: false, showMaxLabel: false },
    }),
    yAxis: axis(theme, { type: 'value', min: 0, max: 1, interval: 0.25, axisLabel: { formatter: (v: number) => percent(v, 0) } }),
    dataZoom: [zoom_inside({ xAxisIndex: 0 })],
    tooltip: tooltip(theme, {
      trigger: 'axis',
      axisPointer: { snap: false, lineStyle: { color: theme.muted } },
      formatter: (params: { axisValue: number }[]) => {
        const error = Number(params[0].axisValue);
        return tip(`Users with an error of at most ${fraction(error)}`, curves.filter((curve) => !is_hidden(attack_label(curve))).map((curve) => ({
          label: attack_label(curve),
          color: curve.color(theme),
          value: percent(share_at(curve.errors, probabilities, error)),
        })));
      },
    }),
    series: curves.map((curve) => ({
      type: 'line',
      name: attack_label(curve),
      showSymbol: false,
      symbol: context.top > 0 ? 'none' : undefined,
      emphasis: { focus: 'series' },
      itemStyle: { color: curve.color(theme) },
      lineStyle: { width: is_baseline(report, curve) ? 2.5 : 1.8, type: line_type(report, curve), color: curve.color(theme) },
      data: curve.errors.map((error, i) => [error, probabilities[i]]),
    })),
  };
}

export const cdf_table = (curves: Curve[], probabilities: number[]): Table => ({
  columns: [{ label: 'share of users', format: (v) => percent(v) }, ...curves.map((c) => ({ label: attack_label(c), format: fraction }))],
  rows: probabilities.map((p, i) => [p, ...curves.map((c) => c.errors[i])]),
});
