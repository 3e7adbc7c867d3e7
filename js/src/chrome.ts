/** Our own words around the server's: who asks, and because of what. */

import { focusable, freshId, make } from './dom';
import { CAPS, plain, shown, shownLines } from './text';
import type { Asker, Card, Cause, Origin } from './wire';

export function heading(asker: Asker, id: string, origin: Origin | null = null, level = 4): HTMLElement {
  const who = asker.kind === 'server' ? make('strong', {}, shown(asker.name, CAPS.name)) : ownName(asker, origin);
  const line = make('div', { id, class: 'jme-heading', role: 'heading', 'aria-level': String(level) }, who, ' asks');
  const second: Node[] = [];
  if (asker.transport !== '') second.push(make('span', {}, shown(asker.transport)));
  if (asker.kind === 'server') {
    if (asker.callsItself !== '') second.push(quoted('calls itself', asker.callsItself));
  } else if (asker.name !== '' && asker.name !== ownName(asker, null)) {
    second.push(quoted('as', asker.name));
  }
  const head = make('div', { class: 'jme-head' }, line);
  if (second.length > 0) head.append(make('div', { class: 'jme-second' }, ...second));
  return head;
}

/** Which call the question belongs to, as far as anybody can know; `null` when there is nothing to say. */
export function causeLine(cause: Cause, asker: Asker): HTMLElement | null {
  if (cause.certainty === 'none' || cause.tool === '') {
    if (asker.kind !== 'server') return null;
    return make('div', { class: 'jme-cause jme-unasked' }, 'not caused by anything you ran');
  }
  const tool = make('code', {}, shown(cause.tool, CAPS.name));
  const words: (Node | string)[] =
    cause.certainty === 'caused' ? ['while running ', tool] : ['while ', tool, ' was running'];
  const place = placeWords(cause);
  if (place !== '') words.push(` · ${place}`);
  if (cause.arguments === '' || cause.arguments === '{}') return make('div', { class: 'jme-cause' }, ...words);
  return make(
    'details',
    { class: 'jme-cause' },
    focusable(make('summary', {}, ...words, ' with these arguments')),
    // As it came: parsed and laid out anew, long numbers would be other numbers.
    focusable(make('pre', { class: 'jme-arguments', dir: 'ltr' }, shownLines(cause.arguments, CAPS.message)))
  );
}

/** Which of the questions of one call this is, where there are several. */
export function placeWords(cause: Cause): string {
  const parts: string[] = [];
  if (cause.of > 1) parts.push(`question ${String(cause.number)} of ${String(cause.of)}`);
  if (cause.round > 1) parts.push(`round ${String(cause.round)}`);
  return parts.join(', ');
}

/** What is said above the questions of one round. */
export function roundWords({ asker, cause, origin }: Card): string[] {
  const count = String(cause.of);
  return [`${askerName(asker, origin)} asks ${count} questions at once. The call goes on when all ${count} are answered.`];
}

/** The bordered box: all that is the server's own text stands inside. */
export function serverBox(card: Card, ...content: readonly Node[]): HTMLElement {
  const id = freshId();
  const words: (Node | string)[] =
    card.asker.kind === 'server'
      ? ['Text from server ', shown(card.asker.name, CAPS.name)]
      : [`Text from ${ours(card)}`];
  const caption = make('div', { id, class: 'jme-caption' }, ...words);
  return make('div', { class: 'jme-server', role: 'group', 'aria-labelledby': id }, caption, focusable(make('div', { class: 'jme-scroll' }, ...content)));
}

function quoted(words: string, name: string): HTMLElement {
  return make('span', {}, `${words} “`, shown(name, CAPS.name), '”');
}

function ownName(asker: Asker, origin: Origin | null): string {
  if (asker.kind !== 'notebook') return 'Jupyter';
  return origin?.kind === 'agent' ? `Agent ${plain(origin.id, CAPS.name)}` : 'This notebook';
}

function ours({ asker, origin }: Card): string {
  if (asker.kind !== 'notebook') return 'Jupyter';
  return origin?.kind === 'agent' ? 'this agent' : 'this notebook';
}

/** The name that a record starts with. */
export function askerName(asker: Asker, origin: Origin | null = null): string {
  return asker.kind === 'server' ? plain(asker.name, CAPS.name) : ownName(asker, origin);
}
