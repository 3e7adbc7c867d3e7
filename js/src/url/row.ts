/** A row of buttons that arm together, one press at a time; each new set arms anew. */

import { Arming } from '../arming';
import { button, make } from '../dom';
import type { Host } from '../host';

export type Choice = readonly [text: string, pressed: () => Promise<void> | void];

export class ButtonRow {
  readonly node = make('div', { class: 'jme-bar' });
  readonly #host: Host;
  #arming: Arming | null = null;
  #busy = false;

  constructor(host: Host) {
    this.#host = host;
  }

  /** The given buttons between other nodes, in place of those before. */
  offer(before: readonly Node[], choices: readonly Choice[], behind: readonly Node[]): void {
    this.dispose();
    const focused = this.node.ownerDocument.activeElement;
    const hadFocus = this.node.contains(focused);
    const buttons = choices.map(choice => this.#button(choice));
    this.node.replaceChildren(...before, ...buttons, ...behind);
    if (hadFocus) (focused instanceof HTMLElement && this.node.contains(focused) ? focused : buttons[0])?.focus();
    this.#arming = new Arming({
      form: this.node,
      bar: this.node,
      buttons,
      now: this.#host.now,
      inSight: () => undefined
    });
  }

  dispose(): void {
    this.#arming?.dispose();
    this.#arming = null;
  }

  #button([text, pressed]: Choice): HTMLButtonElement {
    return button(text, 'jme-button', event => {
      const arming = this.#arming;
      if (arming === null || this.#busy || !this.#host.trusted(event)) return;
      if (event.detail === 0 ? arming.readyForKeys() : arming.readyForPointer()) void this.#press(pressed);
    });
  }

  async #press(pressed: Choice[1]): Promise<void> {
    this.#busy = true;
    this.node.setAttribute('aria-busy', 'true');
    await pressed();
    this.#busy = false;
    this.node.removeAttribute('aria-busy');
  }
}
