/** Our own words around the server's: who asks, and because of what. */

import { focusable, freshId, make } from './dom';
import { CAPS, plain, shown } from './text';
import type { Asker, Card, Cause } from './wire';

export function heading(asker: Asker, id: string): HTMLElement {
  const who = asker.kind === 'server' ? make('strong', {}, shown(asker.name, CAPS.name)) : asked(asker);
  const line = make('div', { id, class: 'jme-heading', role: 'heading', 'aria-level': '4' }, who, ' asks');
  const head = make('div', { class: 'jme-head' }, line);
  if (asker.kind !== 'server') return head;
  const second: (Node | string)[] = [];
  if (asker.transport !== '') second.push(make('span', {}, shown(asker.transport)));
  if (asker.callsItself !== '' && asker.callsItself !== asker.name) {
    second.push(make('span', {}, 'calls itself “', shown(asker.callsItself, CAPS.name), '”'));
  }
  if (second.length > 0) head.append(make('div', { class: 'jme-second' }, ...second));
  return head;
}

/** Which call the question belongs to, as far as anybody can know; `null` when there is nothing to say. */
export function causeLine(cause: Cause, asker: Asker): HTMLElement | null {
  if (cause.certainty === 'none' || cause.tool === '') {
    if (asker.kind !== 'server') return null;
    return make('div', { class: 'jme-cause' }, 'not caused by anything you ran');
  }
  const tool = make('code', {}, shown(cause.tool, CAPS.name));
  const words: (Node | string)[] =
    cause.certainty === 'caused' ? ['while running ', tool] : ['while ', tool, ' was running'];
  if (cause.arguments === '' || cause.arguments === '{}') return make('div', { class: 'jme-cause' }, ...words);
  const details = make(
    'details',
    { class: 'jme-cause' },
    focusable(make('summary', {}, ...words, make('span', { class: 'jme-quiet' }, ' with these arguments'))),
    focusable(make('pre', { class: 'jme-arguments' }, shownArguments(cause.arguments)))
  );
  return details;
}

function shownArguments(json: string): HTMLElement {
  // Laid out only when that changes no number: JSON.parse would round long ones.
  return make('span', { dir: 'ltr' }, plainLines(json));
}

function plainLines(text: string): string {
  return text.length > CAPS.message ? `${plain(text, CAPS.message)}` : plain(text, CAPS.message);
}

/** The bordered box: all that is the server's own text stands inside. */
export function serverBox(card: Card, ...content: readonly Node[]): HTMLElement {
  const id = freshId();
  const words: (Node | string)[] =
    card.asker.kind === 'server'
      ? ['Text from server ', shown(card.asker.name, CAPS.name)]
      : [`Text from ${card.asker.kind === 'notebook' ? 'this notebook' : 'Jupyter'}`];
  const caption = make('div', { id, class: 'jme-caption' }, ...words);
  return make('div', { class: 'jme-server', role: 'group', 'aria-labelledby': id }, caption, ...content);
}

function asked(asker: Asker): string {
  return asker.kind === 'notebook' ? 'This notebook' : 'Jupyter';
}

/** The name that a record starts with. */
export function askerName(asker: Asker): string {
  return asker.kind === 'server' ? plain(asker.name, CAPS.name) : asked(asker);
}
