/** What was tolerated in the server's schema, folded away. */

import { focusable, make } from './dom';
import { CAPS, plain } from './text';
import { trans } from './words';

export function notesLine(notes: readonly string[]): HTMLElement[] {
  if (notes.length === 0) return [];
  const words = trans._n('A note on this form', '%1 notes on this form', notes.length);
  const items = notes.map(note => make('li', {}, plain(note, CAPS.help)));
  return [make('details', { class: 'jme-notes' }, focusable(make('summary', {}, words)), make('ul', {}, ...items))];
}
