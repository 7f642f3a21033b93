// SPDX-License-Identifier: Apache-2.0
import type { ReportDocument, Series } from '../document';
import type { ChartOption, Context } from '../lib/echarts';
import { civil, fraction, weekdays } from '../lib/format';
import { attack_color, attack_label, is_baseline, is_dashed } from '../lib/model';
import { axis, tip, tooltip, zoom_inside } from '../lib/parts';
import type { Table } from '../lib/table';
import type { Heat } from './heat';

export function hours_option(context: Context, report: ReportDocument, series: Series[]): ChartOption {
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
          label: attack_label(series[seriesIndex]), value: fraction(series[seriesIndex].errors[at]), color: attack_color(report, series[seriesIndex].attack, theme),
        })));
      },
    }),
    series: series.map((s) => {
      const color = attack_color(report, s.attack, theme);
      return {
        type: 'line', name: attack_label(s), showSymbol: false, symbol: exporting ? 'none' : undefined, data: s.errors, itemStyle: { color },
        lineStyle: { color, width: is_baseline(report, s) ? 2.5 : 1.6, type: is_dashed(report, s) ? [5, 4] : 'solid' }, emphasis: { focus: 'series' },
      };
    }),
  };
}

export const hours_table = (report: ReportDocument, series: Series[]): Table => ({
  columns: [{ label: 'time' }, ...series.map((s) => ({ label: attack_label(s), format: fraction }))],
  rows: report.hours.times.map((time, i) => [time, ...series.map((s) => s.errors[i])]),
});

/** Loss by weekday and hour: what the release takes off the prior's error, summed over the epochs that start then. */
export function week_heat(times: string[], attack: Series, prior: Series): Heat {
  const sums = weekdays.map(() => Array.from({ length: 24 }, () => ({ attack: 0, prior: 0, epochs: 0 })));
  times.forEach((time, i) => {
    const { weekday, hour } = civil(time);
    const [with_release, without] = [attack.errors[i], prior.errors[i]];
    if (with_release === null || without === null) return;
    sums[weekday][hour].attack += with_release;
    sums[weekday][hour].prior += without;
    ++sums[weekday][hour].epochs;
  });
  return {
    what: 'loss',
    corner: 'weekday',
    rows: weekdays.map((name) => name.slice(0, 3)),
    columns: Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')),
    values: sums.map((row) => row.map((sum) => (sum.prior > 0 ? 1 - sum.attack / sum.prior : null))),
    detail: (row, column) => [
      { label: 'error of the prior', value: fraction(sums[row][column].prior / sums[row][column].epochs) },
      { label: 'error with the release', value: fraction(sums[row][column].attack / sums[row][column].epochs) },
    ],
  };
}
