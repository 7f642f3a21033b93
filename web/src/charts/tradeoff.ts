// SPDX-License-Identifier: Apache-2.0
import type { Defence } from '../document';
import type { ChartOption, Context } from '../lib/echarts';
import { figure, percent, plus_minus, small } from '../lib/format';
import { as_part, as_share, bound, defence_label, guarantee, pareto_front, sweep, type Words } from '../lib/model';
import { axis, tip, tooltip } from '../lib/parts';
import type { Table } from '../lib/table';
import { family_color } from './gains';

/** What a defence is judged by: what it leaves of the own part (less is better), or what it gives back (more is). */
export type Judged = 'own' | 'given_back';
export const judged: Record<Judged, Words & { label_of: string; axis: string; better: 1 | -1 }> = {
  own: { label_of: 'what being counted still costs', axis: 'own part left', better: -1, ...as_part },
  given_back: { label_of: 'error given back', axis: 'error given back', better: 1, ...as_share },
};

export interface Offer {
  defence: Defence;
  mre: number;
  value: number;
}

export const offers = (defences: Defence[], by: Judged): Offer[] =>
  defences.flatMap((defence) => (defence.mre === null || defence[by] === null ? [] : [{ defence, mre: defence.mre, value: defence[by]! }]));

export const front = (all: Offer[], by: Judged): Offer[] => pareto_front(all, (o) => o.mre, (o) => judged[by].better * o.value);

/** A shape beside the colour, for those who cannot tell the colours apart, and its likeness in the legend. */
export const symbols: [string, string][] = [
  ['circle', '●'], ['rect', '■'], ['triangle', '▲'], ['diamond', '◆'], ['path://M0,0L10,0L5,9Z', '▼'], ['path://M3,0h4v3h3v4h-3v3h-4v-3h-3v-4h3z', '✚'],
];
export const glyph = (families: string[], family: string): string => symbols[families.indexOf(family) % symbols.length][1];

export function tradeoff_option(context: Context, all: Offer[], by: Judged, families: string[], limit: number): ChartOption {
  const { theme } = context;
  const smallest = Math.min(...all.map((o) => o.mre).filter((mre) => mre > 0), 1);
  const at = (o: Offer) => [Math.max(o.mre, smallest / 3), o.value]; // a logarithmic axis has no 0
  const best = front(all, by);
  return {
    grid: { left: 46, right: 18, top: context.top + 22, bottom: 42 },
    xAxis: axis(theme, { type: 'log', name: 'mean relative error (logarithmic)', nameGap: 26, axisLabel: { formatter: figure } }),
    yAxis: axis(theme, { type: 'value', axisLabel: { formatter: by === 'own' ? (v: number) => String(Number(v.toFixed(4))) : judged[by].label } }),
    tooltip: tooltip(theme, {
      trigger: 'item',
      formatter: ({ data }: { data: { offer?: Offer } }) => {
        if (!data.offer) return '';
        const { defence, mre } = data.offer;
        return tip(defence_label(defence), [
          ...(defence.own === null ? [] : [
            { label: 'own part', value: plus_minus(defence.own, defence.own_half_width, small) },
            { label: 'on the raw counts', value: small(defence.own_raw) },
            { label: 'bound by the guarantee', value: bound(defence) },
          ]),
          { label: 'given back', value: plus_minus(defence.given_back, defence.given_back_half_width, percent) },
          { label: 'mean gain', value: plus_minus(defence.gain, defence.gain_half_width, percent) },
          { label: 'mean relative error', value: plus_minus(mre, defence.mre_half_width, figure) },
          { label: 'guarantee', value: guarantee(defence) },
          { label: 'Pareto front', value: best.includes(data.offer) ? 'yes' : 'no' },
        ]);
      },
    }),
    series: [
      ...families.map((family, index) => ({
        type: 'scatter', name: family, symbol: symbols[index % symbols.length][0], z: 3,
        data: all.filter((o) => sweep(o.defence).family === family).map((offer) => ({
          value: at(offer), offer, symbolSize: best.includes(offer) ? 14 : 9,
          itemStyle: {
            color: family_color(families, family, theme), opacity: best.includes(offer) ? 1 : 0.75,
            borderColor: best.includes(offer) ? theme.ink : theme.surface, borderWidth: best.includes(offer) ? 2 : 1,
          },
        })),
      })),
      {
        type: 'line', name: 'Pareto front', step: 'end', silent: true, showSymbol: false, z: 2, data: best.map(at),
        lineStyle: { color: theme.muted, width: 1.5, type: [4, 4] }, itemStyle: { color: theme.muted },
        markLine: {
          silent: true, symbol: 'none', data: limit > 0 ? [{ xAxis: limit }] : [], lineStyle: { color: theme.accent, type: 'solid', width: 1.2 },
          label: { formatter: `limit ${figure(limit)}`, color: theme.accent, fontSize: 11 },
        },
      },
    ],
  };
}

export function tradeoff_table(all: Offer[], by: Judged): Table {
  const best = front(all, by);
  return {
    columns: [
      { label: 'defence' }, { label: 'mean relative error', format: figure }, { label: 'own part', format: small }, { label: 'own part, raw', format: small },
      { label: 'given back', format: (v) => percent(v) }, { label: 'mean gain', format: (v) => percent(v) }, { label: 'guarantee' }, { label: 'Pareto front' },
    ],
    rows: [...all].sort((a, b) => a.mre - b.mre).map(({ defence: d, mre }) => [
      defence_label(d), mre, d.own, d.own_raw, d.given_back, d.gain, guarantee(d), best.some((other) => other.defence === d) ? 'yes' : 'no',
    ]),
  };
}
