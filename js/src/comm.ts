/** Answers by the widget's comm, where no server of ours is in reach. */

import { entries } from './json';
import { AnswerIds, newId, readPreview, readReply } from './port';
import type { AnswerResult, Port, PreviewResult } from './port';
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

/** By HTTP's numbers, and what came with it. */
type Reply = readonly [status: number, body: unknown];
type Settle = (reply: Reply) => void;

const NO_REPLY = 0;

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

  async more(): Promise<AnswerResult> {
    const answerId = newId();
    return readReply(...(await this.#reply(answerId, { type: 'more', answerId })));
  }

  async preview(draft: Draft): Promise<PreviewResult> {
    const answerId = newId();
    return readPreview(...(await this.#reply(answerId, { type: 'preview', draft, answerId })));
  }

  typing(): void {
    this.tell({ type: 'typing' });
  }

  async #say(answerId: string, content: object): Promise<AnswerResult> {
    const [status, body] = await this.#reply(answerId, content);
    if (status !== NO_REPLY) this.#ids.forget();
    return readReply(status, body);
  }

  #reply(answerId: string, content: object): Promise<Reply> {
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        settle([NO_REPLY, { message: trans.__('The kernel does not answer; it may be busy.') }]);
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
        settle([NO_REPLY, { message: trans.__('The kernel could not be reached.') }]);
      }
    });
  }

  /** A `result` message of the kernel. */
  receive(message: unknown): void {
    const said = entries(message);
    const settle = this.#waiting.get(String(said.get('answerId')));
    if (settle === undefined) return;
    settle([Number(said.get('status')), message]);
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
