/** Answers by the widget's comm, where no server of ours is in reach. */

import { entries } from './json';
import { AnswerIds, readReply } from './port';
import type { AnswerResult, Port } from './port';
import type { Action, Draft, FlowAction } from './wire';
import { trans } from './words';

export interface Model {
  get(name: 'card'): unknown;
  on(event: 'change:card', callback: () => void): void;
  on(event: 'msg:custom', callback: (message: unknown) => void): void;
  off(event: 'change:card', callback: () => void): void;
  off(event: 'msg:custom', callback: (message: unknown) => void): void;
  send(content: object): void;
}

/** A kernel hears nothing while a cell runs; the form must not stay locked for that. */
const PATIENCE_MS = 15_000;

type Settle = (result: AnswerResult) => void;

export class CommPort implements Port {
  readonly #model: Model;
  readonly #waiting = new Map<string, Settle>();
  readonly #ids = new AnswerIds();

  constructor(model: Model) {
    this.#model = model;
  }

  answer(action: Action, draft: Draft, secrets = false): Promise<AnswerResult> {
    const accepts = action === 'accept';
    const answerId = this.#ids.of(action, accepts ? draft : []);
    const said = { ...(accepts ? { draft } : {}), ...(accepts && secrets ? { secrets } : {}) };
    return this.#say(answerId, { type: 'answer', action, answerId, ...said });
  }

  consent(confirmed: boolean): Promise<AnswerResult> {
    const answerId = this.#ids.of('accept', confirmed);
    return this.#say(answerId, { type: 'answer', action: 'accept', answerId, ...(confirmed ? { confirmed } : {}) });
  }

  flow(action: FlowAction): Promise<AnswerResult> {
    const answerId = this.#ids.of('flow', action);
    return this.#say(answerId, { type: 'flow', action, answerId });
  }

  #say(answerId: string, content: object): Promise<AnswerResult> {
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        settle({ kind: 'failed', message: trans.__('The kernel does not answer; it may be busy.') });
      }, PATIENCE_MS);
      const settle: Settle = result => {
        clearTimeout(timer);
        this.#waiting.delete(answerId);
        resolve(result);
      };
      this.#waiting.set(answerId, settle);
      try {
        this.#model.send(content);
      } catch {
        settle({ kind: 'failed', message: trans.__('The kernel could not be reached.') });
      }
    });
  }

  /** A `result` message of the kernel. */
  receive(message: unknown): void {
    const said = entries(message);
    const settle = this.#waiting.get(String(said.get('answerId')));
    if (settle === undefined) return;
    this.#ids.forget();
    settle(readReply(Number(said.get('status')), message));
  }

  shown(): void {
    this.tell({ type: 'shown' });
  }

  draftChanged(draft: Draft): void {
    this.tell({ type: 'draft', draft });
  }

  /** Says something that needs no reply; a kernel that is gone need not hear it. */
  tell(content: object): void {
    try {
      this.#model.send(content);
    } catch {
      // The comm is closed: the form then lives without the kernel.
    }
  }
}
