// SPDX-License-Identifier: Apache-2.0
// What is published, in words and in numbers.
import type { Baseline, Published, ReportDocument, Utility } from '../document';
import { capital, figure, percent, type Cell } from './format';
import { find_entry, further_off } from './model';
import type { Table } from './table';

interface Measure {
  key: keyof Utility;
  label: string;
  format: (value: Cell) => string;
}
export const share = (value: Cell) => percent(value);
/** As utility.csv has them. */
export const measures: Measure[] = [
  { key: 'mae', label: 'mean absolute error (MAE), visitors', format: figure },
  { key: 'mae_0', label: 'MAE where the true count is 0', format: figure },
  { key: 'mae_1_9', label: 'MAE, true counts of 1 to 9', format: figure },
  { key: 'mae_10_99', label: 'MAE, true counts of 10 to 99', format: figure },
  { key: 'mae_100', label: 'MAE, true counts of 100 or more', format: figure },
  { key: 'mre', label: 'mean relative error (MRE)', format: figure },
  { key: 'top10_overlap', label: 'top-10 overlap', format: share },
  { key: 'rank_correlation', label: 'rank correlation', format: figure },
  { key: 'place_totals', label: "relative error of places' totals", format: figure },
  { key: 'epoch_totals', label: "relative error of epochs' totals", format: figure },
  { key: 'published', label: 'share of the counts published', format: share },
  { key: 'suppressed', label: 'true counts above 0 published as 0', format: share },
];

/** A row a measure; a column for what is published and one for each baseline. Measures that nobody has are left out. */
export function utility_table(published: Published, baselines: Baseline[]): Table {
  const all: Partial<Utility>[] = [published, ...baselines];
  const known = measures.filter(({ key }) => all.some((one) => typeof one[key] === 'number'));
  return {
    columns: [{ label: 'measure', wordy: true }, { label: 'as published', format: figure }, ...baselines.map(({ words }) => ({ label: words, format: figure }))],
    rows: known.map(({ key, label }) => [label, ...all.map((one) => one[key])]),
    row_formats: known.map(({ format }) => format),
  };
}

/** A sentence a step. */
export function step_words(report: ReportDocument, published: Published): { step: string; words: string }[] {
  return published.steps.map(({ name, parameter }) => ({
    step: parameter ? `${name} (${parameter.replaceAll(/,(?=\S)/g, ', ')})` : name,
    words: find_entry(report.entries.mechanisms, name)?.summary ?? '',
  }));
}

/** How it stands to publishing without having counted anybody, as a sentence; empty where it is nearer. */
export function beside_baselines(published: Published, baselines: Baseline[]): string {
  const words = further_off(published, baselines);
  return words && `${capital(words)}: this says less about the true counts than what could be published without counting anybody.`;
}
