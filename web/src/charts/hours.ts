// SPDX-License-Identifier: Apache-2.0
import type { Part, ReportDocument, Series } from '../document';
import type { ChartOption, Context } from '../lib/echarts';
import { civil, fraction, weekdays } from '../lib/format';
import { attack_color, attack_label, is_baseline, line_type, part_words } from '../lib/model';
import { axis, tip, tooltip, zoom_inside } from '../lib/parts';
import type { Table } from '../lib/table';
import type { Heat } from './heat';

/** A curve: an attack's errors, or those it would make about people whom the counts leave out. */
export interface HourCurve extends Series {
  name: string;
  left_out: boolean;
}

export const hour_curves = (series: Series[], chosen: Series | undefined): HourCurve[] =>
  series.flatMap((s) => [
    { ...s, name: attack_label(s), left_out: false },
    ...(s === chosen && s.without ? [{ ...s, errors: s.without, name: `${attack_label(s)}, person left out`, left_out: true }] : []),
  ]);

export const curve_type = (report: ReportDocument, curve: HourCurve): 'solid' | number[] => (curve.left_out ? [2, 3] : line_type(report, curve));

export function hours_option(context: Context, report: ReportDocument, series: HourCurve[]): ChartOption {
  const { theme } = context;
  const times = report.hours.times;
  const labels = times.map((time) => civil(time));
  const starts_day = (index: number) => index === 0 || times[index].slice(0, 10) !== times[index - 1].slice(0, 10);
  const exporting = context.top > 0;
  const narrow = context.width < 560;
  return {
    grid: { left: 46, right: 14, top: context.top + 10, bottom: exporting ? 32 : 72 },
    xAxis: axis(theme, {
      type: 'category', data: times, boundaryGap: false,
      axisLabel: {
        interval: (index: number) => starts_day(index),
        formatter: (time: string) => (narrow ? civil(time).label.slice(0, 3) : `${civil(time).label.slice(0, 3)} ${time.slice(5, 10)}`),
        align: 'left',
      },
      splitLine: { show: true, interval: (index: number) => starts_day(index), lineStyle: { color: theme.line } },
    }),
    yAxis: axis(theme, { type: 'value', axisLabel: { formatter: (v: number) => String(Number(v.toFixed(3))) } }),
    dataZoom: [
      zoom_inside({ xAxisIndex: 0 }),
      {
        show: !exporting, type: 'slider', xAxisIndex: 0, height: 18, bottom: 14, left: 50, right: 18, showDetail: false, filterMode: 'none', brushSelect: false,
        borderColor: theme.line, fillerColor: `${theme.accent}22`, backgroundColor: 'transparent',
        handleStyle: { color: theme.surface, borderColor: theme.muted }, moveHandleSize: 0,
        dataBackground: { lineStyle: { color: theme.line }, areaStyle: { color: theme.line, opacity: 0.4 } },
        selectedDataBackground: { lineStyle: { color: theme.muted }, areaStyle: { color: theme.muted, opacity: 0.15 } },
      },
    ],
    tooltip: tooltip(theme, {
      trigger: 'axis',
      formatter: (params: { seriesIndex: number; dataIndex: number }[]) => {
        const at = params[0].dataIndex;
        return tip(`${labels[at].label}, ${times[at].slice(0, 10)}`, params.map(({ seriesIndex }) => ({
          label: series[seriesIndex].name, value: fraction(series[seriesIndex].errors[at]), color: attack_color(report, series[seriesIndex].attack, theme),
        })));
      },
    }),
    series: series.map((s) => {
      const color = attack_color(report, s.attack, theme);
      return {
        type: 'line', name: s.name, showSymbol: false, symbol: exporting ? 'none' : undefined, data: s.errors, itemStyle: { color },
        lineStyle: { color, width: is_baseline(report, s) ? 2.5 : 1.6, type: curve_type(report, s) }, emphasis: { focus: 'series' },
      };
    }),
  };
}

export const hours_table = (report: ReportDocument, series: HourCurve[]): Table => ({
  columns: [{ label: 'time' }, ...series.map((s) => ({ label: s.name, format: fraction }))],
  rows: report.hours.times.map((time, i) => [time, ...series.map((s) => s.errors[i])]),
});

/** By weekday and hour, over the epochs that start then: what being counted costs, or the share of the prior's error that the counts took. */
export function week_heat(times: string[], attack: Series, prior: Series, part: Part): Heat {
  const sums = weekdays.map(() => Array.from({ length: 24 }, () => ({ attack: 0, without: 0, prior: 0, epochs: 0 })));
  times.forEach((time, i) => {
    const { weekday, hour } = civil(time);
    const [errors, before] = [attack.errors[i], prior.errors[i]];
    if (errors === null || before === null) return;
    sums[weekday][hour].attack += errors;
    sums[weekday][hour].without += attack.without?.[i] ?? errors;
    sums[weekday][hour].prior += before;
    ++sums[weekday][hour].epochs;
  });
  return {
    what: part_words[part].low,
    words: part_words[part],
    corner: 'weekday',
    rows: weekdays.map((name) => name.slice(0, 3)),
    columns: Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')),
    values: sums.map((row) => row.map((sum) => {
      if (part === 'own') return sum.epochs ? (sum.without - sum.attack) / sum.epochs : null;
      return sum.prior > 0 ? 1 - sum.attack / sum.prior : null;
    })),
    detail: (row, column) => {
      const { epochs, ...sum } = sums[row][column];
      return [
        { label: 'error of the prior', value: fraction(sum.prior / epochs) },
        ...(attack.without ? [{ label: 'error with counts without the person', value: fraction(sum.without / epochs) }] : []),
        { label: 'error with the counts', value: fraction(sum.attack / epochs) },
      ];
    },
  };
}
