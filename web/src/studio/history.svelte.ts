// SPDX-License-Identifier: Apache-2.0
// Undo and redo over the browser's own history, so that its Back is undo as well.

/** A browser takes some 200 changes of the address in 30 seconds, and then no more for a while. */
const least_pause = 200;
/** Presses of a key that follow each other so soon are one change. */
const same_change = 700;

interface Place {
  /** How many changes came before. */
  at: number;
}

/** How many changes there are in this tab, for after a reload. */
const memory = {
  get: (): number => {
    try {
      return Number(sessionStorage.getItem('hearsay-changes') ?? 0);
    } catch {
      return 0; // a frame may have none
    }
  },
  set: (value: number): void => {
    try {
      sessionStorage.setItem('hearsay-changes', String(value));
    } catch {
      // as above
    }
  },
};

export class Changes {
  private at = $state(0);
  private last = $state(0);
  readonly undoable = $derived(this.at > 0);
  readonly redoable = $derived(this.at < this.last);

  private timer: ReturnType<typeof setTimeout> | undefined;
  private by = '';
  /** A control is held. */
  going = false;
  private when = -Infinity;

  /** `address`: the page's address now. */
  constructor(private readonly address: () => string) {
    const place = history.state as Place | null;
    this.at = place?.at ?? 0;
    this.last = place ? Math.max(this.at, memory.get()) : 0;
    this.replace();
  }

  /** A control has changed something; `going`: it is held, and there is more to come, all of it one change. */
  made(by: string, going = false): void {
    const now = performance.now();
    const same = by !== '' && by === this.by && (this.going || now - this.when < same_change);
    if (!same) {
      this.last = ++this.at;
      memory.set(this.last);
      history.pushState({ at: this.at } satisfies Place, '', this.address());
    } else if (going) {
      this.later();
    } else {
      this.replace();
    }
    [this.by, this.going, this.when] = [by, going, now];
  }

  /** The address is of something else now, but nothing has changed that could be undone. */
  later(): void {
    this.timer ??= setTimeout(() => this.replace(), least_pause);
  }

  private replace(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    history.replaceState({ at: this.at } satisfies Place, '', this.address());
  }
  /** Before anything is changed: the address is of what there is. */
  flush(): void {
    if (this.timer) this.replace();
  }

  /** The browser has gone to another place of its history; null: to an address that somebody typed. */
  arrived(place: Place | null): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    [this.by, this.going] = ['', false];
    this.at = place ? place.at : this.at + 1;
    this.last = place ? Math.max(this.last, this.at) : this.at;
  }

  undo(): void {
    if (!this.undoable) return;
    this.flush();
    history.back();
  }
  redo(): void {
    if (!this.redoable) return;
    this.flush();
    history.forward();
  }
}
