/** What stands above the buttons when answers were refused: how many, and which. */

import { make } from './dom';
import type { Fields } from './fields';
import { CAPS, plain } from './text';
import type { Problems } from './wire';

const NAMED = 5;

export class Summary {
  readonly node = make('div', { class: 'jme-summary', role: 'alert' });

  /** Puts the sentences at their fields too, and moves focus to the first. */
  show(fields: Fields, problems: Problems, message: string): void {
    const titles = fields.show(problems);
    const known = fields.names();
    const others = problems.filter(([name]) => !known.has(name)).map(([, sentence]) => sentence);
    if (titles.length === 0 && others.length === 0) others.push(message === '' ? 'The answer was refused.' : message);
    const sentences = others.map(sentence => plain(sentence, CAPS.help));
    this.node.textContent = [...count(titles), ...sentences].join(' ');
  }

  clear(): void {
    this.node.textContent = '';
  }
}

function count(titles: readonly string[]): string[] {
  if (titles.length === 0) return [];
  const verb = titles.length === 1 ? 'One answer needs' : `${titles.length} answers need`;
  const more = titles.length > NAMED ? ', …' : '';
  return [`${verb} another look: ${titles.slice(0, NAMED).join(', ')}${more}.`];
}
