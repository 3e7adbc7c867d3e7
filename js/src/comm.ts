/** Answers by the widget's comm, where no server of ours is in reach. */

import { entries } from './parse';
import { AnswerIds, readReply } from './port';
import type { AnswerResult, Port } from './port';
import type { Action, Draft } from './wire';

export interface Model {
  get(name: 'card'): unknown;
  on(event: 'change:card', callback: () => void): void;
  on(event: 'msg:custom', callback: (message: unknown) => void): void;
  off(event: 'change:card', callback: () => void): void;
  off(event: 'msg:custom', callback: (message: unknown) => void): void;
  send(content: object): void;
}

type Settle = (result: AnswerResult) => void;

export class CommPort implements Port {
  readonly #model: Model;
  readonly #waiting = new Map<string, Settle>();
  readonly #ids = new AnswerIds();

  constructor(model: Model) {
    this.#model = model;
  }

  answer(action: Action, draft: Draft): Promise<AnswerResult> {
    const sent = action === 'accept' ? draft : [];
    const answerId = this.#ids.of(action, sent);
    return new Promise(settle => {
      this.#waiting.set(answerId, settle);
      try {
        this.#model.send({ type: 'answer', action, answerId, ...(action === 'accept' ? { draft } : {}) });
      } catch {
        this.#waiting.delete(answerId);
        settle({ kind: 'failed', message: 'The kernel could not be reached.' });
      }
    });
  }

  /** A `result` message of the kernel. */
  receive(message: unknown): void {
    const said = entries(message);
    const answerId = String(said.get('answerId'));
    const settle = this.#waiting.get(answerId);
    if (settle === undefined) return;
    this.#waiting.delete(answerId);
    this.#ids.forget();
    settle(readReply(Number(said.get('status')), message));
  }

  shown(): void {
    this.#model.send({ type: 'shown' });
  }

  draftChanged(draft: Draft): void {
    this.#model.send({ type: 'draft', draft });
  }
}
