/** What is said of a secret in a form, and "send it all the same": without that none leaves it. */

import { focusable, make } from './dom';
import type { Asker, FormCard } from './wire';
import { trans } from './words';

export class SecretTick {
  /** Nothing where no field asks for a secret. */
  readonly nodes: readonly HTMLElement[];
  readonly #box = focusable(make('input', { type: 'checkbox', autocomplete: 'off' }));

  constructor(card: FormCard, trusted: (event: Event) => boolean) {
    this.#box.addEventListener('click', event => {
      if (!trusted(event)) event.preventDefault();
    });
    const words = agreement(card.asker);
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

/** At a field. The specification binds servers, not the person's own code. */
export function secretWarning(asker: Asker): string {
  return asker.kind === 'server'
    ? trans.__('This server asks for a secret in a form. MCP forbids that; URL mode exists for it.')
    : trans.__('This looks like a secret. What you type goes to the code that asks.');
}

function agreement(asker: Asker): string {
  return asker.kind === 'server'
    ? trans.__('Send the secret that I type, although MCP forbids servers to ask for one in a form')
    : trans.__('Send the secret that I type to the code that asks');
}
