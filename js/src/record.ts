/** What stays after the answer: one quiet line, never what was answered. */

import { askerName, placeWords } from './chrome';
import { make } from './dom';
import { CAPS, plain } from './text';
import type { Card, Flow, Withdrawal } from './wire';
import { trans } from './words';

const TROUBLE = 500;

export type Where = 'here' | 'elsewhere' | 'unknown';

export function record(card: Card, where: Where): HTMLElement {
  const parts = recordParts(card, where).map((part, at) =>
    make('span', { class: at === 1 ? 'jme-outcome' : 'jme-part' }, part)
  );
  return make('div', { class: 'jme-record', 'data-state': card.state }, ...parts);
}

const FLOW_WORDS: Readonly<Record<Flow, () => string>> = {
  opened: () => trans.__('waiting'),
  completed: () => trans.__('completed'),
  finished: () => trans.__('marked as done'),
  abandoned: () => trans.__('given up'),
  lapsed: () => trans.__('the time was up before it was completed'),
  cut: () => trans.__('the connection ended before it was completed'),
  ended: () => trans.__('the call ended before it was completed')
};

const WITHDRAWALS: Readonly<Record<Withdrawal, () => string>> = {
  '': () => trans.__('the one who asked stopped waiting'),
  asker: () => trans.__('the server stopped waiting'),
  caller: () => trans.__('the call was interrupted'),
  call: () => trans.__('the call failed'),
  connection: () => trans.__('the connection to the server ended'),
  owner: () => trans.__('the kernel or Jupyter was stopped')
};

/** "bistro asked during book_table", "accepted", "09:31", "answered here". */
export function recordParts(card: Card, where: Where): string[] {
  return [
    `${asked(card)}${placed(card)}`,
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
      return card.mode === 'url' ? trans.__('opened') : trans.__('accepted');
    case 'declined':
      return trans.__('declined');
    case 'dismissed':
      return trans.__('cancelled');
    case 'expired':
      return trans.__('cancelled: the time was up');
    case 'withdrawn':
      return trans.__('taken back: %1', withdrawalWords(card));
    case 'not shown':
      return trans.__('cancelled: it could not be shown');
    default:
      return trans.__('waiting');
  }
}

function withdrawalWords(card: Card): string {
  return WITHDRAWALS[card.outcome?.withdrawnBy ?? '']();
}

/** Whether a server took it back when that SDK's own limit runs out: the request says nothing of it. */
function minuteLong(card: Card): boolean {
  const seconds = (Date.parse(card.outcome?.at ?? '') - Date.parse(card.created)) / 1000;
  return card.outcome?.withdrawnBy === 'asker' && seconds >= 59 && seconds <= 62;
}

/** For a form that ended while somebody was typing. */
export function deathWords(card: Card): string {
  if (card.state === 'expired') return trans.__('The time was up.');
  if (card.state === 'withdrawn' && minuteLong(card)) {
    return trans.__('The server stopped waiting after about 60 seconds, as servers built with the TypeScript SDK do by default.');
  }
  if (card.state === 'withdrawn') return trans.__('This question was taken back: %1.', withdrawalWords(card));
  return trans.__('This question is over: %1.', outcomeWords(card));
}

function placed(card: Card): string {
  const words = placeWords(card.cause);
  return words === '' ? '' : ` (${words})`;
}

function asked(card: Card): string {
  const who = askerName(card.asker, card.origin);
  const tool = plain(card.cause.tool, CAPS.name);
  if (card.mode === 'form') return tool === '' ? trans.__('%1 asked', who) : trans.__('%1 asked during %2', who, tool);
  // A domain holds at most 253 characters.
  const domain = plain(card.url.domain, 253);
  if (tool === '') return trans.__('%1 asked to open %2', who, domain);
  return trans.__('%1 asked to open %2 during %3', who, domain, tool);
}

/** How the page that was opened ended, as far as anybody has said. */
function flowWords(card: Card): string {
  return card.mode === 'url' && card.flow !== null ? FLOW_WORDS[card.flow]() : '';
}

function byWhom(card: Card, where: Where): string {
  const outcome = card.outcome;
  if (outcome === null || !answered(card)) return '';
  const by = plain(outcome.by, CAPS.name);
  switch (outcome.channel) {
    case 'page':
      if (where === 'here') return trans.__('answered here');
      if (where === 'elsewhere') return by === '' ? trans.__('answered in another tab') : trans.__('answered in another tab by %1', by);
      return by === '' ? trans.__('answered on a page') : trans.__('answered on a page by %1', by);
    case 'kernel':
      return trans.__('answered by code in the kernel');
    case 'policy':
      return trans.__('answered by script');
    case 'api':
      return by === '' ? trans.__('answered through the API') : trans.__('answered through the API by %1', by);
    default:
      return '';
  }
}

function deliveryWords(card: Card): string {
  return card.outcome?.delivery === 'lost' && answered(card) ? trans.__('the answer did not arrive') : '';
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
