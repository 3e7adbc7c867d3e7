/** A page that a person is asked to open: its address, and the link whose press is the consent. */

import { Arming } from '../arming';
import { Deadline } from '../clock';
import { button, focusable, make } from '../dom';
import type { Host } from '../host';
import type { AnswerResult, Port } from '../port';
import { CAPS, plain } from '../text';
import type { Action, Card, UrlCard } from '../wire';
import { trans } from '../words';
import { addressArea } from './address';
import { refusal } from './check';
import { frame } from './frame';
import { UrlLink } from './link';

/** A dangerous link stands still this long before it can be opened. */
const DANGER_MS = 3000;

export interface UrlQuestionOptions {
  readonly card: UrlCard;
  readonly host: Host;
  readonly port: Port;
  /** The question is over; `mine`: by the answer that left from here. */
  over(card: Card, mine: boolean): void;
  /** The page was opened; `reply` is what becomes of telling so. */
  opened(reply: Promise<AnswerResult>, confirmed: boolean): void;
}

export class UrlQuestion {
  readonly node: HTMLElement;
  readonly #options: UrlQuestionOptions;
  readonly #status = make('div', { class: 'jme-status', role: 'status' });
  readonly #deadline: Deadline;
  readonly #buttons: readonly HTMLButtonElement[];
  readonly #bar: HTMLElement;
  readonly #arming: Arming;
  #link: UrlLink | null = null;
  #sending = false;
  #opened = false;

  constructor(options: UrlQuestionOptions) {
    const { card, host, port } = options;
    this.#options = options;
    this.#deadline = new Deadline({ host, port, card });
    this.#buttons = [this.#button('decline', trans.__('Decline')), this.#button('cancel', trans.__('Cancel'))];
    this.#bar = make('div', { class: 'jme-bar' }, ...this.#buttons, this.#deadline.node);
    const refused = refusal(card.url);
    const danger = card.url.level === 'danger';
    const area = addressArea(card.url, host.trusted, refused);
    if (refused === '') {
      if (danger) area.append(this.#confirmation());
      else this.#offer(false);
    }
    this.node = frame(card, host, [area, this.#bar, this.#status], () => {
      if (this.#arming.readyForKeys()) void this.#send('cancel');
    });
    let told = false;
    this.#arming = new Arming({
      form: this.node,
      bar: this.#bar,
      buttons: this.#buttons,
      now: host.now,
      inSight: () => {
        if (!told) port.shown();
        told = true;
      }
    });
  }

  /** Whether an answer is on its way. */
  get sending(): boolean {
    return this.#sending || this.#opened;
  }

  /** A newer card of the same open question. */
  refresh(card: Card): void {
    this.#deadline.set(card);
  }

  dispose(): void {
    this.#withdraw();
    this.#deadline.dispose();
    this.#arming.dispose();
  }

  #button(action: Action, text: string): HTMLButtonElement {
    return button(text, `jme-button jme-${action}`, event => {
      if (!this.#options.host.trusted(event)) return;
      const armed = event.detail === 0 ? this.#arming.readyForKeys() : this.#arming.readyForPointer();
      if (armed) void this.#send(action);
    });
  }

  /** The second confirmation, away from the link; without it there is none. */
  #confirmation(): HTMLElement {
    const box = focusable(make('input', { type: 'checkbox', autocomplete: 'off' }));
    box.addEventListener('click', event => {
      if (!this.#options.host.trusted(event)) event.preventDefault();
    });
    box.addEventListener('change', () => {
      if (box.checked) this.#offer(true);
      else this.#withdraw();
    });
    return make('label', { class: 'jme-option jme-confirm' }, box, make('span', {}, trans.__('Open it all the same')));
  }

  #offer(danger: boolean): void {
    this.#withdraw();
    const { card, host, port, opened } = this.#options;
    this.#link = new UrlLink({
      href: card.url.href,
      text: trans.__('Open %1', plain(card.url.domain, card.url.domain.length)),
      host,
      ...(danger ? { wait: DANGER_MS } : {}),
      free: () => !this.#sending && !this.#opened,
      opened: () => {
        this.#opened = true;
        const reply = port.consent(danger);
        // Only then: a link that changes under the click would not open.
        setTimeout(() => {
          opened(reply, danger);
        });
      }
    });
    // A dangerous one comes late, so behind the buttons: none of them moves.
    if (danger) this.#deadline.node.before(this.#link.node);
    else this.#bar.prepend(this.#link.node);
  }

  #withdraw(): void {
    this.#link?.dispose();
    this.#link?.node.remove();
    this.#link = null;
  }

  async #send(action: Action): Promise<void> {
    if (this.#sending || this.#opened) return;
    this.#sending = true;
    this.node.classList.remove('jme-failed');
    this.node.setAttribute('aria-busy', 'true');
    this.#status.textContent = trans.__('Sending…');
    const result = await this.#options.port.answer(action, []);
    this.#sending = false;
    this.node.removeAttribute('aria-busy');
    this.#status.textContent = '';
    if ('card' in result) {
      this.#options.over(result.card, result.kind === 'taken');
    } else {
      this.node.classList.add('jme-failed');
      this.#status.textContent = trans.__('Not sent: %1 Try again.', plain(result.message, CAPS.help));
    }
  }
}
