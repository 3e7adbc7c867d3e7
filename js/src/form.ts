/** The one form component: an open question, or the record of one. All three hosts show this. */

import { askerName } from './chrome';
import { focusable, make } from './dom';
import type { Host } from './host';
import { LiveForm } from './live';
import type { Port } from './port';
import { record } from './record';
import type { Where } from './record';
import { isOpen } from './wire';
import type { Card, Draft } from './wire';

export interface ViewOptions {
  readonly card: Card;
  readonly host: Host;
  readonly port: Port;
}

export class ElicitationView {
  readonly node = make('div', { class: 'jme' });
  readonly #options: ViewOptions;
  #card: Card;
  #live: LiveForm | null = null;
  #where: Where = 'unknown';

  constructor(options: ViewOptions) {
    this.#options = options;
    this.#card = options.card;
    this.#draw();
  }

  /** A newer card of the same question. */
  update(card: Card): void {
    const turned = this.#card.state === 'queued' && card.state !== 'queued';
    this.#card = card;
    const live = this.#live;
    if (live === null) {
      this.#draw();
    } else if (isOpen(card) && !turned) {
      live.refresh(card);
    } else if (card.outcome?.action === 'cancel' && card.state !== 'dismissed' && live.typed()) {
      live.die(card, '');
    } else {
      // Our own answer's card may come by the socket before the reply does.
      this.#end(card, live.sending ? 'here' : 'elsewhere');
    }
  }

  /** Puts a draft into the controls, as if it had been typed. */
  fill(draft: Draft): void {
    this.#live?.fill(draft);
  }

  dispose(): void {
    this.#live?.dispose();
    this.#live = null;
    this.node.remove();
  }

  #draw(): void {
    const card = this.#card;
    this.node.dataset.state = card.state;
    if (!isOpen(card)) {
      this.#end(card, this.#where);
    } else if (card.state === 'queued') {
      this.node.replaceChildren(waiting(card));
    } else {
      this.#live = new LiveForm({
        card,
        host: this.#options.host,
        port: this.#options.port,
        over: (over, mine) => {
          this.#card = over;
          this.#end(over, mine ? 'here' : 'elsewhere');
        }
      });
      this.node.replaceChildren(this.#live.node);
    }
  }

  #end(card: Card, where: Where): void {
    const hadFocus = this.node.contains(this.node.ownerDocument.activeElement);
    this.#live?.dispose();
    this.#live = null;
    this.#where = where;
    this.#options.host.drafts.forget(card.id);
    this.node.dataset.state = card.state;
    const line = focusable(record(card, where));
    line.tabIndex = -1;
    this.node.replaceChildren(line);
    if (hadFocus) line.focus();
  }
}

function waiting(card: Card): HTMLElement {
  return make('div', { class: 'jme-record', role: 'status' }, `${askerName(card.asker)} asks: waiting for the question before it.`);
}
