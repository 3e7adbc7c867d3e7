/** The inbox: every question that waits, whoever asked, wherever it came from; answered in place. */

import { button, focusable, freshId, make } from '../dom';
import type { Host } from '../host';
import type { Ask } from '../server';
import type { CardStore } from '../store';
import type { Card } from '../wire';
import { Entry } from './entry';
import type { Pending } from './pending';
import type { Words } from '../words';

/** Records that stay below for a look. */
const KEPT = 5;

export interface InboxOptions {
  readonly pending: Pending;
  readonly store: CardStore;
  readonly ask: Ask;
  readonly host: Host;
  readonly words: Words;
  place(card: Card): { readonly name: string; readonly title: string; readonly open: boolean };
  go(card: Card): void;
  /** What the button at the bottom offers; `null`: nothing to offer. */
  offer(): { readonly words: string; readonly act: () => void } | null;
}

export class InboxView {
  readonly node: HTMLElement;
  readonly #options: InboxOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #over: Entry[] = [];
  readonly #list: HTMLElement;
  readonly #count = make('span', { class: 'jme-inbox-count' });
  readonly #empty: HTMLElement;
  readonly #earlier: HTMLElement;
  readonly #records: HTMLElement;
  readonly #foot = make('div', { class: 'jme-inbox-foot' });
  readonly #stop: () => void;
  #visible = false;

  constructor(options: InboxOptions) {
    const { words } = options;
    this.#options = options;
    const title = make('h2', { id: freshId() }, words.__('Questions'));
    this.#list = make('ul', { class: 'jme-inbox-list', 'aria-labelledby': title.id });
    this.#empty = focusable(
      make(
        'div',
        { class: 'jme-inbox-empty', tabindex: '-1' },
        make('p', {}, words.__('Nobody is asking.')),
        make('p', {}, words.__('When an MCP server asks you something, for any notebook or agent, you can answer it here.'))
      )
    );
    const earlier = make('h3', { id: freshId() }, words.__('Earlier'));
    this.#records = make('ul', { class: 'jme-inbox-list', 'aria-labelledby': earlier.id });
    this.#earlier = make('section', { class: 'jme-inbox-earlier' }, earlier, this.#records);
    this.node = make(
      'div',
      { class: 'jme jme-inbox', role: 'region', 'aria-labelledby': title.id },
      make('div', { class: 'jme-inbox-head' }, title, this.#count),
      make('div', { class: 'jme-inbox-body' }, this.#list, this.#empty, this.#earlier),
      this.#foot
    );
    this.#stop = options.pending.changed(() => {
      this.#draw();
    });
    this.#draw();
  }

  /** Forms are made only for eyes: behind another panel they would say that they were shown. */
  set visible(visible: boolean) {
    this.#visible = visible;
    this.#draw();
  }

  get visible(): boolean {
    return this.#visible;
  }

  /** A notebook was renamed, opened or closed. */
  placed(): void {
    for (const entry of [...this.#entries.values(), ...this.#over]) entry.placed();
  }

  /** What the bottom offers has changed. */
  offered(): void {
    const offer = this.#options.offer();
    this.#foot.hidden = offer === null;
    this.#foot.replaceChildren();
    if (offer === null) return;
    const pressed = (event: MouseEvent): void => {
      if (this.#options.host.trusted(event)) offer.act();
    };
    this.#foot.append(button(offer.words, 'jme-small', pressed));
  }

  /** To this question, or the first, or to the words that there is none. */
  focus(id: string | null = null): void {
    const entry = (id === null ? undefined : this.#entries.get(id)) ?? this.#inOrder()[0];
    const target = entry?.node ?? this.#empty;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'nearest' });
  }

  dispose(): void {
    this.#stop();
    for (const entry of [...this.#entries.values(), ...this.#over]) entry.dispose();
    this.node.remove();
  }

  #draw(): void {
    const { pending } = this.#options;
    const count = pending.cards.length;
    this.#count.textContent = count === 0 ? '' : String(count);
    this.#empty.hidden = count > 0 || this.#entries.size > 0;
    this.#earlier.hidden = this.#over.length === 0;
    if (!this.#visible) return;
    for (const card of pending.cards) {
      if (!this.#entries.has(card.id)) this.#add(card);
    }
    this.#sort();
  }

  #add(card: Card): void {
    try {
      const entry = new Entry({
        ...this.#options,
        card,
        settled: () => {
          this.#settle(card.id);
        }
      });
      this.#entries.set(card.id, entry);
      this.#list.append(entry.node);
    } catch (error) {
      console.error('jupyter-mcp-elicit: a question could not be shown.', error);
    }
  }

  /** New ones go where their age says; none moves that stands right, for a form that moves disarms. */
  #sort(): void {
    let before: Element | null = null;
    for (const { node } of this.#inOrder()) {
      const right: Element | null = before === null ? this.#list.firstElementChild : before.nextElementSibling;
      if (right !== node) this.#list.insertBefore(node, right);
      before = node;
    }
  }

  #inOrder(): Entry[] {
    const asked = this.#options.pending.cards.flatMap(card => this.#entries.get(card.id) ?? []);
    // Over, with typed text that is still to be put away: where they stood, at the top.
    const rest = [...this.#entries.values()].filter(entry => !asked.includes(entry));
    return [...rest, ...asked];
  }

  #settle(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const hadFocus = entry.hasFocus;
    const order = this.#inOrder();
    const next = order[order.indexOf(entry) + 1] ?? order.filter(each => each !== entry).at(-1);
    this.#entries.delete(id);
    this.#over.unshift(entry);
    this.#records.prepend(entry.node);
    for (const old of this.#over.splice(KEPT)) old.dispose();
    this.#draw();
    // Whoever answers goes on with the next question.
    if (hadFocus) this.focus(next?.id ?? null);
  }
}
