// SPDX-License-Identifier: Apache-2.0
// Every chain tried beside every other: what the reader may choose, and what is known of each.
import { average_of, knowledge_label, type Average } from '../charts/counted';
import type { Audit, Baseline, Chain, ChainResponse, MembershipLine, MembershipPoint, ReportDocument } from '../document';
import { count, figure, fraction, plus_minus, small } from './format';
import { attack_label, defence_label, find_entry, further_off, guarantee, unique } from './model';
import { without_empty, type Table } from './table';

/** What counts have lost. */
export type Lost = 'mre' | 'mae';
export const lost_words: Record<Lost, string> = { mre: 'mean relative error', mae: 'mean absolute error' };

/** What a chain is judged by. */
export type Against = 'own' | 'auc' | 'claim';
export const against_words: Record<Against, string> = { own: 'what being counted costs', auc: 'membership', claim: 'the claim' };

/** What the reader chose besides: `prior` '' is the strongest tried, `knowledge` and `group` those of the game. */
export interface Chosen {
  goal: string;
  prior: string;
  knowledge: string;
  group: number;
}

export interface Told {
  line: MembershipLine;
  point: MembershipPoint;
}

/** One chain with what was measured of it for a choice. */
export interface Compared {
  chain: Chain;
  response: ChainResponse | null;
  /** The own part on the raw counts that it is to be compared with. */
  own_raw: number | null;
  told: Told | null;
  audit: Audit | null;
}

const same_chain = (chain: Chain, other: { release: string; parameter: string }): boolean =>
  chain.release === other.release && chain.parameter === other.parameter;

/** Of the attacks on one release, the strongest for a knowledge and group. */
function strongest_told(lines: MembershipLine[], { knowledge, group }: Chosen, average: Average): Told | null {
  return lines
    .filter((line) => knowledge_label(line) === knowledge)
    .flatMap((line) => line.points.filter((point) => point.group === group && point.auc[average] !== null).map((point) => ({ line, point })))
    .reduce<Told | null>((best, one) => (best && best.point.auc[average]! >= one.point.auc[average]! ? best : one), null);
}

export const raw_told = (report: ReportDocument, chosen: Chosen, average: Average): Told | null =>
  strongest_told((report.membership?.lines ?? []).filter((line) => line.raw), chosen, average);

export function compared(report: ReportDocument, chosen: Chosen): Compared[] {
  const lines = report.membership?.lines ?? [];
  const average = report.membership ? average_of(report.membership) : 'p50';
  return report.chains.map((chain) => {
    const mine = chain.responses.filter((one) => one.goal === chosen.goal);
    const response = mine.find((one) => (chosen.prior ? one.prior === chosen.prior : one.strongest)) ?? null;
    const raw = chosen.prior ? response : mine.find((one) => one.strongest_raw);
    return {
      chain,
      response,
      own_raw: raw?.own_raw ?? null,
      told: strongest_told(lines.filter((line) => !line.raw && same_chain(chain, line)), chosen, average),
      audit: report.membership?.audit.find((one) => same_chain(chain, one)) ?? null,
    };
  });
}

/** What there is to choose from. */
export const goals_of = (chains: Chain[]): string[] => unique(chains.flatMap((c) => c.responses.filter((r) => r.own !== null).map((r) => r.goal)));
export const chain_priors = (chains: Chain[], goal: string): string[] => unique(chains.flatMap((c) => c.responses.filter((r) => r.goal === goal && r.own !== null).map((r) => r.prior)));

/** Lines of the game on chains, with enough people to tell. */
function told_lines(report: ReportDocument): MembershipLine[] {
  const average = report.membership ? average_of(report.membership) : 'p50';
  return (report.membership?.lines ?? [])
    .filter((line) => !line.raw && report.chains.some((chain) => same_chain(chain, line)) && line.points.some((point) => point.auc[average] !== null));
}
export const knowledge_of = (report: ReportDocument): string[] => unique(told_lines(report).map(knowledge_label));
export const groups_of = (report: ReportDocument, knowledge: string): number[] =>
  unique(told_lines(report).filter((line) => knowledge_label(line) === knowledge).flatMap((line) => line.points.map((point) => point.group))).sort((a, b) => a - b);

/** What cannot be chosen, and what to set in the study for it. */
export function not_measured(report: ReportDocument): string[] {
  const missing: string[] = [];
  const tried = report.chains.some((chain) => chain.responses.length);
  if (!tried) missing.push('What being counted costs was not measured: no defence was tried against an error among study.goals.');
  else if (!goals_of(report.chains).length) missing.push('What being counted costs was not measured: study.control = true asks for it.');
  if (!knowledge_of(report).length) {
    missing.push(report.membership?.lines.some((line) => !line.raw)
      ? 'Membership was tried on too few people to tell (membership.targets, results.least_people).'
      : 'Whether somebody can tell that a person was counted was not measured under defences: a [membership] table in the study asks for it.');
  }
  if (!report.membership?.audit.length && report.chains.some((chain) => chain.epsilon !== null)) {
    missing.push('No claim was audited: audit among study.goals, or a [membership] table, asks for it.');
  }
  return missing;
}

/** Who attacked the defences, where not everybody attacked all of them. */
export function attacked_by(report: ReportDocument): string[] {
  const all = unique(report.summary.map((row) => row.attack)).filter((name) => find_entry(report.entries.attacks, name)?.uses_release);
  const tried = report.chains.filter((chain) => chain.attacks.length);
  const sentences = unique(tried.map((chain) => chain.attacks.join(', '))).map((names) => {
    const mine = tried.filter((chain) => chain.attacks.join(', ') === names);
    const who = mine.length === tried.length ? (mine.length === 1 ? 'The defence was' : `All ${count(mine.length)} defences were`) : mine.length === 1 ? `${defence_label(mine[0])} was` : `${count(mine.length)} of ${count(tried.length)} defences were`;
    const left = all.filter((name) => !mine[0].attacks.includes(name));
    return `${who} attacked by ${names}${left.length ? ` only; the raw counts also by ${left.join(', ')}, left out of this comparison` : ''}.`;
  });
  const priors = unique(report.summary.map((row) => row.prior));
  const fewer = tried.filter((chain) => unique(chain.responses.map((one) => one.prior)).length < priors.length);
  if (fewer.length) {
    const known = unique(fewer.flatMap((chain) => chain.responses.map((one) => one.prior)));
    sentences.push(`${fewer.length === tried.length ? 'They' : `${count(fewer.length)} of them`} were attacked with fewer kinds of knowledge than the raw counts: ${known.join(', ')}.`);
  }
  return sentences;
}

const step_label = ({ name, parameter }: Chain['steps'][number]): string => (parameter ? `${name} (${parameter.replaceAll(',', ', ')})` : name);
const after = ({ post_process }: Chain): string[] => (post_process ? [`post_process=${post_process}`] : []);

/** "1. NAME (parameter=value): what it does." */
export const steps_in_words = (report: ReportDocument, chain: Chain): string[] => [
  ...chain.steps.map((step, index) => {
    const summary = find_entry(report.entries.mechanisms, step.name)?.summary;
    return `${chain.steps.length > 1 ? `${index + 1}. ` : ''}${step_label(step)}${summary ? `: ${summary}` : ''}`;
  }),
  ...after(chain),
];

export const chain_label = (chain: Chain): string => (chain.preset ? `${chain.release} (preset)` : defence_label(chain));
export const promise = (chain: Chain): string => (chain.epsilon === null ? 'promises nothing' : guarantee(chain));

const strategies = (response: ChainResponse): string =>
  unique(response.strategies.map(({ attack, decision }) => attack_label({ goal: '', prior: '', attack, decision }))).join('; ');

/** Everything known of one chain, for whoever points at it. */
export function facts(one: Compared, baselines: Baseline[], average: Average): { label: string; value: string }[] {
  const { chain, response, own_raw, told, audit } = one;
  const off = further_off(chain, baselines);
  return [
    { label: 'guarantee', value: promise(chain) },
    { label: 'mean relative error', value: plus_minus(chain.mre, chain.mre_half_width, figure) },
    { label: 'mean absolute error', value: plus_minus(chain.mae, chain.mae_half_width, figure) },
    ...(off ? [{ label: 'beside the baselines', value: off }] : []),
    ...(response && response.own !== null ? [
      { label: `own part, ${response.goal}`, value: plus_minus(response.own, response.own_half_width, small) },
      { label: 'on the raw counts', value: small(own_raw) },
      ...(response.own_bound === null ? [] : [{ label: 'bound by the guarantee', value: `at most ${figure(response.own_bound)}` }]),
      { label: 'best response', value: `${response.prior}: ${strategies(response)}` },
    ] : []),
    ...(told ? [
      { label: `AUC in groups of ${count(told.point.group)}`, value: `${fraction(told.point.auc[average])}${told.point.near_all ? ' (overstated)' : ''}` },
      { label: 'told by', value: told.line.attack },
    ] : []),
    ...(audit ? [{ label: `audit, for ${audit.unit}`, value: `at least ${figure(audit.found)}, ${figure(audit.claimed)} claimed${audit.broken ? ': BROKEN' : ''}` }] : []),
  ];
}

export function compared_table(report: ReportDocument, all: Compared[], chosen: Chosen): Table {
  const average = report.membership ? average_of(report.membership) : 'p50';
  const raw = raw_told(report, chosen, average);
  const own = all.some(({ response }) => response?.own !== null && response !== null);
  const told = all.some((one) => one.told);
  const audited = all.some((one) => one.audit);
  const cells = ({ chain, response, own_raw, told: auc, audit }: Compared) => [
    chain.preset ? chain_label(chain) : chain.release, [...chain.steps.map(step_label), ...after(chain)].join(', then '), chain.epsilon, chain.epsilon === null ? 'nothing' : chain.unit,
    chain.mre, chain.mre_half_width, chain.mae, chain.mae_half_width, further_off(chain, report.baselines),
    ...(own ? [response?.own ?? null, response?.own_half_width ?? null, own_raw, response?.own_bound ?? null, response ? `${response.prior}: ${strategies(response)}` : null] : []),
    ...(told ? [auc?.point.auc[average] ?? null, raw?.point.auc[average] ?? null, auc?.line.attack ?? null] : []),
    ...(audited ? [audit?.claimed ?? null, audit?.found ?? null, audit ? (audit.broken ? 'BROKEN' : 'not broken') : null] : []),
    chain.delta || null, chain.repeats, chain.note || null,
  ];
  return without_empty({
    sortable: true,
    columns: [
      { label: 'defence', wide: true }, { label: 'steps', wide: true }, { label: 'epsilon', format: figure }, { label: 'hides', wordy: true },
      { label: 'MRE', format: figure }, { label: '± MRE', aside: true, format: figure }, { label: 'MAE', format: figure }, { label: '± MAE', aside: true, format: figure }, { label: 'beside the baselines', wordy: true },
      ...(own ? [{ label: 'own part', format: small }, { label: '± own part', aside: true, format: small }, { label: 'own part, raw', format: small }, { label: 'its bound', aside: true, format: figure }, { label: 'best response', aside: true, wordy: true }] : []),
      ...(told ? [{ label: 'AUC', format: fraction }, { label: 'AUC, raw', format: fraction }, { label: 'told by', aside: true }] : []),
      ...(audited ? [{ label: 'audit: claimed', aside: true, format: figure }, { label: 'audit: found', format: figure }, { label: 'verdict' }] : []),
      { label: 'delta', aside: true, format: figure }, { label: 'draws', aside: true, format: figure }, { label: 'why, or what it rests on', aside: true, wide: true },
    ],
    rows: all.map(cells),
  });
}
