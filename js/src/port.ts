/** Where answers go: the Jupyter server, or the kernel where no server of ours is in reach. */

import { entries } from './json';
import { parseCard, parseProblems } from './parse';
import type { Action, Card, Draft, FlowAction, Problems } from './wire';
import { trans } from './words';

export type AnswerResult =
  | { readonly kind: 'taken'; readonly card: Card }
  | { readonly kind: 'problems'; readonly message: string; readonly problems: Problems }
  | { readonly kind: 'late'; readonly message: string; readonly card: Card } // somebody answered first
  | { readonly kind: 'gone'; readonly message: string; readonly card: Card } // withdrawn or expired
  | { readonly kind: 'failed'; readonly message: string }; // nothing was taken, or nobody knows: try again

export type PreviewResult =
  | { readonly kind: 'preview'; readonly content: string }
  | Exclude<AnswerResult, { readonly kind: 'taken' }>;

export interface Port {
  /** `secrets`: the person agreed that fields which ask for one are sent. Never rejects. */
  answer(action: Action, draft: Draft, secrets?: boolean): Promise<AnswerResult>;
  /** A person opened the link; `confirmed`: after a second confirmation. The words leave before this returns. Never rejects. */
  consent(confirmed: boolean): Promise<AnswerResult>;
  /** What a person said of the page behind the link, after consent. Never rejects. */
  flow(action: FlowAction): Promise<AnswerResult>;
  /** Five minutes more. Never rejects. */
  more?(): Promise<AnswerResult>;
  /** The person types: the clock is to stand still for a moment. */
  typing?(): void;
  /** The form has been painted. */
  shown(): void;
  /** What an answer with this draft would send; nothing is answered. Never rejects. */
  preview?(draft: Draft): Promise<PreviewResult>;
  /** The draft changed; fields that ask for a secret are not in it. */
  draftChanged?(draft: Draft): void;
}

/** A reply by HTTP's numbers, over HTTP or a comm. */
export function readReply(status: number, body: unknown): AnswerResult {
  const reply = entries(body);
  const said = reply.get('message');
  const message = typeof said === 'string' ? said : '';
  try {
    switch (status) {
      case 200:
        return { kind: 'taken', card: parseCard(reply.get('card')) };
      case 422:
        return { kind: 'problems', message, problems: parseProblems(reply.get('problems')) };
      case 409:
        return { kind: 'late', message, card: parseCard(reply.get('card')) };
      case 410:
        return { kind: 'gone', message, card: parseCard(reply.get('card')) };
      default:
        return { kind: 'failed', message: message === '' ? trans.__('The server said %1.', String(status)) : message };
    }
  } catch {
    return { kind: 'failed', message: trans.__('The reply could not be understood.') };
  }
}

/** The same for a preview. */
export function readPreview(status: number, body: unknown): PreviewResult {
  const content = entries(body).get('content');
  if (status === 200 && typeof content === 'string') return { kind: 'preview', content };
  const reply = readReply(status, body);
  return reply.kind === 'taken' ? { kind: 'failed', message: trans.__('The reply could not be understood.') } : reply;
}

/** One id per intended answer: sent again after a lost reply, it is the same answer and not a second one. */
export class AnswerIds {
  #intent = '';
  #id = '';

  of(action: Action | 'flow', said: Draft | FlowAction | boolean): string {
    const intent = JSON.stringify([action, said]);
    if (intent !== this.#intent) {
      this.#intent = intent;
      this.#id = newId();
    }
    return this.#id;
  }

  /** The intent may hold a secret: it goes as soon as a reply has come. */
  forget(): void {
    this.#intent = '';
  }
}

export function newId(): string {
  // randomUUID is missing on plain-http pages.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
