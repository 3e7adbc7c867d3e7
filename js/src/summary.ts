/** What stands above the buttons when answers were refused: how many, and which. */

import { make } from './dom';
import type { Fields } from './fields';
import { CAPS, plain } from './text';
import type { Problems } from './wire';
import { trans } from './words';

const NAMED = 5;

export class Summary {
  readonly node = make('div', { class: 'jme-summary', role: 'alert' });

  /** Puts the sentences at their fields too, and moves focus to the first. */
  show(fields: Fields, problems: Problems, message: string): void {
    const titles = fields.show(problems);
    const known = fields.names();
    const others = problems.filter(([name]) => !known.has(name)).map(([, sentence]) => sentence);
    if (titles.length === 0 && others.length === 0) others.push(message === '' ? trans.__('The answer was refused.') : message);
    const sentences = others.map(sentence => plain(sentence, CAPS.help));
    this.node.textContent = [...count(titles), ...sentences].join(' ');
  }

  clear(): void {
    this.node.textContent = '';
  }
}

function count(titles: readonly string[]): string[] {
  if (titles.length === 0) return [];
  const more = titles.length > NAMED ? ', …' : '';
  const named = `${titles.slice(0, NAMED).join(', ')}${more}`;
  return [trans._n('One answer needs another look: %2.', '%1 answers need another look: %2.', titles.length, named)];
}
