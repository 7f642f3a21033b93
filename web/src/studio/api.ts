// SPDX-License-Identifier: Apache-2.0
// Requests to the server that the page came from: with the token, and answers as lines of JSON.
import { check_schema, type Advice } from '../document';
import type { Answer, Catalogue, Failure, Progress, Settings } from './catalogue';

/** The server answered, and does not do it. */
export class Refused extends Error implements Failure {
  constructor(message: string, readonly status: number, readonly key: string | null = null) {
    super(message);
  }
}
/** Nobody answers. */
export class Gone extends Error {}

export interface Limits {
  own_loss?: number;
  membership?: number;
  mae?: number;
}

type Line =
  | ({ event: 'progress' } & Progress)
  | ({ event: 'error' } & Failure)
  | ({ event: 'report' } & Omit<Answer, 'settings'>)
  | { event: 'advice'; advice: Advice }
  | { event: 'alive' };

export class Api {
  constructor(private readonly token: string) {}

  async catalogue(): Promise<Catalogue> {
    return (await this.request('api/studio')).json();
  }

  async run(settings: Settings, signal: AbortSignal, progress: (step: Progress) => void): Promise<Answer> {
    for await (const line of this.lines('api/run', signal, settings)) {
      if (line.event === 'progress') progress(line);
      if (line.event === 'report') {
        const { event, report, ...rest } = line;
        return { settings, report: check_schema(report), ...rest };
      }
    }
    throw new Gone();
  }

  async advise(settings: Settings, limits: Limits, seconds: number, signal: AbortSignal, progress: (step: Progress) => void): Promise<Advice> {
    for await (const line of this.lines('api/advise', signal, { settings, limits, seconds })) {
      if (line.event === 'progress') progress(line);
      if (line.event === 'advice') return line.advice;
    }
    throw new Gone();
  }

  /** Says so each time that the server says it is there; ends when it is not. */
  async alive(signal: AbortSignal, heard: () => void): Promise<void> {
    for await (const line of this.lines('api/alive', signal)) if (line.event === 'alive') heard();
  }

  private async request(path: string, signal?: AbortSignal, body?: unknown): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) };
    const init: RequestInit = { method: body ? 'POST' : 'GET', headers, signal, cache: 'no-store', credentials: 'omit', redirect: 'error', ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await fetch(path, init).catch((error) => {
      throw signal?.aborted ? error : new Gone();
    });
    if (response.ok) return response;
    const said = await response.json().catch(() => null) as { error?: string } | null;
    throw new Refused(said?.error ?? `The server answered ${response.status}.`, response.status);
  }

  private async *lines(path: string, signal: AbortSignal, body?: unknown): AsyncGenerator<Line> {
    const response = await this.request(path, signal, body);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    try {
      for (;;) {
        const { value, done } = await reader.read().catch((error) => {
          throw signal.aborted ? error : new Gone();
        });
        const pieces = (rest + (value ?? '')).split('\n');
        rest = pieces.pop()!;
        for (const piece of done ? [...pieces, rest] : pieces) {
          if (!piece.trim()) continue;
          const line = JSON.parse(piece) as Line;
          if (line.event === 'error') throw new Refused(line.message, 200, line.key);
          yield line;
        }
        if (done) return;
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }
}
