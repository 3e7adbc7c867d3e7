/** What stays after the answer: one quiet line, never what was answered. */

import { askerName, placeWords } from './chrome';
import { make } from './dom';
import { CAPS, plain } from './text';
import type { Card, Flow } from './wire';

const TROUBLE = 500;

export type Where = 'here' | 'elsewhere' | 'unknown';

export function record(card: Card, where: Where): HTMLElement {
  const parts = recordParts(card, where).map((part, at) =>
    make('span', { class: at === 1 ? 'jme-outcome' : 'jme-part' }, part)
  );
  return make('div', { class: 'jme-record', 'data-state': card.state }, ...parts);
}

const FLOW_WORDS: Readonly<Record<Flow, string>> = {
  opened: 'waiting',
  completed: 'completed',
  finished: 'marked as done',
  abandoned: 'given up',
  lapsed: 'the time was up before it was completed',
  cut: 'the connection ended before it was completed',
  ended: 'the call ended before it was completed'
};

/** "bistro asked during book_table", "accepted", "09:31", "answered here". */
export function recordParts(card: Card, where: Where): string[] {
  const during = card.cause.tool === '' ? '' : ` during ${plain(card.cause.tool, CAPS.name)}`;
  return [
    `${askerName(card.asker, card.origin)} asked${subject(card)}${during}${placed(card)}`,
    outcomeWords(card),
    clock(card.outcome?.at ?? ''),
    flowWords(card),
    byWhom(card, where),
    troubleWords(card),
    deliveryWords(card)
  ].filter(part => part !== '');
}

export function outcomeWords(card: Card): string {
  switch (card.state) {
    case 'accepted':
      return card.mode === 'url' ? 'opened' : 'accepted';
    case 'declined':
      return 'declined';
    case 'dismissed':
      return 'cancelled';
    case 'expired':
      return 'cancelled: the time was up';
    case 'withdrawn':
      return 'taken back: the one who asked stopped waiting';
    case 'not shown':
      return 'cancelled: it could not be shown';
    default:
      return 'waiting';
  }
}

/** For a form that ended while somebody was typing. */
export function deathWords(card: Card): string {
  if (card.state === 'expired') return 'The time was up.';
  if (card.state === 'withdrawn') return 'The server stopped waiting.';
  return `This question is over: ${outcomeWords(card)}.`;
}

function placed(card: Card): string {
  const words = placeWords(card.cause);
  return words === '' ? '' : ` (${words})`;
}

/** A domain holds at most 253 characters. */
function subject(card: Card): string {
  return card.mode === 'url' ? ` to open ${plain(card.url.domain, 253)}` : '';
}

/** How the page that was opened ended, as far as anybody has said. */
function flowWords(card: Card): string {
  return card.mode === 'url' && card.flow !== null ? FLOW_WORDS[card.flow] : '';
}

function byWhom(card: Card, where: Where): string {
  const outcome = card.outcome;
  if (outcome === null || !answered(card)) return '';
  const by = outcome.by === '' ? '' : ` by ${plain(outcome.by, CAPS.name)}`;
  switch (outcome.channel) {
    case 'page':
      if (where === 'here') return 'answered here';
      return `answered ${where === 'elsewhere' ? 'in another tab' : 'on a page'}${by}`;
    case 'kernel':
      return 'answered by code in the kernel';
    case 'policy':
      return 'answered by script';
    case 'api':
      return `answered through the API${by}`;
    default:
      return '';
  }
}

function deliveryWords(card: Card): string {
  return card.outcome?.delivery === 'lost' && answered(card) ? 'the answer did not arrive' : '';
}

function troubleWords(card: Card): string {
  const trouble = card.outcome?.trouble ?? '';
  return trouble === '' ? '' : `(${plain(trouble, TROUBLE)})`;
}

function answered(card: Card): boolean {
  return card.state === 'accepted' || card.state === 'declined' || card.state === 'dismissed';
}

function clock(at: string): string {
  const time = new Date(at);
  if (at === '' || Number.isNaN(time.getTime())) return '';
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}
