/** The one component: an open question, a page that was opened, or the record of either. All three hosts show this. */

import { askerName, roundWords } from './chrome';
import { focusable, make } from './dom';
import type { Host } from './host';
import { LiveForm } from './live';
import type { AnswerResult, Port } from './port';
import { record } from './record';
import type { Where } from './record';
import { UrlFlow } from './url/flow';
import type { Telling } from './url/flow';
import { UrlQuestion } from './url/question';
import { isOpen, isWaiting } from './wire';
import type { Card, Draft, FormCard, UrlCard } from './wire';
import { trans } from './words';

export interface ViewOptions {
  readonly card: Card;
  readonly host: Host;
  readonly port: Port;
  /** All that is left is the record. */
  settled?(): void;
}

export class ElicitationView {
  readonly node = make('div', { class: 'jme' });
  readonly #options: ViewOptions;
  #card: Card;
  #live: LiveForm | UrlQuestion | UrlFlow | null = null;
  #where: Where = 'unknown';

  constructor(options: ViewOptions) {
    this.#card = options.card;
    this.#options = { ...options, port: this.#marking(options.port, options.host) };
    const { cause } = options.card;
    if (cause.of > 1) this.node.dataset.round = cause.number === 1 ? 'first' : 'next';
    this.#draw();
  }

  /** A newer card of the same question. */
  update(card: Card): void {
    const turned = this.#card.state === 'queued' && card.state !== 'queued';
    this.#card = card;
    const live = this.#live;
    if (live === null) {
      this.#draw();
    } else if (live instanceof UrlFlow || (isOpen(card) && !turned)) {
      live.refresh(card);
    } else if (live instanceof LiveForm && diedUnanswered(card) && live.typed()) {
      live.die(card, '');
    } else {
      // Our own answer's card may come by the socket before the reply does.
      const here = live.sending || this.#options.host.answering?.has(card.id) === true;
      this.#settle(card, here ? 'here' : 'elsewhere');
    }
  }

  /** Puts a draft into the controls, as if it had been typed. */
  fill(draft: Draft): void {
    if (this.#live instanceof LiveForm) this.#live.fill(draft);
  }

  /** The kernel's draft, on its way since this page said hello. */
  welcome(draft: Draft): void {
    if (this.#live instanceof LiveForm) this.#live.welcome(draft);
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
      this.#settle(card, this.#where);
    } else if (card.state === 'queued') {
      this.#put(waiting(card));
    } else {
      this.#live = card.mode === 'form' ? this.#form(card) : this.#link(card);
      this.#put(this.#live.node);
    }
  }

  /** The first question of several that belong together stands below the words that say so. */
  #put(shown: HTMLElement): void {
    const first = this.node.dataset.round === 'first' && isOpen(this.#card);
    const words = first ? [make('div', { class: 'jme-round' }, ...roundWords(this.#card))] : [];
    this.node.replaceChildren(...words, shown);
  }

  #form(card: FormCard): LiveForm {
    return new LiveForm({ ...this.#options, card, over: this.#over });
  }

  #link(card: UrlCard): UrlQuestion {
    const question = new UrlQuestion({
      ...this.#options,
      card,
      over: this.#over,
      opened: (reply, confirmed) => {
        // What the socket told in between holds.
        if (this.#live === question) this.#wait(card, 'here', { reply, confirmed });
      }
    });
    return question;
  }

  readonly #over = (card: Card, mine: boolean): void => {
    this.#settle(card, mine ? 'here' : 'elsewhere');
  };

  /** The question has its answer: its record, or first the page that it opened. */
  #settle(card: Card, where: Where): void {
    this.#card = card;
    if (!isWaiting(card)) this.#end(card, where);
    else if (this.#live instanceof UrlFlow) this.#live.refresh(card);
    else this.#wait(card, where, null);
  }

  #wait(card: UrlCard, where: Where, telling: Telling | null): void {
    const hadFocus = this.#hasFocus();
    this.#live?.dispose();
    this.node.dataset.state = card.state;
    const flow = new UrlFlow({
      ...this.#options,
      card,
      telling,
      where,
      over: (over, place) => {
        this.#settle(over, place);
      }
    });
    this.#live = flow;
    this.#put(flow.node);
    if (hadFocus) flow.focus();
  }

  #end(card: Card, where: Where): void {
    const hadFocus = this.#hasFocus();
    this.#live?.dispose();
    this.#live = null;
    this.#where = where;
    this.#options.host.drafts.forget(card.id);
    this.node.dataset.state = card.state;
    const line = focusable(record(card, where));
    line.tabIndex = -1;
    this.#put(line);
    if (hadFocus) line.focus();
    this.#options.settled?.();
  }

  /** The page's other views of the question are told that the answer leaves from this page. */
  #marking(port: Port, { answering }: Host): Port {
    const { id } = this.#card;
    const mark = (sent: Promise<AnswerResult>): Promise<AnswerResult> => {
      answering?.add(id);
      return sent.then(result => {
        if (result.kind !== 'taken') answering?.delete(id);
        return result;
      });
    };
    const preview = port.preview?.bind(port);
    const more = port.more?.bind(port);
    const marked: Port = {
      ...(preview === undefined ? {} : { preview }),
      ...(more === undefined ? {} : { more }),
      typing: () => port.typing?.(),
      answer: (action, draft, secrets) => mark(port.answer(action, draft, secrets)),
      consent: confirmed => mark(port.consent(confirmed)),
      flow: action => port.flow(action),
      shown: () => {
        port.shown();
      }
    };
    if (port.draftChanged === undefined) return marked;
    return { ...marked, draftChanged: draft => port.draftChanged?.(draft) };
  }

  #hasFocus(): boolean {
    return this.node.contains(this.node.ownerDocument.activeElement);
  }
}

function diedUnanswered(card: Card): boolean {
  return card.outcome?.action === 'cancel' && card.state !== 'dismissed';
}

function waiting(card: Card): HTMLElement {
  return make('div', { class: 'jme-record', role: 'status' }, trans.__('%1 asks: waiting for the question before it.', askerName(card.asker, card.origin)));
}
