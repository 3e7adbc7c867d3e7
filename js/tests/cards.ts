/** Cards as the Jupyter server makes them. */

import { parseCard } from '../src/parse';
import type { Card, Flow, FormCard, UrlCard, Withdrawal } from '../src/wire';

export type Json = Readonly<Record<string, unknown>>;

export function field(name: string, kind: string, more: Json = {}): Json {
  return {
    name,
    kind,
    label: name,
    help: '',
    required: false,
    hint: '',
    placeholder: '',
    multiline: false,
    sensitive: false,
    note: '',
    options: [],
    ...more
  };
}

export function options(...labels: readonly string[]): Json[] {
  return labels.map((label, at) => ({ key: String(at), label, value: '' }));
}

export function cardJson(more: Json = {}): Json {
  return {
    id: 'aaaaaaaaaaaaaaaaaaaaaa',
    mode: 'form',
    state: 'pending',
    message: 'For how many?',
    asker: { name: 'bistro', kind: 'server', transport: 'stdio: python -m bistro', callsItself: 'Bistro' },
    cause: { tool: 'book_table', arguments: '{"party": 4}', certainty: 'caused' },
    origin: { kind: 'kernel', id: '7d1f' },
    fields: [],
    draft: [],
    notes: [],
    created: '2026-12-01T09:30:00Z',
    secondsLeft: 600,
    secondsStill: 0,
    mayExtend: true,
    outcome: null,
    ...more
  };
}

export function formCard(more: Json = {}): FormCard {
  const card = parseCard(cardJson(more));
  if (card.mode !== 'form') throw new Error('not a form');
  return card;
}

/** A form of the given fields, untouched values `null` unless said. */
export function asking(fields: readonly Json[], draft: Json = {}, more: Json = {}): FormCard {
  const held = new Map(Object.entries(draft));
  const pairs = fields.map(each => [each['name'], held.get(String(each['name'])) ?? null]);
  return formCard({ fields, draft: pairs, ...more });
}

export function urlJson(more: Json = {}, card: Json = {}): Json {
  const url = {
    href: 'https://login.example.org/x?y=1',
    level: 'ok',
    scheme: 'https',
    host: 'login.example.org',
    unicodeHost: '',
    domain: 'example.org',
    warnings: [],
    ...more
  };
  return cardJson({ mode: 'url', message: 'Please sign in.', url, flow: null, ...card });
}

export function urlCard(more: Json = {}, about: Json = {}): UrlCard {
  const card = parseCard(urlJson(more, about));
  if (card.mode !== 'url') throw new Error('not a link');
  return card;
}

/** The same question, over. */
export function ended(card: Card, state: Card['state'], channel = 'page'): Card {
  const action = state === 'accepted' ? 'accept' : state === 'declined' ? 'decline' : 'cancel';
  const outcome = { action, reason: '', channel, by: '', at: '2026-12-01T09:31:00Z', trouble: '', withdrawnBy: '', delivery: 'done' } as const;
  return { ...card, state, secondsLeft: null, outcome };
}

/** The same question, taken back. */
export function withdrawn(card: Card, by: Withdrawal): Card {
  const over = ended(card, 'withdrawn', '');
  return over.outcome === null ? over : { ...over, outcome: { ...over.outcome, withdrawnBy: by } };
}

/** A link that was opened, and how far it got since. */
export function flowing(card: Card, flow: Flow, secondsLeft: number | null = 300): Card {
  const accepted = ended(card, 'accepted');
  if (accepted.mode !== 'url') throw new Error('not a link');
  return { ...accepted, flow, secondsLeft: flow === 'opened' ? secondsLeft : null };
}
