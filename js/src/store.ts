/** The cards that this page has heard of, by id, and who wants to know. */

import { entries } from './json';
import { parseCard } from './parse';
import { getCard } from './server';
import type { Ask } from './server';
import { isOpen } from './wire';
import type { Card } from './wire';

/** `null`: the server does not know this question. */
export type Listener = (card: Card | null) => void;

export class CardStore {
  readonly #ask: Ask;
  readonly #cards = new Map<string, Card>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #watchers = new Set<() => void>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  get(id: string): Card | undefined {
    return this.#cards.get(id);
  }

  all(): readonly Card[] {
    return [...this.#cards.values()];
  }

  /** A reply may come later than the socket's news: what is over never comes back. */
  put(card: Card): void {
    const known = this.#cards.get(card.id);
    const newest = known === undefined || age(card) >= age(known) ? card : known;
    this.#cards.set(card.id, newest);
    this.#tell(card.id, newest);
  }

  /** Asks the server. Rejects when it cannot be reached. */
  async load(id: string): Promise<void> {
    const card = await getCard(this.#ask, id);
    if (card !== null) {
      this.put(card);
      return;
    }
    this.#cards.delete(id);
    this.#tell(id, null);
  }

  /** One question's changes, until the returned function is called. */
  subscribe(id: string, listener: Listener): () => void {
    const set = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, set);
    set.add(listener);
    return () => {
      set.delete(listener);
      if (set.size === 0) this.#listeners.delete(id);
    };
  }

  /** Any change (for lists and counts). */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  /** One message of the events socket; what cannot be read is left out. */
  receive(message: unknown): void {
    const said = entries(message);
    if (said.get('type') === 'card') this.#putForeign(said.get('card'));
    if (said.get('type') !== 'snapshot') return;
    const cards = said.get('elicitations');
    const seen = new Set<string>();
    for (const value of Array.isArray(cards) ? cards : []) {
      const card = this.#putForeign(value);
      if (card !== null) seen.add(card.id);
    }
    // What ended while the socket was down is not in the snapshot: ask for it, or drop it.
    for (const id of [...this.#cards.keys()]) {
      if (seen.has(id)) continue;
      if (this.#listeners.has(id)) void this.load(id).catch(() => undefined);
      else this.#cards.delete(id);
    }
    this.#tellWatchers();
  }

  #putForeign(value: unknown): Card | null {
    try {
      const card = parseCard(value);
      this.put(card);
      return card;
    } catch (error) {
      console.warn('jupyter-mcp-elicit: a card could not be read.', error);
      return null;
    }
  }

  #tell(id: string, card: Card | null): void {
    for (const listener of [...(this.#listeners.get(id) ?? [])]) listener(card);
    this.#tellWatchers();
  }

  #tellWatchers(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

const OPEN = ['queued', 'pending', 'shown'];

/** Grows in a question's life. */
function age(card: Card): number {
  if (isOpen(card)) return OPEN.indexOf(card.state);
  return OPEN.length + (card.mode === 'url' && card.flow !== null && card.flow !== 'opened' ? 1 : 0);
}
