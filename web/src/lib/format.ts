// SPDX-License-Identifier: Apache-2.0
// Losses, gains and shares are shown as percentages, errors as numbers from 0 to 1.

export type Cell = number | string | null | undefined;
export const none = '–';

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const finite = (value: Cell): value is number => typeof value === 'number' && Number.isFinite(value);

export const percent = (value: Cell, digits = 1): string =>
  finite(value) ? `${(100 * value).toFixed(digits).replace(/^-(0(\.0+)?)$/, '$1')}%` : none;

/** Differences of shares. */
export const points = (value: Cell): string => (finite(value) ? `${percent(value).replace('%', '')} points` : none);

export const percent0 = (value: Cell): string => percent(value, 0);

export const fraction = (value: Cell): string => (finite(value) ? value.toFixed(3) : none);

/** Differences of errors, which may be small. */
export const small = (value: Cell): string => (finite(value) ? value.toFixed(4).replace(/^-(0\.0+)$/, '$1') : none);

export const count = (value: Cell): string => (finite(value) ? value.toLocaleString('en-US') : none);

/** Three significant digits, thousands separated: for numbers of any size. */
export function figure(value: Cell): string {
  if (!finite(value)) return none;
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en-US');
  return size < 1e-5 ? value.toExponential(1) : Number(value.toPrecision(3)).toString();
}

export const signed = (value: Cell): string => (finite(value) ? `${value < 0 ? '−' : '+'}${fraction(Math.abs(value))}` : none);

export function plus_minus(value: Cell, half_width: Cell, format: (value: Cell) => string): string {
  if (!finite(half_width)) return format(value);
  return `${format(value).replace('%', '')} ± ${format(format === figure ? Number(half_width.toPrecision(2)) : half_width)}`;
}

export function bytes(value: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; ++unit) value /= 1000;
  return `${unit ? value.toFixed(1) : value} ${units[unit]}`;
}

export function duration(seconds: number): string {
  for (const [size, name] of [[604800, 'week'], [86400, 'day'], [3600, 'hour'], [60, 'minute']] as const) {
    if (seconds % size === 0) return seconds === size ? `1 ${name}` : `${seconds / size} ${name}s`;
  }
  return `${seconds} s`;
}

/** The weekday (0 is Monday) and hour of a civil time "YYYY-MM-DD HH:MM:SS", without any time zone of the reader. */
export function civil(time: string): { weekday: number; hour: number; label: string } {
  const [year, month, day, hour, minute] = time.split(/[-: T]/).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  const weekday = (date.getUTCDay() + 6) % 7;
  const two = (n: number) => String(n).padStart(2, '0');
  return { weekday, hour, label: `${weekdays[weekday].slice(0, 3)} ${two(hour)}:${two(minute || 0)}` };
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'report';
