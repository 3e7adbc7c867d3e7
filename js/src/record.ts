/** What stays after the answer: one quiet line, never what was answered. */

import { askerName } from './chrome';
import { make } from './dom';
import { CAPS, plain } from './text';
import type { Card } from './wire';

export type Where = 'here' | 'elsewhere' | 'unknown';

export function record(card: Card, where: Where): HTMLElement {
  const parts = recordParts(card, where).map((part, at) =>
    make('span', { class: at === 1 ? 'jme-outcome' : 'jme-part' }, part)
  );
  return make('div', { class: 'jme-record', 'data-state': card.state }, ...parts);
}

/** "bistro asked during book_table", "accepted", "09:31", "answered here". */
export function recordParts(card: Card, where: Where): string[] {
  const during = card.cause.tool === '' ? '' : ` during ${plain(card.cause.tool, CAPS.name)}`;
  return [
    `${askerName(card.asker)} asked${during}`,
    outcomeWords(card),
    clock(card.outcome?.at ?? ''),
    byWhom(card, where),
    deliveryWords(card)
  ].filter(part => part !== '');
}

export function outcomeWords(card: Card): string {
  switch (card.state) {
    case 'accepted':
      return 'accepted';
    case 'declined':
      return 'declined';
    case 'dismissed':
      return 'cancelled';
    case 'expired':
      return 'not answered: the time was up';
    case 'withdrawn':
      return 'not answered: the server stopped waiting';
    case 'not shown':
      return 'not answered: it could not be shown';
    default:
      return 'waiting';
  }
}

function byWhom(card: Card, where: Where): string {
  const outcome = card.outcome;
  if (outcome === null || !['accepted', 'declined', 'dismissed'].includes(card.state)) return '';
  const by = outcome.by === '' ? '' : ` by ${plain(outcome.by, CAPS.name)}`;
  switch (outcome.channel) {
    case 'page':
      if (where === 'here') return 'answered here';
      return `answered ${where === 'elsewhere' ? 'in another tab' : 'on a page'}${by}`;
    case 'kernel':
      return 'answered by script';
    case 'policy':
      return 'answered by a rule';
    case 'api':
      return `answered by program${by}`;
    default:
      return '';
  }
}

function deliveryWords(card: Card): string {
  return card.outcome?.delivery === 'lost' ? 'never reached the server' : '';
}

function clock(at: string): string {
  const time = new Date(at);
  if (at === '' || Number.isNaN(time.getTime())) return '';
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}
