/** The questions that wait for a person, oldest first; and which of them are new. */

import { isOpen, isWaiting } from '../wire';
import type { Card } from '../wire';
import type { CardStore } from '../store';

export class Pending {
  readonly #store: CardStore;
  readonly #stop: () => void;
  readonly #changed = new Set<() => void>();
  readonly #asked = new Set<(card: Card) => void>();
  readonly #told = new Set<string>();
  #cards: readonly Card[] = [];

  constructor(store: CardStore) {
    this.#store = store;
    this.#stop = store.watch(() => {
      this.#look();
    });
    this.#look();
  }

  /** Those that can be answered, and those whose page is open. */
  get cards(): readonly Card[] {
    return this.#cards;
  }

  has(id: string): boolean {
    return this.#cards.some(card => card.id === id);
  }

  /** One came, went, or took its turn. */
  changed(listener: () => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  /** Once for each question that can be answered, however often its card comes. */
  asked(listener: (card: Card) => void): () => void {
    this.#asked.add(listener);
    return () => this.#asked.delete(listener);
  }

  dispose(): void {
    this.#stop();
    this.#changed.clear();
    this.#asked.clear();
  }

  #look(): void {
    const before = this.#cards;
    const cards = this.#store.all().filter(card => isOpen(card) || isWaiting(card));
    // By whole seconds: within one, the order in which they came.
    this.#cards = cards.sort((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : 0));
    const fresh = this.#cards.filter(card => (card.state === 'pending' || card.state === 'shown') && !this.#told.has(card.id));
    for (const card of fresh) this.#told.add(card.id);
    if (looks(before) !== looks(this.#cards)) for (const listener of [...this.#changed]) listener();
    for (const card of fresh) for (const listener of [...this.#asked]) listener(card);
  }
}

function looks(cards: readonly Card[]): string {
  return cards.map(card => `${card.id} ${card.state === 'queued' ? 'queued' : ''}`).join();
}
