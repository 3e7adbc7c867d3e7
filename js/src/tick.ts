/** "Send it all the same": without it no secret leaves a form. */

import { focusable, make } from './dom';
import type { FormCard } from './wire';
import { trans } from './words';

export class SecretTick {
  /** Nothing where no field asks for a secret. */
  readonly nodes: readonly HTMLElement[];
  readonly #box = focusable(make('input', { type: 'checkbox', autocomplete: 'off' }));

  constructor(card: FormCard, trusted: (event: Event) => boolean) {
    this.#box.addEventListener('click', event => {
      if (!trusted(event)) event.preventDefault();
    });
    const words = trans.__('Send the secret that I type, although MCP forbids servers to ask for one in a form');
    const label = make('label', { class: 'jme-option jme-tick' }, this.#box, make('span', {}, words));
    this.nodes = card.fields.some(field => field.sensitive) ? [label] : [];
  }

  get agreed(): boolean {
    return this.#box.checked;
  }

  freeze(): void {
    this.#box.disabled = true;
  }
}
