/** Says once that somebody asks: beside the question when it is in sight, else with a way to it. */

import { askerName } from '../chrome';
import { make } from '../dom';
import type { Card } from '../wire';
import type { Pending } from './pending';
import type { Sights } from './sights';
import type { Words } from '../words';

/** The socket is quicker than the kernel: the form may be about to appear under its cell. */
export const GRACE_MS = 800;

/** One message on the screen, with one button. */
export interface Toast {
  /** `fresh`: something new is said, which may come up again where a person has closed it. */
  show(message: string, fresh: boolean, pressed: () => void): void;
  clear(): void;
}

/** A message of the browser, outside its page. */
export interface Knock {
  knock(id: string, message: string, pressed: () => void): void;
  clear(id: string): void;
}

export interface HeraldOptions {
  readonly pending: Pending;
  readonly sights: Sights;
  readonly words: Words;
  readonly toast: Toast;
  readonly knock: Knock;
  /** Whether toasts are wanted. */
  toasts(): boolean;
  /** The inbox is open before the person's eyes. */
  inboxInSight(): boolean;
  /** Where the question comes from, for the person; '' when nobody knows. */
  place(card: Card): string;
  /** The person asked to be taken to it; without an id, to all. */
  reveal(id: string | null): void;
}

export class Herald {
  /** Heard, not seen: for screen readers, where no toast says it. */
  readonly node = make('div', { class: 'jme-heard', role: 'status', 'aria-live': 'polite' });
  readonly #options: HeraldOptions;
  readonly #unseen = new Map<string, Card>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #knocked = new Set<string>();

  constructor(options: HeraldOptions) {
    this.#options = options;
    options.pending.asked(card => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#say(card);
      }, GRACE_MS);
      this.#timers.add(timer);
    });
    options.pending.changed(() => {
      this.look();
    });
    options.sights.changed(() => {
      this.look();
    });
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.node.remove();
  }

  /** Something may have come in sight, or be over. */
  look(): void {
    for (const id of [...this.#knocked]) {
      if (this.#options.pending.has(id)) continue;
      this.#knocked.delete(id);
      this.#options.knock.clear(id);
    }
    const seen = [...this.#unseen.keys()].filter(id => !this.#options.pending.has(id) || this.#inSight(id));
    for (const id of seen) this.#unseen.delete(id);
    if (seen.length > 0) this.#paint(false);
  }

  #inSight(id: string): boolean {
    return this.#options.sights.sees(id) || (this.#options.inboxInSight() && !document.hidden);
  }

  #say(card: Card): void {
    const { pending, knock, toasts } = this.#options;
    if (!pending.has(card.id)) return;
    if (document.hidden || !document.hasFocus()) {
      this.#knocked.add(card.id);
      knock.knock(card.id, this.#sentence(card), () => {
        this.#reveal([card.id]);
      });
    }
    if (this.#inSight(card.id) || !toasts()) {
      this.node.textContent = this.#sentence(card);
      return;
    }
    this.#unseen.set(card.id, card);
    this.#paint(true);
  }

  /** One toast for all: a crowd of them would hide the page. */
  #paint(fresh: boolean): void {
    const { toast, words } = this.#options;
    const cards = [...this.#unseen.values()];
    const [first] = cards;
    if (first === undefined) {
      toast.clear();
      return;
    }
    const message =
      cards.length === 1
        ? this.#sentence(first)
        : words._n('%1 question waits for you.', '%1 questions wait for you.', cards.length);
    toast.show(message, fresh, () => {
      this.#reveal(cards.map(card => card.id));
    });
  }

  #reveal(ids: readonly string[]): void {
    for (const id of ids) this.#unseen.delete(id);
    const [first, second] = ids;
    this.#options.reveal(second === undefined ? (first ?? null) : null);
    this.#paint(false);
  }

  #sentence(card: Card): string {
    const { words, place } = this.#options;
    const where = place(card);
    const who = askerName(card.asker, card.origin);
    // An agent is its own place.
    const known = where === '' || (card.origin?.kind === 'agent' && card.asker.kind === 'notebook');
    return known ? words.__('%1 asks you something.', who) : words.__('%1 asks you something (%2).', who, where);
  }
}
