/** The fields of one form: their draft, and their problems. */

import { make } from './dom';
import { FieldView } from './field';
import { Sieve } from './sieve';
import { secretWarning } from './tick';
import type { Draft, FormCard, Problems } from './wire';

/** From here on the browser lays out only the fields in sight, and one can be found by its name. */
const LARGE = 30;

export class Fields {
  readonly node = make('div', { class: 'jme-fields' });
  readonly #views: readonly FieldView[];
  readonly #sieve: Sieve | null;

  constructor(card: FormCard, changed: () => void) {
    const initial = new Map(card.draft);
    const warning = secretWarning(card.asker);
    this.#views = card.fields.map(field => new FieldView(field, initial.get(field.name) ?? null, warning, changed));
    this.#sieve = card.fields.length > LARGE ? new Sieve(this.#views) : null;
    if (this.#sieve !== null) this.node.classList.add('jme-large');
    this.node.append(...(this.#sieve === null ? [] : [this.#sieve.node]), ...this.#views.map(view => view.node));
  }

  read(): Draft {
    return this.#views.map(view => [view.name, view.editor.read()] as const);
  }

  fill(draft: Draft): void {
    const held = new Map(draft);
    for (const view of this.#views) {
      const value = held.get(view.name);
      // Others never hold a secret: their "nothing" is no news about it.
      if (value === undefined || (value === null && view.sensitive)) continue;
      view.setProblem(null);
      view.editor.fill(value);
    }
  }

  /** Whether Enter in this element may submit: a form of one field, in a single line of text. */
  submitsOnEnter(target: EventTarget | null): boolean {
    const [only, second] = this.#views;
    if (only === undefined || second !== undefined) return false;
    return only.editor.singleLine && only.editor.target === target;
  }

  /** What the browser itself cannot read yet. */
  troubles(): Problems {
    const found: [string, string][] = [];
    for (const view of this.#views) {
      const sentence = view.editor.trouble();
      if (sentence !== null) found.push([view.name, sentence]);
    }
    return found;
  }

  /** Puts each sentence at its field, moves focus to the first, and gives the titles of the fields in doubt. */
  show(problems: Problems): string[] {
    const sentences = new Map(problems);
    const bad = this.#views.filter(view => {
      const sentence = sentences.get(view.name) ?? null;
      view.setProblem(sentence);
      return sentence !== null;
    });
    if (bad.length > 0) this.#sieve?.clear();
    bad[0]?.editor.focus();
    return bad.map(view => view.title);
  }

  names(): ReadonlySet<string> {
    return new Set(this.#views.map(view => view.name));
  }

  freeze(): void {
    for (const view of this.#views) view.editor.freeze();
  }
}
