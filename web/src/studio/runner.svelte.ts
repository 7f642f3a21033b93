// SPDX-License-Identifier: Apache-2.0
// One request at a time, and always the latest settings next.
import { Gone, Refused, type Api } from './api';
import { key_of, type Answer, type Failure, type Progress, type Settings } from './catalogue';

/** Answers kept beside those of pins, so that undo need not ask again. The same settings give the same answer. */
const most_kept = 24;

interface Run {
  settings: Settings;
  since: number;
  progress: Progress | null;
  /** Its answer is kept, not shown. */
  quiet: boolean;
}

export class Runner {
  answer = $state.raw<Answer | null>(null);
  /** How many answers were shown. */
  shown = $state(0);
  run = $state.raw<Run | null>(null);
  failure = $state.raw<Failure | null>(null);

  private kept = $state.raw(new Map<string, Answer>());
  /** Why there is no answer to what was asked aside. */
  private refused = $state.raw(new Map<string, string>());
  private next: Settings | null = null;
  private spare: Settings | null = null;
  private aborter = new AbortController();

  /** `pinned`: the keys of settings whose answers are kept whatever their number. */
  constructor(private readonly api: Api, private readonly lost: () => void, private readonly pinned: () => string[]) {}

  known(settings: Settings): Answer | undefined {
    return this.kept.get(key_of(settings));
  }
  refusal(settings: Settings): string | undefined {
    return this.refused.get(key_of(settings));
  }

  /**
   * Shows the answer to these settings as soon as it is there. While something is `going` (dragged) the request under way is waited
   * for, so that answers keep coming; else it is given up for the new one.
   */
  want(settings: Settings, going: boolean): void {
    this.failure = null;
    const known = this.known(settings);
    if (known) {
      this.stop();
      return this.show(known);
    }
    if (!this.run) return void this.start(settings, false);
    // A request that was given up brings no answer, although it is still under way for a moment.
    const coming = !this.aborter.signal.aborted && key_of(this.run.settings) === key_of(settings);
    this.next = coming ? null : settings;
    if (coming) this.run = { ...this.run, quiet: false };
    else if (!going || this.run.quiet) this.aborter.abort();
  }

  /** Has this answered as well, when there is time for it, and shows nothing. What was refused is asked again only by `retry`. */
  also(settings: Settings): void {
    if (this.known(settings) || this.refusal(settings)) return;
    if (this.run) this.spare = settings;
    else void this.start(settings, true);
  }

  retry(settings: Settings): void {
    this.refused = new Map([...this.refused].filter(([key]) => key !== key_of(settings)));
    this.also(settings);
  }

  /** Gives up what is under way. */
  stop(): void {
    this.next = null;
    if (!this.run?.quiet) this.aborter.abort();
  }

  private show(answer: Answer): void {
    this.answer = answer;
    ++this.shown;
  }

  private async start(settings: Settings, quiet: boolean): Promise<void> {
    this.aborter = new AbortController();
    const { signal } = this.aborter;
    this.run = { settings, since: performance.now(), progress: null, quiet };
    try {
      const answer = await this.api.run(settings, signal, (progress) => (this.run = { ...this.run!, progress }));
      this.keep(answer);
      if (!signal.aborted && !this.run?.quiet) this.show(answer);
    } catch (error) {
      if (error instanceof Gone) this.lost();
      if (!signal.aborted && !this.run!.quiet && !this.next) this.failure = failure_of(error);
      if (!signal.aborted && this.run!.quiet && !(error instanceof Gone)) this.refused = new Map([...this.refused, [key_of(settings), failure_of(error).message]]);
    }
    const given_up = signal.aborted && this.run?.quiet ? settings : null;
    this.run = null;
    const [next, spare] = [this.next, this.spare ?? given_up];
    this.next = null;
    this.spare = next ? spare : null;
    if (next) void this.start(next, false);
    else if (spare && !this.known(spare)) void this.start(spare, true);
  }

  private keep(answer: Answer): void {
    const pinned = new Set(this.pinned());
    const all = [...this.kept, [key_of(answer.settings), answer] as const];
    const others = all.filter(([key]) => !pinned.has(key)).slice(-most_kept);
    this.kept = new Map([...all.filter(([key]) => pinned.has(key)), ...others]);
  }
}

export function failure_of(error: unknown): Failure {
  if (error instanceof Gone) return { message: 'The server does not answer.', key: null };
  if (error instanceof Refused) return { message: error.message, key: error.key };
  return { message: `This page could not read the answer: ${error instanceof Error ? error.message : error}`, key: null };
}
