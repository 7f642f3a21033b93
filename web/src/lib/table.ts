// SPDX-License-Identifier: Apache-2.0
import type { Cell } from './format';

export interface Column {
  label: string;
  /** How a number is shown; text columns have none. */
  format?: (value: Cell) => string;
  /** Text of several words, kept from becoming a narrow tower. */
  wordy?: boolean;
}

export interface Table {
  columns: Column[];
  rows: Cell[][];
}

/** Text that a spreadsheet would take for a formula gets a ' before it, as in the CSV files of the results. */
function guard(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text) ? `'${text}` : text;
}

function quote(value: Cell): string {
  const text = typeof value === 'string' ? guard(value) : value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The numbers in full, as in summary.csv. */
export function to_csv(table: Table): string {
  return [table.columns.map((c) => c.label), ...table.rows].map((row) => row.map(quote).join(',') + '\n').join('');
}

export function download(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export const download_csv = (name: string, table: Table): void =>
  download(`${name}.csv`, new Blob([to_csv(table)], { type: 'text/csv' }));
