/** "Discard what you typed?": Escape asks before it throws work away. */

import { button, make } from './dom';
import { trans } from './words';

export class Discard {
  readonly node = make('div', { class: 'jme-discard', role: 'alertdialog', 'aria-label': trans.__('Discard what you typed?') });
  #back: HTMLElement | null = null;

  constructor(trusted: (event: Event) => boolean, yes: () => void) {
    this.node.hidden = true;
    this.node.append(
      make('span', {}, trans.__('Discard what you typed?')),
      button(trans.__('Yes, cancel'), 'jme-button jme-yes', event => {
        if (!trusted(event)) return;
        this.close();
        yes();
      }),
      button(trans.__('No, keep'), 'jme-button jme-no', () => {
        this.close();
      })
    );
  }

  get open(): boolean {
    return !this.node.hidden;
  }

  ask(): void {
    const focused = this.node.ownerDocument.activeElement;
    this.#back = focused instanceof HTMLElement ? focused : null;
    this.node.hidden = false;
    this.node.querySelector<HTMLElement>('.jme-no')?.focus();
  }

  close(): void {
    if (!this.open) return;
    this.node.hidden = true;
    this.#back?.focus();
    this.#back = null;
  }
}
