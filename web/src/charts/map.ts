// SPDX-License-Identifier: Apache-2.0
// A map of the ROIs' own coordinates: equirectangular, with degrees of longitude narrowed by the latitude.
import type { Part, Place as Roi, Rois } from '../document';
import type { ChartOption, Context } from '../lib/echarts';
import { count } from '../lib/format';
import { part_words } from '../lib/model';
import { axis, color_scale, extent, tip, tooltip, zoom_inside } from '../lib/parts';
import type { Table } from '../lib/table';

/** A place and what is shown of it. */
export interface Place extends Roi {
  value: number | null;
}
/** Places with the values of an adversary. */
export interface Atlas extends Rois {
  places: Place[];
  part: Part;
}
export const atlas = (rois: Rois, values: (number | null)[], part: Part): Atlas =>
  ({ ...rois, part, places: rois.places.map((place, i) => ({ ...place, value: values[i] })) });

type Located = Place & { lat: number; lng: number };

/** More lines than these would hide each other. */
const most_lines = 2000;

export function located(rois: Atlas): Located[] {
  const known = rois.places.filter((place): place is Located => place.lat !== null && place.lng !== null);
  if (rois.shape !== 'pairs') return known;
  return known.filter((place) => place.end_lat !== null && place.value !== null)
    .sort((a, b) => visits_of(b) - visits_of(a)).slice(0, most_lines);
}

interface Frame {
  lat: [number, number];
  lng: [number, number];
  narrowing: number;
}

function frame(places: Located[], cell: Rois['cell']): Frame {
  const widen = ([low, high]: [number, number], by: number): [number, number] => [low - by, high + by];
  const lat = extent(places.flatMap((place) => [place.lat, place.end_lat ?? place.lat]));
  const lng = extent(places.flatMap((place) => [place.lng, place.end_lng ?? place.lng]));
  const narrowing = Math.max(0.05, Math.cos((((lat[0] + lat[1]) / 2) * Math.PI) / 180));
  return {
    lat: widen(lat, cell ? cell.lat * 0.55 : (lat[1] - lat[0]) * 0.03),
    lng: widen(lng, cell ? cell.lng * 0.55 : (lng[1] - lng[0]) * 0.03),
    narrowing,
  };
}

const margin = { left: 52, right: 12, top: 32, bottom: 28 };
const span = ([low, high]: [number, number]) => high - low;

export function map_height(rois: Atlas, width: number): number {
  const { lat, lng, narrowing } = frame(located(rois), rois.cell);
  const plot = (width - margin.left - margin.right) * (span(lat) / (span(lng) * narrowing));
  return Math.round(Math.min(720, Math.max(240, plot)) + margin.top + margin.bottom);
}

/** Widens whichever side is too short, so that a kilometre is as long across as up. */
function fit(of: Frame, width: number, height: number): Frame {
  const wanted = (width / height) * (span(of.lat) / of.narrowing);
  const stretch = ([low, high]: [number, number], to: number): [number, number] => [(low + high - to) / 2, (low + high + to) / 2];
  if (wanted > span(of.lng)) return { ...of, lng: stretch(of.lng, wanted) };
  return { ...of, lat: stretch(of.lat, (span(of.lng) * of.narrowing * height) / width) };
}

export function place_name(place: { id: string; name: string | null }, rois: Rois | null): string {
  if (place.name && place.name !== place.id) return `${place.name} (${place.id})`;
  return rois?.shape === 'cells' ? `cell ${place.id}` : place.id;
}

/** Where too few people were there, their visits are not told. */
const visits_of = (place: Place): number => place.visits ?? 0;

function value_words(place: Place, part: Part): string {
  if (place.value !== null) return part_words[part].format(place.value);
  if (place.visits === null) return 'held back: too few people';
  return place.visits > 0 ? 'not measured' : 'nobody was there';
}

/** The values between which 98 visits in 100 lie: a hardly visited place should not set the colours of the others. */
function usual_range(places: Place[]): [number, number] {
  const sorted = places.filter((place) => place.value !== null).sort((a, b) => a.value! - b.value!);
  const total = sorted.reduce((sum, place) => sum + visits_of(place), 0);
  let before = 0;
  return extent(sorted.filter((place) => {
    const middle = (before + visits_of(place) / 2) / (total || 1);
    before += visits_of(place);
    return middle >= 0.01 && middle <= 0.99;
  }).map((place) => place.value));
}

export function map_option(context: Context, rois: Atlas): ChartOption {
  const { theme } = context;
  const places = located(rois).sort((a, b) => visits_of(b) - visits_of(a));
  const grid = { ...margin, top: context.top + margin.top };
  const view = fit(frame(places, rois.cell), context.width - grid.left - grid.right, context.height - grid.top - grid.bottom);
  const busiest = Math.max(1, ...places.map(visits_of));
  const scale = Math.min(1, Math.max(0.55, context.width / 900));
  const size = (visits: number) => scale * (5 + 23 * Math.sqrt(visits / busiest));
  const degrees = (v: number) => `${Number(v.toFixed(3))}°`;
  const { cell } = rois;
  const range = usual_range(places);
  const clamp = (value: number) => Math.min(range[1], Math.max(range[0], value));
  const words = part_words[rois.part];
  const data = (known: boolean) => places.filter((place) => (place.value !== null) === known);
  const point = (known: boolean) => (place: Located) => ({ value: [place.lng, place.lat, known ? clamp(place.value!) : 0, visits_of(place), place.end_lng, place.end_lat], place });

  const base = {
    grid,
    xAxis: axis(theme, { type: 'value', min: view.lng[0], max: view.lng[1], axisLabel: { formatter: degrees, showMinLabel: false, showMaxLabel: false } }),
    yAxis: axis(theme, { type: 'value', min: view.lat[0], max: view.lat[1], axisLabel: { formatter: degrees, showMinLabel: false, showMaxLabel: false } }),
    dataZoom: [zoom_inside({ xAxisIndex: 0 }), zoom_inside({ yAxisIndex: 0 })],
    visualMap: color_scale(context, range, (v) => `${v === range[0] ? '≤' : '≥'} ${words.label(v)}`, { dimension: 2, seriesIndex: 0 }),
    tooltip: tooltip(theme, {
      formatter: ({ data: { place } }: { data: { place: Place } }) => tip(place_name(place, rois), [
        { label: `${words.low} of the people there`, value: value_words(place, rois.part) },
        { label: 'visits', value: place.visits === null ? 'held back' : count(place.visits) },
      ]),
    }),
  };

  const draw_cell = (known: boolean) => (_: unknown, api: {
    value: (at: number) => number; coord: (at: number[]) => number[]; visual: (key: string) => string;
  }) => {
    const [x, y] = [api.value(0), api.value(1)];
    const [left, top] = api.coord([x - cell!.lng / 2, y + cell!.lat / 2]);
    const [right, bottom] = api.coord([x + cell!.lng / 2, y - cell!.lat / 2]);
    return {
      type: 'rect',
      shape: { x: left, y: top, width: right - left, height: bottom - top },
      style: { fill: known ? api.visual('color') : 'transparent', stroke: known ? theme.surface : theme.line, lineWidth: 1 },
    };
  };
  // From start to end, bent to the left of who travels, so that the way back is beside it; a ring where both are one.
  const draw_line = (_: unknown, api: {
    value: (at: number) => number; coord: (at: number[]) => number[]; visual: (key: string) => string;
  }) => {
    const [from, to] = [api.coord([api.value(0), api.value(1)]), api.coord([api.value(4), api.value(5)])];
    const style = { stroke: api.visual('color'), fill: 'none', lineWidth: Math.max(0.8, size(api.value(3)) / 5), opacity: 0.8 };
    if (from[0] === to[0] && from[1] === to[1]) return { type: 'circle', shape: { cx: from[0], cy: from[1], r: size(api.value(3)) / 2 }, style };
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    return {
      type: 'bezierCurve',
      shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1], cpx1: (from[0] + to[0]) / 2 + dy / 6, cpy1: (from[1] + to[1]) / 2 - dx / 6 },
      style,
    };
  };
  if (rois.shape === 'pairs') {
    return {
      ...base, series: [{ type: 'custom', clip: true, renderItem: draw_line, encode: { x: [0, 4], y: [1, 5] }, data: data(true).map(point(true)) }],
    };
  }
  const series = (known: boolean) => cell
    ? { type: 'custom', clip: true, renderItem: draw_cell(known), encode: { x: 0, y: 1 }, data: data(known).map(point(known)) }
    : {
        type: 'scatter', clip: true, data: data(known).map(point(known)), symbolSize: (v: number[]) => size(v[3]),
        itemStyle: known
          ? { borderColor: theme.surface, borderWidth: 0.8, opacity: 0.92 }
          : { color: 'transparent', borderColor: theme.muted, borderWidth: 1 },
      };
  return { ...base, series: [series(true), series(false)] };
}

export const map_table = (rois: Atlas): Table => ({
  columns: [
    { label: 'id' }, { label: 'name' }, { label: 'latitude', format: String }, { label: 'longitude', format: String },
    { label: 'visits', format: count }, { label: part_words[rois.part].low, format: part_words[rois.part].format },
  ],
  rows: [...rois.places].sort((a, b) => (b.value ?? -1) - (a.value ?? -1)).map((p) => [p.id, p.name, p.lat, p.lng, p.visits, p.value]),
});
