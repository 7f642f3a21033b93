// SPDX-License-Identifier: Apache-2.0
// Settings in words.
import type { Catalogue, Settings } from './catalogue';
import { step_text, steps_of } from './steps';

/** What is set, and to what. */
export const words_of = (catalogue: Catalogue, { publish, ...rest }: Settings): [string, string][] => [
  ['what is published', !publish ? 'the counts as they are' : 'preset' in publish ? `preset ${publish.preset}` : steps_of(catalogue, publish).map(step_text).join(', ')],
  ['noisy counts become', publish && 'steps' in publish ? (publish.post_process ?? 'as usual') : 'as usual'],
  ['what she knows', rest.priors.join(', ')],
  ['what she does', rest.attacks.join(', ')],
  ['goals', rest.goals.join(', ')],
  ['membership', rest.membership ? 'yes' : 'no'],
  ['seed', String(rest.seed)],
];

/** What is published, how, and what else is not as the studio starts. */
export function name_of(catalogue: Catalogue, settings: Settings): string {
  const start = words_of(catalogue, { ...catalogue.settings, publish: null });
  const [[, published], ...rest] = words_of(catalogue, settings);
  return [published, ...rest.filter(([, words], i) => words !== start[i + 1][1]).map(([what, words]) => `${what}: ${words}`)].join('; ');
}
