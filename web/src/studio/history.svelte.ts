// SPDX-License-Identifier: Apache-2.0
// Undo and redo over the browser's own history, so that its Back is undo as well.

/** Browsers take 100 to 200 changes of the address in 10 to 30 seconds, and then no more for a while. */
const least_pause = 350;
const long_pause = 5000;
/** Presses of a key that follow each other so soon are one change. */
const same_change = 700;
/** A browser that has not gone to the place asked for by now will not. */
const longest_move = 3000;

/** The history of a frame is that of the page around it too: there places are kept here, and Back is not undo. */
const framed = window.parent !== window;

export interface Place {
  /** How many changes came before. */
  at: number;
}

/** How many changes there are in this tab, for after a reload. */
const memory = {
  get: (): number => {
    try {
      return Number(sessionStorage.getItem('hearsay-changes') ?? 0);
    } catch {
      return 0; // a browser may keep nothing
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
  at = $state(0);
  private last = $state(0);
  private waiting = $state(false);
  private moving = $state(false);
  readonly undoable = $derived(this.at > 0);
  readonly redoable = $derived(this.at < this.last);
  /** The address is not of what there is yet. */
  readonly pending = $derived(this.waiting || this.moving);

  private timer: ReturnType<typeof setTimeout> | undefined;
  private moved: ReturnType<typeof setTimeout> | undefined;
  private readonly places: string[] = [];
  private by = '';
  /** A control is held. */
  going = false;
  private when = -Infinity;
  /** Something was changed while the browser was on its way to another place: it is a change of what is there. */
  late = false;

  /** `address`: the page's address now; `arrive`: told of another place and its address. */
  constructor(private readonly address: () => string, private readonly arrive: (place: Place | null, address: string) => void) {
    const place = framed ? null : (history.state as Place | null);
    this.at = place?.at ?? 0;
    this.last = place ? Math.max(this.at, memory.get()) : 0;
    this.replace();
  }

  /** A control changes something by `change`; `going`: it is held, and there is more to come, all of it one change. */
  make(by: string, going: boolean, change: () => void): void {
    const now = performance.now();
    const same = by !== '' && by === this.by && (this.going || now - this.when < same_change);
    if (!same && !this.moving) this.flush();
    change();
    if (this.moving) this.late = true;
    else if (same || !this.push()) this.later();
    [this.by, this.going, this.when] = [by, going, now];
  }

  /** The address is of something else now, but nothing has changed that could be undone. */
  later(pause = least_pause): void {
    this.timer ??= setTimeout(() => this.replace(), pause);
    this.waiting = true;
  }

  private push(): boolean {
    if (!this.write(framed ? 'replaceState' : 'pushState', this.at + 1)) return false;
    this.last = ++this.at;
    memory.set(this.last);
    return true;
  }
  private replace(): void {
    this.stop_waiting();
    if (!this.write('replaceState', this.at)) this.later(long_pause);
  }
  /** Whether the browser took it: some say that they do not, some just do not. */
  private write(how: 'pushState' | 'replaceState', at: number): boolean {
    const address = this.address();
    this.places[at] = address;
    try {
      history[how]({ at } satisfies Place, '', address);
    } catch {
      return false;
    }
    return location.hash === address && (history.state as Place | null)?.at === at;
  }
  private stop_waiting(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = false;
  }
  /** Before anything is changed: the address is of what there is. */
  flush(): void {
    if (this.timer) this.replace();
  }

  /** The browser has gone to another place of its history; null: to an address that somebody typed. */
  arrived(place: Place | null): void {
    this.stop_waiting();
    clearTimeout(this.moved);
    this.moving = false;
    if (!this.late) [this.by, this.going] = ['', false];
    this.at = place ? place.at : this.at + 1;
    this.last = place ? Math.max(this.last, this.at) : this.at;
    if (!this.late || !this.push()) this.later(); // pins and focus stay as they are when a setting is undone
    this.late = false;
  }

  /** Nothing is asked of the browser before it has done what it was asked last. */
  private go(to: number): void {
    if (this.moving) return;
    if (framed) return this.arrive({ at: to }, this.places[to]);
    this.moving = true;
    this.moved = setTimeout(() => this.arrived({ at: this.at }), longest_move);
    history.go(to - this.at);
  }
  undo(): void {
    if (!this.undoable || this.moving) return;
    this.flush();
    this.go(this.at - 1);
  }
  redo(): void {
    if (!this.redoable || this.moving) return;
    this.flush();
    this.go(this.at + 1);
  }
  /** Takes `change` back to the place where it was so; what came after can be done again. */
  take_back(at: number, change: () => void): void {
    this.flush();
    change();
    this.by = '';
    if (at === this.at) this.later();
    else this.go(at);
  }
}
