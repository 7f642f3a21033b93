// SPDX-License-Identifier: Apache-2.0
// One request at a time, and always the latest settings next.
import { Gone, Refused, type Api } from './api';
import { key_of, type Answer, type Failure, type Progress, type Settings } from './catalogue';

/** Answers kept, so that undo and pins need not ask again. The same settings give the same answer. */
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
  failure = $state.raw<(Failure & { settings: Settings }) | null>(null);

  private kept = $state.raw(new Map<string, Answer>());
  private next: Settings | null = null;
  private spare: Settings | null = null;
  private aborter = new AbortController();

  constructor(private readonly api: Api, private readonly lost: () => void) {}

  known(settings: Settings): Answer | undefined {
    return this.kept.get(key_of(settings));
  }

  forget(): void {
    this.kept = new Map();
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
    const same = key_of(this.run.settings) === key_of(settings);
    this.next = same ? null : settings;
    if (same) this.run = { ...this.run, quiet: false };
    else if (!going || this.run.quiet) this.aborter.abort();
  }

  /** Has this answered as well, when there is time for it, and shows nothing. */
  also(settings: Settings): void {
    if (this.known(settings)) return;
    if (this.run) this.spare = settings;
    else void this.start(settings, true);
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
      if (!signal.aborted && !this.next) this.failure = { ...failure_of(error), settings };
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
    const kept = [...this.kept, [key_of(answer.settings), answer] as const];
    this.kept = new Map(kept.slice(-most_kept));
  }
}

export function failure_of(error: unknown): Failure {
  if (error instanceof Gone) return { message: 'The server does not answer.', key: null };
  if (error instanceof Refused) return { message: error.message, key: error.key };
  return { message: `This page could not read the answer: ${error instanceof Error ? error.message : error}`, key: null };
}
