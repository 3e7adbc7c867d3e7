/** The Jupyter server's routes for one page. */

import { AnswerIds, readPreview, readReply } from './port';
import type { AnswerResult, Port, PreviewResult } from './port';
import { entries } from './json';
import { parseCard } from './parse';
import type { Action, Card, Draft, FlowAction } from './wire';
import { trans } from './words';

/** After this long the form can be sent again: with the same answer id, so never twice. */
const PATIENCE_MS = 30_000;

/** One request below `<base_url>mcp-elicit/`. */
export type Ask = (path: string, init: RequestInit) => Promise<Response>;

/** The server is there and says no; asking again would not help. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(trans.__('The Jupyter server refuses to show this question (%1).', String(status)));
    this.status = status;
  }
}

/** A card by id; `null` when the server does not know it. Rejects when the server cannot be reached, or refuses. */
export async function getCard(ask: Ask, id: string): Promise<Card | null> {
  const response = await ask(`elicitations/${encodeURIComponent(id)}`, { method: 'GET' });
  if (response.status === 404) return null;
  if (response.status >= 400 && response.status < 500) throw new Refusal(response.status);
  if (!response.ok) throw new Error(`The server said ${response.status}.`);
  return parseCard(await response.json());
}

export class ServerPort implements Port {
  readonly #ask: Ask;
  readonly #path: string;
  readonly #told: (card: Card) => void;
  readonly #ids = new AnswerIds();

  /** `told` hears each card that a reply brings. */
  constructor(ask: Ask, id: string, told: (card: Card) => void = () => undefined) {
    this.#ask = ask;
    this.#path = `elicitations/${encodeURIComponent(id)}`;
    this.#told = told;
  }

  answer(action: Action, draft: Draft, secrets = false): Promise<AnswerResult> {
    const accepts = action === 'accept';
    const answerId = this.#ids.of(action, accepts ? draft : []);
    const agreed = accepts && secrets ? { secrets } : {};
    return this.#post('answer', accepts ? { action, draft, answerId, ...agreed } : { action, answerId });
  }

  more(): Promise<AnswerResult> {
    return this.#post('more', {});
  }

  consent(confirmed: boolean): Promise<AnswerResult> {
    const answerId = this.#ids.of('accept', confirmed);
    const body = { action: 'accept', answerId, ...(confirmed ? { confirmed } : {}) };
    // The page that opens may take this one's place, or its tab to sleep.
    return this.#post('answer', body, { keepalive: true });
  }

  flow(action: FlowAction): Promise<AnswerResult> {
    return this.#post('flow', { action });
  }

  async preview(draft: Draft): Promise<PreviewResult> {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await this.#ask(`${this.#path}/preview`, { ...json({ draft }), signal });
      return readPreview(response.status, await response.json().catch(() => null));
    } catch {
      return { kind: 'failed', message: trans.__('The Jupyter server could not be reached.') };
    }
  }

  async #post(route: string, body: object, more: RequestInit = {}): Promise<AnswerResult> {
    let result: AnswerResult;
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await this.#ask(`${this.#path}/${route}`, { ...json(body), signal, ...more });
      result = readReply(response.status, await response.json().catch(() => null));
    } catch {
      return { kind: 'failed', message: trans.__('The Jupyter server could not be reached.') };
    }
    if (result.kind !== 'failed') this.#ids.forget();
    if ('card' in result) this.#told(result.card);
    return result;
  }

  shown(): void {
    this.#mention('shown');
  }

  typing(): void {
    this.#mention('typing');
  }

  #mention(route: string): void {
    this.#ask(`${this.#path}/${route}`, json({}))
      .then(async response => {
        if (response.ok) this.#told(parseCard(entries(await response.json()).get('card')));
      })
      .catch(() => undefined); // Only a courtesy: the form works without it.
  }
}

function json(body: object): RequestInit {
  return { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

/** Requests from a page of a Jupyter server, without JupyterLab's code; `null` on any other page. */
export function pageAsk(): Ask | null {
  const config = document.getElementById('jupyter-config-data');
  if (config === null) return null;
  let baseUrl: unknown;
  let token: unknown;
  try {
    const data = entries(JSON.parse(config.textContent ?? ''));
    baseUrl = data.get('baseUrl');
    token = data.get('token');
  } catch {
    return null;
  }
  if (typeof baseUrl !== 'string') return null;
  const root = new URL(baseUrl.replace(/\/?$/, '/'), document.location.href);
  // Cookies and the token go to the page's own server only.
  if (root.origin !== document.location.origin) return null;
  return (path, init) => {
    const headers = new Headers(init.headers);
    const xsrf = cookie('_xsrf');
    if (xsrf !== '') headers.set('X-XSRFToken', xsrf);
    if (typeof token === 'string' && token !== '') headers.set('Authorization', `token ${token}`);
    const url = new URL(`mcp-elicit/${path}`, root);
    return fetch(url, { ...init, headers, credentials: 'same-origin', cache: 'no-store' });
  };
}

function cookie(name: string): string {
  const start = `${name}=`;
  const found = document.cookie.split('; ').find(part => part.startsWith(start));
  return found === undefined ? '' : found.slice(start.length);
}
