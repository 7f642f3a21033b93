// SPDX-License-Identifier: Apache-2.0
import type { Cell } from './format';

export interface Column {
  label: string;
  /** How a number is shown; text columns have none. */
  format?: (value: Cell) => string;
  /** Text of several words, kept from becoming a narrow tower. */
  wordy?: boolean;
  /** Text of a sentence or more. */
  wide?: boolean;
  /** Left out on paper, where there is no room to scroll. */
  aside?: boolean;
}

export interface Table {
  columns: Column[];
  rows: Cell[][];
  /** How the numbers of a row are shown, where that is not the column's matter alone. */
  row_formats?: ((value: Cell, column: number) => string)[];
  /** The reader may sort it by any column. */
  sortable?: boolean;
}

/** Without the columns in which there is nothing. */
export function without_empty({ columns, rows, ...rest }: Table): Table {
  const filled = columns.map((_, index) => rows.some((row) => row[index] !== null && row[index] !== undefined));
  return { ...rest, columns: columns.filter((_, index) => filled[index]), rows: rows.map((row) => row.filter((_, index) => filled[index])) };
}

/** By a column, what is missing last; equal ones in the order they have. */
export function sorted_rows(rows: Cell[][], column: number, falling: boolean): Cell[][] {
  const missing = (cell: Cell) => cell === null || cell === undefined || cell === '';
  const compare = (a: Cell, b: Cell): number => {
    if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b));
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true });
    return falling ? -order : order;
  };
  return [...rows].sort((a, b) => compare(a[column], b[column]));
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
