// SPDX-License-Identifier: Apache-2.0
// The answer for some hours, places or people: from what the document has, without asking anew.
import { range_label } from '../charts/groups';
import { place_name } from '../charts/map';
import type { Adversary, ReportDocument } from '../document';
import { count } from '../lib/format';
import { baseline_of, same } from '../lib/model';
import type { Focus } from './link';

export interface FocusErrors {
  what: string;
  before: number | null;
  without: number | null;
  with: number | null;
  own: number | null;
  /** What it is a mean over. */
  of: string;
}

const mean = (values: (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
};
const less = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b);
export const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

export const all_hours = ({ from, to }: Focus): boolean => from === to || (from === 0 && to === 24);
/** Hours may go over midnight. */
const in_hours = (hour: number, { from, to }: Focus): boolean => (from < to ? hour >= from && hour < to : hour >= from || hour < to);

export const everything = (report: ReportDocument, her: Adversary): FocusErrors =>
  ({ what: 'everybody, always', before: her.before, without: her.without, with: her.with, own: her.own, of: `${count(report.dataset.users)} people` });

/** Means over the epochs that begin in these hours; before: with the prior alone. */
export function at_hours(report: ReportDocument, her: Adversary, focus: Focus): FocusErrors {
  const mine = report.hours.series.find((series) => same(series, her));
  const prior = baseline_of(report, her);
  const chosen = report.hours.times.map((time, i) => ({ i, hour: Number(time.slice(11, 13)) })).filter(({ hour }) => in_hours(hour, focus));
  const over = (values: (number | null)[] | null | undefined) => mean(chosen.map(({ i }) => values?.[i] ?? null));
  const [before, without, with_] = [over(prior?.errors), over(mine?.without), over(mine?.errors)];
  const known = chosen.filter(({ i }) => (mine?.errors[i] ?? null) !== null).length;
  return { what: `from ${clock(focus.from)} to ${clock(focus.to)}`, before, without, with: with_, own: less(without, with_), of: `${count(known)} epochs` };
}

/** Own parts at places, weighted by visits. Nothing is known where too few people were. */
export function at_places(report: ReportDocument, her: Adversary, focus: Focus): FocusErrors {
  const chosen = (report.rois?.places ?? []).map((place, i) => ({ ...place, own: her.places?.own[i] ?? null })).filter(({ id }) => focus.places.includes(id));
  const known = chosen.filter((place) => place.own !== null && place.visits);
  const visits = known.reduce((sum, place) => sum + place.visits!, 0);
  const missing = chosen.length - known.length;
  return {
    what: chosen.length === 1 ? `at ${place_name(chosen[0], report.rois)}` : `at ${count(chosen.length)} places`,
    before: null, without: null, with: null,
    own: visits ? known.reduce((sum, place) => sum + place.own! * place.visits!, 0) / visits : null,
    of: her.places ? `${count(visits)} visits${missing ? `; ${count(missing)} with too few people` : ''}` : 'this goal is not scored by place',
  };
}

export function of_group(her: Adversary, { group }: Focus): FocusErrors | null {
  const found = group && her.by.find(({ title }) => title === group.title)?.groups[group.number];
  if (!found) return null;
  return { what: `people by ${group.title}: ${range_label(found.from, found.to)}`, before: null, without: null, with: null, own: found.own, of: `${count(found.users)} people` };
}
