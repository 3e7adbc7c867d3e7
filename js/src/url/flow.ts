/** A page that was opened: waiting for what happens there, with a way out from the first moment. */

import { askerName } from '../chrome';
import { Deadline } from '../clock';
import { focusable, make } from '../dom';
import type { Host } from '../host';
import type { AnswerResult, Port } from '../port';
import { deathWords } from '../record';
import type { Where } from '../record';
import { CAPS, plain } from '../text';
import { isOpen, isWaiting } from '../wire';
import type { Card, FlowAction, UrlCard } from '../wire';
import { trans } from '../words';
import { addressText } from './address';
import { refusal } from './check';
import { frame } from './frame';
import { UrlLink } from './link';
import { ButtonRow } from './row';
import type { Choice } from './row';

/** Consent that left from this page, while nobody knows yet whether it arrived. */
export interface Telling {
  readonly reply: Promise<AnswerResult>;
  readonly confirmed: boolean;
}

export interface UrlFlowOptions {
  readonly card: UrlCard;
  readonly host: Host;
  readonly port: Port;
  readonly telling: Telling | null;
  /** Where the page was opened. */
  readonly where: Where;
  over(card: Card, where: Where): void;
}

export class UrlFlow {
  readonly node: HTMLElement;
  readonly #options: UrlFlowOptions;
  readonly #status = focusable(make('div', { class: 'jme-status jme-waiting', role: 'status', tabindex: '-1' }));
  readonly #deadline: Deadline;
  readonly #link: UrlLink | null;
  readonly #row: ButtonRow;
  #where: Where;
  #stage: 'telling' | 'untold' | 'waiting' | 'missed' = 'waiting';
  /** The newest word about the consent; an ending that was pressed early waits for it. */
  #word: Promise<void> = Promise.resolve();
  #offersTelling = false;
  #disposed = false;

  constructor(options: UrlFlowOptions) {
    const { card, host, telling } = options;
    this.#options = options;
    this.#where = options.where;
    // Until the consent has arrived the card's time is the question's own.
    this.#deadline = new Deadline({ host, port: options.port, card: telling === null ? card : null });
    this.#link =
      refusal(card.url) === ''
        ? new UrlLink({ href: card.url.href, text: trans.__('Open again'), host, free: () => true, opened: () => undefined })
        : null;
    this.#row = new ButtonRow(host);
    const summary = focusable(make('summary', {}, trans.__('The address')));
    const address = make('details', { class: 'jme-notes' }, summary, addressText(card.url));
    const hint = this.#comesBack
      ? trans.__('Sign in on the page that opened. It leads back to Jupyter by itself.')
      : trans.__('Finish on the page that opened. If %1 does not tell that it is done, press “%2”.', askerName(card.asker), trans.__('I am done'));
    const next = make('div', { class: 'jme-quiet jme-next' }, hint);
    this.node = frame(card, host, [this.#status, next, address, this.#row.node], () => undefined);
    this.#offer();
    if (telling === null) this.#say(trans.__('waiting'));
    else this.#word = this.#tell(telling.reply);
  }

  /** A sign-in of Jupyter's own: Jupyter sees for itself when that is done. */
  get #comesBack(): boolean {
    return this.#options.card.asker.kind === 'jupyter';
  }

  focus(): void {
    this.#status.focus();
  }

  /** A newer card of the same question. */
  refresh(card: Card): void {
    if (isWaiting(card)) {
      this.#deadline.set(card);
      this.#arrived();
    } else if (card.state === 'accepted' || (!isOpen(card) && this.#stage === 'waiting')) {
      this.#options.over(card, this.#where);
    } else if (!isOpen(card) && this.#stage !== 'missed') {
      this.#missed(card);
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#deadline.dispose();
    this.#link?.dispose();
    this.#row.dispose();
  }

  async #tell(reply: Promise<AnswerResult>): Promise<void> {
    this.#stage = 'telling';
    this.#say(trans.__('telling %1…', askerName(this.#options.card.asker)));
    const result = await reply;
    // The socket may have been faster.
    if (this.#disposed || this.#stage !== 'telling') return;
    if ('card' in result) {
      if (result.kind === 'late') this.#where = 'elsewhere';
      this.refresh(result.card);
    } else {
      this.#stage = 'untold';
      this.#untold(result.message);
      this.#offer();
    }
  }

  #arrived(): void {
    if (this.#stage === 'waiting') return;
    this.#stage = 'waiting';
    this.#say(trans.__('waiting'));
    // The usual row stands there already, and maybe under a pointer.
    if (this.#offersTelling) this.#offer();
  }

  /** The page was opened for a question that was over already. */
  #missed(card: Card): void {
    this.#stage = 'missed';
    this.#untold(deathWords(card));
    this.#row.offer([], [[trans.__('Close'), () => this.#options.over(card, 'elsewhere')]], []);
  }

  #offer(): void {
    this.#offersTelling = this.#stage === 'untold';
    const again = this.#link === null ? [] : [this.#link.node];
    // The link stands where the first one stood: a second press there ends nothing.
    this.#row.offer(
      again,
      this.#offersTelling
        ? [
            [trans.__('Tell it'), () => this.#tellAgain()],
            [trans.__('Cancel'), () => this.#withdraw()]
          ]
        : [
            ...(this.#comesBack ? [] : [[trans.__('I am done'), () => this.#end('finish')] satisfies Choice]),
            [trans.__('Cancel'), () => this.#end('cancel')]
          ],
      [this.#deadline.node]
    );
  }

  #tellAgain(): Promise<void> {
    const { port, telling } = this.#options;
    this.#word = this.#tell(port.consent(telling?.confirmed ?? false));
    return this.#word;
  }

  async #withdraw(): Promise<void> {
    const result = await this.#options.port.answer('cancel', []);
    if (this.#disposed || this.#stage !== 'untold') return;
    if (!('card' in result)) this.#untold(result.message);
    else if (isWaiting(result.card)) this.refresh(result.card);
    else this.#options.over(result.card, result.kind === 'taken' ? 'here' : 'elsewhere');
  }

  async #end(action: FlowAction): Promise<void> {
    await this.#word;
    if (this.#disposed || this.#stage !== 'waiting') return;
    const result = await this.#options.port.flow(action);
    if (this.#disposed) return;
    if ('card' in result) this.refresh(result.card);
    else this.#fail(trans.__('Not sent: %1 Try again.', plain(result.message, CAPS.help)));
  }

  #say(words: string): void {
    this.node.classList.remove('jme-failed');
    this.#status.textContent = `${trans.__('Opened %1', plain(this.#options.card.url.domain, 253))} · ${words}`;
  }

  #untold(why: string): void {
    const { asker } = this.#options.card;
    this.#fail(trans.__('The page was opened, but %1 has not been told: %2', askerName(asker), plain(why, CAPS.help)));
  }

  #fail(words: string): void {
    this.node.classList.add('jme-failed');
    this.#status.textContent = words;
  }
}
