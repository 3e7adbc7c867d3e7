/** Finds a field in a form of very many: those that do not match step aside, with what was typed in them. */

import { folded, holds, wordsOf } from './controls/find';
import { focusable, freshId, make } from './dom';
import { trans } from './words';

export interface Sifted {
  readonly node: HTMLElement;
  readonly title: string;
  readonly name: string;
}

export class Sieve {
  readonly node: HTMLElement;
  readonly #fields: readonly Sifted[];
  readonly #box = focusable(make('input', { type: 'search', id: freshId(), class: 'jme-input', autocomplete: 'off', spellcheck: 'false' }));
  readonly #count = make('span', { class: 'jme-count', role: 'status' });

  constructor(fields: readonly Sifted[]) {
    this.#fields = fields;
    const label = make('label', { for: this.#box.id, class: 'jme-find-label' }, trans.__('Find a field'));
    this.node = make('div', { class: 'jme-find' }, label, this.#box, this.#count);
    this.#box.addEventListener('input', () => {
      this.#sift();
    });
    this.#sift();
  }

  /** All of them again: something is to be seen in one of them. */
  clear(): void {
    if (this.#box.value === '') return;
    this.#box.value = '';
    this.#sift();
  }

  #sift(): void {
    const words = wordsOf(this.#box.value);
    let found = 0;
    for (const { node, title, name } of this.#fields) {
      const fits = holds(folded(`${title} ${name}`), words);
      node.hidden = !fits;
      if (fits) found += 1;
    }
    const all = String(this.#fields.length);
    this.#count.textContent = words.length === 0 ? trans.__('%1 fields', all) : trans.__('%1 of %2 fields', String(found), all);
  }
}
