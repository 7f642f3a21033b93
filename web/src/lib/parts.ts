// SPDX-License-Identifier: Apache-2.0
// Pieces of chart options that look the same everywhere.
import type { Context } from './echarts';
import { ramp, type Theme } from './theme.svelte';

export function axis(theme: Theme, extra: Record<string, unknown> = {}): Record<string, unknown> {
  const { axisLabel, nameTextStyle, ...rest } = extra;
  return {
    scale: true,
    nameLocation: 'middle',
    nameTextStyle: { color: theme.muted, fontSize: 12, ...(nameTextStyle as object) },
    axisLabel: { color: theme.muted, fontSize: 11, hideOverlap: true, ...(axisLabel as object) },
    axisLine: { lineStyle: { color: theme.line } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: theme.line, width: 1 } },
    ...rest,
  };
}

/** A tooltip of text nodes: names in the data are never markup. */
export function tip(title: string, rows: { label: string; value: string; color?: string }[], notes: string[] = []): HTMLElement {
  const box = document.createElement('div');
  box.className = notes.length ? 'tip long' : 'tip';
  const head = document.createElement('strong');
  head.textContent = title;
  box.append(head);
  for (const note of notes) {
    const line = document.createElement('p');
    line.textContent = note;
    box.append(line);
  }
  for (const row of rows) {
    const line = document.createElement('div');
    const label = document.createElement('span');
    label.textContent = row.label;
    if (row.color) label.style.setProperty('--swatch', row.color);
    label.className = row.color ? 'swatch' : '';
    const value = document.createElement('b');
    value.textContent = row.value;
    line.append(label, value);
    box.append(line);
  }
  return box;
}

export function tooltip(theme: Theme, extra: Record<string, unknown>): Record<string, unknown> {
  return {
    confine: true,
    transitionDuration: 0,
    backgroundColor: theme.surface,
    borderColor: theme.line,
    textStyle: { color: theme.ink, fontSize: 12 },
    extraCssText: 'max-width:min(22rem,90vw);white-space:normal;box-shadow:0 4px 16px rgb(0 0 0/.18)',
    ...extra,
  };
}

/** The colour scale, kept inside the chart in a band of its own above the plot. */
export function color_scale(context: Context, extent: [number, number], format: (value: number) => string, extra = {}) {
  return {
    type: 'continuous',
    orient: 'horizontal',
    left: 'center',
    top: context.top + 2,
    min: extent[0],
    max: extent[1],
    calculable: false,
    itemWidth: 10,
    itemHeight: Math.min(200, context.width * 0.4),
    text: [format(extent[1]), format(extent[0])],
    textStyle: { color: context.theme.muted, fontSize: 11 },
    inRange: { color: ramp(context.theme) },
    ...extra,
  };
}

/** Wheel with Shift, and a drag: the plain wheel stays the page's. */
export const zoom_inside = (extra: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 'inside',
  zoomOnMouseWheel: 'shift',
  moveOnMouseWheel: false,
  preventDefaultMouseMove: false,
  filterMode: 'none',
  ...extra,
});

export function extent(values: (number | null | undefined)[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  return low === high ? [low - 0.005, high + 0.005] : [low, high];
}
