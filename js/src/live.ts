/** A form that can still be answered: its fields, its buttons, and the one answer that leaves. */

import { Arming } from './arming';
import { causeLine, heading, serverBox } from './chrome';
import { Deadline } from './clock';
import { Discard } from './discard';
import { button, freshId, make } from './dom';
import { sameDraft, sameValue } from './draft';
import { Fields } from './fields';
import type { Host } from './host';
import { listenToKeys } from './keys';
import { notesLine } from './notes';
import { Pause } from './pause';
import type { AnswerResult, Port } from './port';
import { Preview } from './preview';
import { deathWords } from './record';
import { Summary } from './summary';
import { CAPS, plain, shownMessage } from './text';
import { SecretTick } from './tick';
import type { Action, Card, Draft, FormCard } from './wire';
import { trans } from './words';

const BUTTONS: readonly (readonly [Action, () => string])[] = [
  ['accept', () => trans.__('Submit')],
  ['decline', () => trans.__('Decline')],
  ['cancel', () => trans.__('Cancel')]
];

/** The server holds the clock for longer than this after each sign. */
const SIGN_MS = 8000;

export interface LiveOptions {
  readonly card: FormCard;
  readonly host: Host;
  readonly port: Port;
  /** The question is over; `mine`: by the answer that left from here. */
  over(card: Card, mine: boolean): void;
}

export class LiveForm {
  readonly node: HTMLElement;
  readonly #options: LiveOptions;
  readonly #fields: Fields;
  readonly #pause: Pause;
  readonly #status = make('div', { class: 'jme-status', role: 'status' });
  readonly #summary = new Summary();
  readonly #discard: Discard;
  readonly #preview: Preview;
  readonly #bar: HTMLElement;
  readonly #deadline: Deadline;
  readonly #arming: Arming;
  readonly #unfollow: () => void;
  readonly #tick: SecretTick;
  #signed: number | null = null;
  #keeping = false;
  #sending = false;
  #looking = false;
  #dead = false;

  constructor(options: LiveOptions) {
    const { card, host, port } = options;
    this.#options = options;
    this.#deadline = new Deadline({ host, port, card });
    this.#fields = new Fields(card, () => {
      this.#pause.changed();
      this.#unlook();
      this.#typing();
    });
    this.#pause = new Pause({ card, memory: this, port, read: () => this.#fields.read() });
    this.#preview = new Preview(card);
    this.#tick = new SecretTick(card, host.trusted);
    this.#discard = new Discard(host.trusted, () => void this.#send('cancel'));
    const buttons = BUTTONS.map(([action, text]) =>
      button(text(), `jme-button jme-${action}`, event => {
        this.#pressed(action, event);
      })
    );
    this.#bar = make('div', { class: 'jme-bar' }, ...buttons, ...this.#previewButton(), this.#deadline.node);
    this.node = this.#build();
    this.#listen();
    let told = false;
    this.#arming = new Arming({
      form: this.node,
      bar: this.#bar,
      buttons,
      now: host.now,
      inSight: () => {
        if (!told) port.shown();
        told = true;
      }
    });
    const held = host.drafts.recall(card);
    if (held !== null) this.fill(held);
    this.#unfollow = host.drafts.follow(card.id, draft => {
      if (!this.#keeping) this.#follow(draft);
    });
  }

  /** What was typed here, remembered for the page, and shown in its other form of the same question. */
  keep(card: FormCard, draft: Draft): void {
    this.#keeping = true;
    this.#options.host.drafts.keep(card, draft);
    this.#keeping = false;
  }

  /** Whether an answer is on its way. */
  get sending(): boolean {
    return this.#sending;
  }

  /** A newer card of the same open question. */
  refresh(card: Card): void {
    this.#deadline.set(card);
  }

  fill(draft: Draft): void {
    this.#unlook();
    this.#fields.fill(draft);
  }

  /** What others hold of it already: news only where nothing was typed here meanwhile. */
  welcome(draft: Draft): void {
    const asked = new Map(this.#options.card.draft);
    const here = new Map(this.#fields.read());
    const half = new Set(this.#fields.troubles().map(([name]) => name));
    const untouched = (name: string): boolean => sameValue(here.get(name) ?? null, asked.get(name) ?? null);
    this.fill(draft.filter(([name]) => untouched(name) && !half.has(name)));
  }

  /** Typed in the page's other form of this question: only what differs, since half a date reads as nothing. */
  #follow(draft: Draft): void {
    const here = new Map(this.#fields.read());
    this.fill(draft.filter(([name, value]) => !sameValue(here.get(name) ?? null, value)));
  }

  /** Whether something stands in the form that the server did not put there. */
  typed(): boolean {
    return this.#fields.troubles().length > 0 || !sameDraft(this.#fields.read(), this.#options.card.draft);
  }

  /** The question ended elsewhere: what was typed can be read and copied, and nothing more. */
  die(card: Card, message: string): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#release();
    this.#fields.freeze();
    this.#tick.freeze();
    this.#summary.clear();
    this.#discard.close();
    this.#preview.clear();
    this.node.classList.add('jme-dead');
    const why = message === '' ? deathWords(card) : plain(message, CAPS.help);
    this.#status.textContent = `${why} ${trans.__('Nothing was sent.')}`;
    const close = button(trans.__('Close'), 'jme-button', () => {
      this.#options.over(card, false);
    });
    const hadFocus = this.#bar.contains(this.node.ownerDocument.activeElement);
    this.#bar.replaceChildren(close);
    if (hadFocus) close.focus();
  }

  dispose(): void {
    this.#pause.flush();
    this.#release();
  }

  #build(): HTMLElement {
    const { card } = this.#options;
    const titleId = freshId();
    const cause = causeLine(card.cause, card.asker);
    return make(
      'form',
      { class: 'jme-live', 'aria-labelledby': titleId, autocomplete: 'off', novalidate: '' },
      heading(card.asker, titleId, card.origin, this.#options.host.level),
      ...(cause === null ? [] : [cause]),
      serverBox(card, shownMessage(card.message), ...(card.fields.length > 0 ? [this.#fields.node] : [])),
      ...notesLine(card.notes),
      ...this.#tick.nodes,
      this.#summary.node,
      this.#discard.node,
      this.#preview.node,
      this.#bar,
      this.#status
    );
  }

  #listen(): void {
    this.node.addEventListener('submit', event => {
      event.preventDefault();
    });
    this.node.addEventListener('focusout', this.#flush);
    // A reload right behind a key leaves no time for the pause.
    window.addEventListener('pagehide', this.#flush);
    listenToKeys(this.node, {
      trusted: this.#options.host.trusted,
      submit: () => {
        if (this.#arming.readyForKeys()) void this.#send('accept');
      },
      escape: () => {
        this.#escape();
      },
      submitsOnEnter: target => this.#fields.submitsOnEnter(target),
      save: this.#options.host.save
    });
  }

  #pressed(action: Action, event: MouseEvent): void {
    if (!this.#options.host.trusted(event)) return;
    // A click that a key made (detail 0) has no pointer that something could slide under.
    const armed = event.detail === 0 ? this.#arming.readyForKeys() : this.#arming.readyForPointer();
    if (armed) void this.#send(action);
  }

  #escape(): void {
    if (this.#dead || this.#sending || !this.#arming.readyForKeys()) return;
    if (this.#discard.open) this.#discard.close();
    else if (this.typed()) this.#discard.ask();
    else void this.#send('cancel');
  }

  async #send(action: Action): Promise<void> {
    if (this.#sending || this.#dead) return;
    const accepts = action === 'accept';
    const troubles = accepts ? this.#fields.troubles() : [];
    if (troubles.length > 0) {
      this.#summary.show(this.#fields, troubles, '');
      return;
    }
    const draft = accepts ? this.#fields.read() : [];
    const { host, port } = this.#options;
    if (accepts && host.review?.always === true && port.preview !== undefined && !this.#preview.shows(draft)) {
      await this.#look();
      return;
    }
    this.#sending = true;
    this.#summary.clear();
    this.node.classList.remove('jme-failed');
    this.#status.textContent = trans.__('Sending…');
    this.node.setAttribute('aria-busy', 'true');
    const result = await port.answer(action, draft, this.#tick.agreed);
    this.#sending = false;
    this.node.removeAttribute('aria-busy');
    this.#status.textContent = '';
    this.#receive(result);
  }

  /** Shows what would be sent, or what is wrong with it. Meanwhile all else goes on. */
  async #look(): Promise<void> {
    const { host, port } = this.#options;
    const troubles = this.#fields.troubles();
    if (port.preview === undefined || this.#looking || this.#sending || this.#dead) return;
    if (troubles.length > 0) {
      this.#summary.show(this.#fields, troubles, '');
      return;
    }
    this.#looking = true;
    this.#summary.clear();
    this.node.classList.remove('jme-failed');
    this.#status.textContent = trans.__('Reading…');
    const draft = this.#fields.read();
    const result = await port.preview(draft);
    this.#looking = false;
    if (this.#dead || this.#sending || !this.node.isConnected) return;
    this.#status.textContent = '';
    if (result.kind !== 'preview') {
      this.#receive(result);
    } else if (sameDraft(draft, this.#fields.read())) {
      // Else somebody typed on, and this would be a picture of something else.
      this.#preview.show(draft, result.content);
      const ask = trans.__('Look at what would be sent, then press “%1” again.', trans.__('Submit'));
      this.#status.textContent = `${trans.__('Nothing is sent yet.')}${host.review?.always === true ? ` ${ask}` : ''}`;
    }
  }

  /** A sign of life, and not one for each key. */
  #typing(): void {
    const { host, port } = this.#options;
    if (this.#signed !== null && host.now() - this.#signed < SIGN_MS) return;
    this.#signed = host.now();
    port.typing?.();
  }

  #unlook(): void {
    if (this.#preview.clear()) this.#status.textContent = '';
  }

  #previewButton(): HTMLElement[] {
    const { card, host, port } = this.#options;
    if (port.preview === undefined || card.fields.length === 0) return [];
    const look = (event: MouseEvent): void => {
      if (host.trusted(event)) void this.#look();
    };
    return [button(trans.__('Preview'), 'jme-small jme-look', look)];
  }

  #receive(result: AnswerResult): void {
    switch (result.kind) {
      case 'taken':
      case 'late':
        this.#options.over(result.card, result.kind === 'taken');
        return;
      case 'gone':
        this.die(result.card, result.message);
        return;
      case 'problems':
        this.#summary.show(this.#fields, result.problems, result.message);
        return;
      case 'failed':
        this.node.classList.add('jme-failed');
        this.#status.textContent = trans.__('Not sent: %1 What you typed is still here; try again.', plain(result.message, CAPS.help));
    }
  }

  readonly #flush = (): void => {
    this.#pause.flush();
  };

  #release(): void {
    window.removeEventListener('pagehide', this.#flush);
    this.#unfollow();
    this.#pause.drop();
    this.#deadline.dispose();
    this.#arming.dispose();
  }
}
