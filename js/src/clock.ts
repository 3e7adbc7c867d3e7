/** The time that is left, as text that ticks and is not read aloud each second, and a way to more of it. */

import { button, focusable, make } from './dom';
import type { Host } from './host';
import type { Port } from './port';
import { CAPS, plain } from './text';
import { everySecond } from './ticker';
import type { Card } from './wire';
import { trans } from './words';

export interface DeadlineOptions {
  readonly host: Host;
  readonly port: Port;
  /** Whose time it is; `null` when it is not known yet. */
  readonly card: Card | null;
}

export class Deadline {
  readonly node = make('span', { class: 'jme-time' });
  readonly #options: DeadlineOptions;
  readonly #text = make('span', { 'aria-live': 'off' });
  readonly #said = focusable(make('span', { 'aria-live': 'polite', tabindex: '-1' }));
  readonly #more: HTMLButtonElement;
  readonly #stop: () => void;
  #end: number | null = null;
  #moves = 0;
  #last = false;
  #asking = false;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#more = button(trans.__('+5 minutes'), 'jme-small jme-more-time', event => {
      if (options.host.trusted(event)) void this.#extend();
    });
    this.node.append(this.#text, this.#said);
    this.set(options.card);
    this.#stop = everySecond(() => {
      this.#paint();
    });
  }

  set(card: Card | null): void {
    const now = this.#options.host.now();
    const left = card === null ? null : card.secondsLeft;
    this.#end = left === null ? null : now + left * 1000;
    this.#moves = now + (card?.secondsStill ?? 0) * 1000;
    this.#last = left !== null && card?.mayExtend === false;
    const offered = left !== null && !this.#last && this.#options.port.more !== undefined;
    if (!offered) this.#withdraw();
    else if (!this.#more.isConnected) this.#text.after(this.#more);
    this.#paint();
  }

  dispose(): void {
    this.#stop();
  }

  /** No more to be had; whoever stands on the button stays in the form, where keys are no commands. */
  #withdraw(): void {
    const hadFocus = this.#more.ownerDocument.activeElement === this.#more;
    this.#more.remove();
    if (hadFocus) this.#said.focus();
  }

  async #extend(): Promise<void> {
    const { port } = this.#options;
    if (port.more === undefined || this.#asking) return;
    // Not disabled meanwhile: that would drop the focus, and the next keys would be the notebook's commands.
    this.#asking = true;
    const result = await port.more();
    this.#asking = false;
    if (result.kind === 'taken') {
      this.set(result.card);
      this.#said.textContent = trans.__('Five minutes more.');
    } else {
      this.#said.textContent = plain(result.message, CAPS.help);
    }
  }

  #paint(): void {
    const text = this.#words(this.#options.host.now());
    if (this.#text.textContent !== text) this.#text.textContent = text;
  }

  #words(now: number): string {
    if (this.#end === null) return '';
    if (now < this.#moves) {
      return trans.__('%1, stands still while you type', leftWords((this.#end - this.#moves) / 1000));
    }
    const left = leftWords((this.#end - now) / 1000);
    return this.#last ? trans.__('%1, then whoever asks stops waiting', left) : left;
  }
}

export function leftWords(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole === 0) return trans.__('time is up');
  if (whole >= 48 * 3600) return trans.__('%1 days left', String(Math.floor(whole / 86400)));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const two = (part: number): string => String(part).padStart(2, '0');
  const rest = two(whole % 60);
  return trans.__('%1 left', `${hours > 0 ? `${hours}:${two(minutes)}` : String(minutes)}:${rest}`);
}
