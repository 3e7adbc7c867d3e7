/** What one output of a cell shows: the question that its id names, as the server knows it. */

import { make } from './dom';
import { ElicitationView } from './form';
import type { Host } from './host';
import { entries, WireError } from './json';
import { Refusal, ServerPort } from './server';
import type { Ask } from './server';
import type { CardStore } from './store';
import { CAPS, shown } from './text';
import type { Card } from './wire';
import { trans } from './words';

const RETRY_MS = 3000;

export class Output {
  readonly node = make('div', { class: 'jme-output' });
  readonly #ask: Ask;
  readonly #store: CardStore;
  readonly #host: Host;
  #id = '';
  #words = '';
  #view: ElicitationView | null = null;
  #unsubscribe: () => void = () => undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: Ask, store: CardStore, host: Host) {
    this.#ask = ask;
    this.#store = store;
    this.#host = host;
  }

  /**
   * `data` is an output of a notebook file, so it is believed for nothing but the id. `words` is the
   * plain text beside it: what is left to say once the server has forgotten the question.
   */
  async show(data: unknown, words: unknown = undefined): Promise<void> {
    this.#words = typeof words === 'string' ? words : '';
    const id = entries(data).get('id');
    if (typeof id !== 'string' || id === '') {
      this.#inert(trans.__('This output names no question.'));
      return;
    }
    // Drawn again for the same question: the view stays, with what was typed.
    if (id === this.#id && this.#view !== null) return;
    this.#reset();
    this.#id = id;
    this.#unsubscribe = this.#store.subscribe(id, card => {
      this.#draw(card);
    });
    const known = this.#store.get(id);
    if (known !== undefined) this.#draw(known);
    else await this.#load();
  }

  dispose(): void {
    this.#reset();
    this.node.remove();
  }

  async #load(): Promise<void> {
    const id = this.#id;
    try {
      await this.#store.load(id);
    } catch (error) {
      if (id !== this.#id) return;
      if (error instanceof Refusal) {
        this.#inert(error.message);
        return;
      }
      if (error instanceof WireError) {
        this.#failed(error);
        return;
      }
      this.#inert(trans.__('The Jupyter server does not answer. Trying again…'));
      this.#timer = setTimeout(() => void this.#load(), RETRY_MS);
    }
  }

  #draw(card: Card | null): void {
    clearTimeout(this.#timer);
    if (card === null) {
      this.#view?.dispose();
      this.#view = null;
      this.#host.drafts.forget(this.#id);
      this.#inert(...(this.#words === '' ? [] : [shown(this.#words, CAPS.help), ' · ']), trans.__('This question is no longer known to the server.'));
    } else if (this.#view === null) {
      const port = new ServerPort(this.#ask, card.id, newer => {
        this.#store.put(newer);
      });
      try {
        this.#view = new ElicitationView({ card, host: this.#host, port });
        this.node.replaceChildren(this.#view.node);
      } catch (error) {
        this.#failed(error);
      }
    } else {
      this.#view.update(card);
    }
  }

  /** Said where the person looks; never an answer in their name. */
  #failed(error: unknown): void {
    console.error('jupyter-mcp-elicit: a question could not be shown.', error);
    this.#inert(trans.__('A question came that this page cannot show. Reload the page, or answer it elsewhere.'));
  }

  #inert(...said: (string | Node)[]): void {
    this.node.replaceChildren(make('div', { class: 'jme jme-record' }, ...said));
  }

  #reset(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe();
    this.#unsubscribe = () => undefined;
    this.#view?.dispose();
    this.#view = null;
    this.#id = '';
  }
}
