/** Our own words around the server's: who asks, and because of what. */

import { focusable, freshId, make } from './dom';
import { CAPS, plain, shown, shownLines } from './text';
import type { Asker, Card, Cause, Origin } from './wire';
import { trans, woven } from './words';

/** As Python names them: no news beside our own words for the same. */
const OWN_NAMES: ReadonlySet<string> = new Set(['This notebook', 'Jupyter']);

export function heading(asker: Asker, id: string, origin: Origin | null = null, level?: number): HTMLElement {
  const who = asker.kind === 'server' ? make('strong', {}, shown(asker.name, CAPS.name)) : ownName(asker, origin);
  const outline = level === undefined ? {} : { role: 'heading', 'aria-level': String(level) };
  const line = make('div', { id, class: 'jme-heading', ...outline }, ...woven(trans.__('%1 asks', '%1'), who));
  const second: Node[] = [];
  if (asker.transport !== '') second.push(make('span', {}, shown(asker.transport)));
  if (asker.kind === 'server') {
    if (asker.callsItself !== '') second.push(quoted(trans.__('calls itself “%1”', '%1'), asker.callsItself));
  } else if (asker.name !== '' && !OWN_NAMES.has(asker.name)) {
    second.push(quoted(trans.__('as “%1”', '%1'), asker.name));
  }
  const head = make('div', { class: 'jme-head' }, line);
  if (second.length > 0) head.append(make('div', { class: 'jme-second' }, ...second));
  return head;
}

/** Which call the question belongs to, as far as anybody can know; `null` when there is nothing to say. */
export function causeLine(cause: Cause, asker: Asker): HTMLElement | null {
  if (cause.certainty === 'none' || cause.tool === '') {
    if (asker.kind !== 'server') return null;
    return make('div', { class: 'jme-cause jme-unasked' }, trans.__('not caused by anything you ran'));
  }
  const tool = make('code', {}, shown(cause.tool, CAPS.name));
  const sentence = cause.certainty === 'caused' ? trans.__('while running %1', '%1') : trans.__('while %1 was running', '%1');
  const place = placeWords(cause);
  const words = [...woven(sentence, tool), ...(place === '' ? [] : [` · ${place}`])];
  if (cause.arguments === '' || cause.arguments === '{}') return make('div', { class: 'jme-cause' }, ...words);
  return make(
    'details',
    { class: 'jme-cause' },
    focusable(make('summary', {}, ...words, ' ', trans.__('with these arguments'))),
    // As it came: parsed and laid out anew, long numbers would be other numbers.
    focusable(make('pre', { class: 'jme-arguments', dir: 'ltr' }, shownLines(cause.arguments, CAPS.message)))
  );
}

/** Which of the questions of one call this is, where there are several. */
export function placeWords(cause: Cause): string {
  const parts: string[] = [];
  if (cause.of > 1) parts.push(trans.__('question %1 of %2', String(cause.number), String(cause.of)));
  if (cause.round > 1) parts.push(trans.__('round %1', String(cause.round)));
  return parts.join(', ');
}

/** What is said above the questions of one round. */
export function roundWords({ asker, cause, origin }: Card): string[] {
  const count = String(cause.of);
  return [trans.__('%1 asks %2 questions at once. The call goes on when all %2 are answered.', askerName(asker, origin), count)];
}

/** The bordered box: all that is the server's own text stands inside. */
export function serverBox(card: Card, ...content: readonly Node[]): HTMLElement {
  const id = freshId();
  const words: (Node | string)[] =
    card.asker.kind === 'server'
      ? woven(trans.__('Text from server %1', '%1'), shown(card.asker.name, CAPS.name))
      : [ours(card)];
  const caption = make('div', { id, class: 'jme-caption' }, ...words);
  return make('div', { class: 'jme-server', role: 'group', 'aria-labelledby': id }, caption, focusable(make('div', { class: 'jme-scroll' }, ...content)));
}

function quoted(sentence: string, name: string): HTMLElement {
  return make('span', {}, ...woven(sentence, shown(name, CAPS.name)));
}

function ownName(asker: Asker, origin: Origin | null): string {
  if (asker.kind !== 'notebook') return 'Jupyter';
  return origin?.kind === 'agent' ? trans.__('Agent %1', plain(origin.id, CAPS.name)) : trans.__('This notebook');
}

function ours({ asker, origin }: Card): string {
  if (asker.kind !== 'notebook') return trans.__('Text from Jupyter');
  return origin?.kind === 'agent' ? trans.__('Text from this agent') : trans.__('Text from this notebook');
}

/** The name that a record starts with. */
export function askerName(asker: Asker, origin: Origin | null = null): string {
  return asker.kind === 'server' ? plain(asker.name, CAPS.name) : ownName(asker, origin);
}
