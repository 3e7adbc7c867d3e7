/** A question that can still be answered: its fields, its buttons, and the one answer that leaves. */

import { Arming } from './arming';
import { causeLine, heading, serverBox } from './chrome';
import { Deadline } from './clock';
import { button, focusable, freshId, make } from './dom';
import { sameDraft, withoutSecrets } from './draft';
import { Fields } from './fields';
import type { Host } from './host';
import { listenToKeys } from './keys';
import { outcomeWords } from './record';
import { CAPS, plain, shownMessage } from './text';
import type { AnswerResult, Port } from './port';
import type { Action, Card, Draft, Problems } from './wire';

const PAUSE_MS = 200;

export interface LiveOptions {
  readonly card: Card;
  readonly host: Host;
  readonly port: Port;
  /** The question is over; `mine`: by the answer that left from here. */
  over(card: Card, mine: boolean): void;
}

export class LiveForm {
  readonly node: HTMLElement;
  readonly #card: Card;
  readonly #options: LiveOptions;
  readonly #fields: Fields | null;
  readonly #status = make('div', { class: 'jme-status', role: 'status' });
  readonly #summary = make('div', { class: 'jme-summary', role: 'alert' });
  readonly #bar: HTMLElement;
  readonly #deadline: Deadline;
  readonly #arming: Arming;
  #sending = false;
  #dead = false;
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveOptions) {
    const { card, host } = options;
    this.#card = card;
    this.#options = options;
    this.#deadline = new Deadline(host.now, card.secondsLeft);
    this.#fields =
      card.mode === 'form'
        ? new Fields(card, () => {
            this.#changed();
          })
        : null;
    const buttons = (this.#fields === null ? NO_SUBMIT : BUTTONS).map(([action, text]) =>
      button(text, `jme-button jme-${action}`, event => {
        if (host.trusted(event)) this.#pressed(action, event.detail === 0);
      })
    );
    const question = make('div', { class: 'jme-discard', role: 'alert' });
    question.hidden = true;
    this.#bar = make('div', { class: 'jme-bar' }, ...buttons, this.#deadline.node);
    const titleId = freshId();
    const cause = causeLine(card.cause, card.asker);
    this.node = make(
      'form',
      { class: 'jme-live', 'aria-labelledby': titleId, autocomplete: 'off', novalidate: '' },
      heading(card.asker, titleId),
      ...(cause === null ? [] : [cause]),
      serverBox(card, ...this.#content()),
      ...notes(card),
      this.#summary,
      this.#bar,
      this.#status
    );
    this.node.addEventListener('submit', event => {
      event.preventDefault();
    });
    this.node.addEventListener('focusout', () => {
      this.#flush();
    });
    listenToKeys(this.node, {
      trusted: host.trusted,
      submit: () => {
        if (this.#fields !== null && this.#arming.ready()) void this.#send('accept');
      },
      escape: () => {
        this.#escape();
      },
      submitsOnEnter: target => this.#fields?.submitsOnEnter(target) ?? false
    });
    this.#arming = new Arming(this.#bar, buttons, host.now, once(() => {
      options.port.shown();
    }));
    this.#recall();
  }

  /** Whether an answer is on its way. */
  get sending(): boolean {
    return this.#sending;
  }

  /** A newer card of the same open question. */
  refresh(card: Card): void {
    this.#deadline.set(card.secondsLeft);
  }

  fill(draft: Draft): void {
    this.#fields?.fill(draft);
  }

  /** Whether something stands in the form that the server did not put there. */
  typed(): boolean {
    const { mode } = this.#card;
    if (this.#fields === null || mode !== 'form') return false;
    return this.#fields.troubles().length > 0 || !sameDraft(this.#fields.read(), this.#card.draft);
  }

  /** The question ended elsewhere: what was typed can be read and copied, and nothing more. */
  die(card: Card, message: string): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#release();
    this.#fields?.freeze();
    this.node.classList.add('jme-dead');
    this.#summary.replaceChildren();
    this.#status.textContent = `${message === '' ? deathWords(card) : plain(message, CAPS.help)} Nothing was sent.`;
    this.#bar.replaceChildren(
      button('Close', 'jme-button', () => {
        this.#options.over(card, false);
      })
    );
  }

  dispose(): void {
    this.#flush();
    this.#release();
  }

  #content(): Node[] {
    const message = shownMessage(this.#card.message);
    if (this.#fields !== null) return [message, this.#fields.node];
    const url = this.#card.mode === 'url' ? this.#card.url : '';
    return [message, ...(url === '' ? [] : [make('code', { class: 'jme-url' }, plain(url, CAPS.help))])];
  }

  #pressed(action: Action, byKey: boolean): void {
    const armed = byKey ? this.#arming.ready() : this.#arming.readyForPointer();
    if (armed) void this.#send(action);
  }

  async #send(action: Action): Promise<void> {
    if (this.#sending || this.#dead) return;
    const draft = action === 'accept' ? (this.#fields?.read() ?? []) : [];
    if (action === 'accept') {
      const troubles = this.#fields?.troubles() ?? [];
      if (troubles.length > 0) {
        this.#showProblems('', troubles);
        return;
      }
    }
    this.#sending = true;
    this.#summary.replaceChildren();
    this.#status.textContent = 'Sending…';
    this.node.setAttribute('aria-busy', 'true');
    const result = await this.#options.port.answer(action, draft);
    this.#sending = false;
    this.node.removeAttribute('aria-busy');
    this.#status.textContent = '';
    this.#receive(result);
  }

  #receive(result: AnswerResult): void {
    switch (result.kind) {
      case 'taken':
        this.#options.over(result.card, true);
        return;
      case 'late':
        this.#options.over(result.card, false);
        return;
      case 'gone':
        this.die(result.card, result.message);
        return;
      case 'problems':
        this.#showProblems(result.message, result.problems);
        return;
      case 'failed':
        this.#status.textContent = `Not sent: ${plain(result.message, CAPS.help)} What you typed is still here; try again.`;
    }
  }

  #showProblems(message: string, problems: Problems): void {
    const titles = this.#fields?.show(problems) ?? [];
    const named = this.#fields?.names() ?? new Set<string>();
    const others = problems.filter(([name]) => !named.has(name)).map(([, sentence]) => plain(sentence, CAPS.help));
    if (titles.length === 0 && others.length === 0 && message !== '') others.push(plain(message, CAPS.help));
    const count = titles.length === 1 ? 'One answer needs' : `${titles.length} answers need`;
    const first = titles.length === 0 ? [] : [`${count} another look: ${titles.slice(0, 5).join(', ')}${titles.length > 5 ? ', …' : ''}.`];
    this.#summary.textContent = [...first, ...others].join(' ');
  }

  #escape(): void {
    if (this.#arming.ready()) void this.#send('cancel');
  }

  #changed(): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#flush();
    }, PAUSE_MS);
  }

  /** Remembers the draft, and tells whoever listens; never the fields that ask for a secret. */
  #flush(): void {
    if (this.#pause === undefined || this.#fields === null || this.#card.mode !== 'form') return;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    const draft = withoutSecrets(this.#card, this.#fields.read());
    this.#options.host.drafts.keep(this.#card, draft);
    this.#options.port.draftChanged?.(draft);
  }

  #recall(): void {
    if (this.#card.mode !== 'form') return;
    const held = this.#options.host.drafts.recall(this.#card);
    if (held !== null) this.#fields?.fill(held);
  }

  #release(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#deadline.dispose();
    this.#arming.dispose();
  }
}

const BUTTONS: readonly (readonly [Action, string])[] = [
  ['accept', 'Submit'],
  ['decline', 'Decline'],
  ['cancel', 'Cancel']
];
const NO_SUBMIT = BUTTONS.slice(1);

export function deathWords(card: Card): string {
  if (card.state === 'expired') return 'The time was up.';
  if (card.state === 'withdrawn') return 'The server stopped waiting.';
  return `This question is over: ${outcomeWords(card)}.`;
}

function notes(card: Card): Node[] {
  if (card.notes.length === 0) return [];
  const summary = focusable(make('summary', {}, card.notes.length === 1 ? 'A note on this form' : `${card.notes.length} notes on this form`));
  const items = card.notes.map(note => make('li', {}, plain(note, CAPS.help)));
  return [make('details', { class: 'jme-notes' }, summary, make('ul', {}, ...items))];
}

function once(call: () => void): () => void {
  let called = false;
  return () => {
    if (!called) call();
    called = true;
  };
}
