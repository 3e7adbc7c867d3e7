/** One question of the inbox: where it comes from, and the same form as under its cell. */

import { button, focusable, freshId, make } from '../dom';
import { ElicitationView } from '../form';
import type { Host } from '../host';
import { ServerPort } from '../server';
import type { Ask } from '../server';
import type { CardStore } from '../store';
import { CAPS, plain } from '../text';
import type { Card } from '../wire';
import type { Words } from '../words';

export interface EntryOptions {
  readonly card: Card;
  readonly ask: Ask;
  readonly store: CardStore;
  readonly host: Host;
  readonly words: Words;
  /** A short name of the place that asks, and its whole name; `null` when nobody knows. */
  place(card: Card): { readonly name: string; readonly title: string; readonly open: boolean };
  /** The person wants to go there. */
  go(card: Card): void;
  /** All that is left of it is its record. */
  settled(): void;
}

export class Entry {
  readonly node: HTMLElement;
  readonly #options: EntryOptions;
  readonly #place: HTMLElement;
  readonly #view: ElicitationView;
  readonly #unsubscribe: () => void;

  constructor(options: EntryOptions) {
    const { card, ask, host, store } = options;
    this.#options = options;
    const port = new ServerPort(ask, card.id, newer => {
      store.put(newer);
    });
    // The page's own Save would save whichever notebook is in front.
    const { save: _, ...rest } = host;
    this.#view = new ElicitationView({
      card,
      // Below the panel's own heading.
      host: { ...rest, level: 3 },
      port,
      settled: () => {
        queueMicrotask(() => {
          options.settled();
        });
      }
    });
    const placeId = freshId();
    this.#place = make('div', { class: 'jme-inbox-place', id: placeId });
    this.node = focusable(
      make('li', { class: 'jme-inbox-entry', tabindex: '-1', 'aria-labelledby': placeId }, this.#place, this.#view.node)
    );
    this.#unsubscribe = store.subscribe(card.id, newer => {
      if (newer !== null) this.#view.update(newer);
    });
    this.placed();
  }

  get id(): string {
    return this.#options.card.id;
  }

  get hasFocus(): boolean {
    return this.node.contains(document.activeElement);
  }

  /** The name of the place may have changed. */
  placed(): void {
    const { card, go, place, words } = this.#options;
    const { name, title, open } = place(card);
    const shownName = plain(name, CAPS.label);
    const held = this.#place.contains(document.activeElement);
    const where = open
      ? button(shownName, 'jme-small jme-inbox-go', event => {
          if (this.#options.host.trusted(event)) go(card);
        })
      : make('span', {}, shownName);
    where.title = open ? words.__('Go to %1', plain(title, CAPS.help)) : plain(title, CAPS.help);
    this.#place.replaceChildren(where, ...clock(card.created));
    if (held) this.#place.querySelector('button')?.focus();
  }

  dispose(): void {
    this.#unsubscribe();
    this.#view.dispose();
    this.node.remove();
  }
}

function clock(created: string): HTMLElement[] {
  const time = new Date(created);
  if (Number.isNaN(time.getTime())) return [];
  const text = time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return [make('time', { class: 'jme-inbox-time', datetime: created }, text)];
}
