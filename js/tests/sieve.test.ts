/** A form of very many fields, in which one is found by its name. */

import { expect, test } from 'vitest';

import { Finder } from '../src/controls/find';
import { asking, field } from './cards';
import { settle, stage, type, withFakeTime } from './stage';
import type { Stage } from './stage';

withFakeTime();

const FIELDS = Array.from({ length: 31 }, (_, at) => field(`f${String(at)}`, 'string', { label: at === 7 ? 'Straße der Élève' : `Field ${String(at)}` }));

function seen(on: Stage): number {
  return on.all('.jme-field').filter(node => !node.hidden).length;
}

test('fields step aside that do not match, accents and case apart, and what was typed is still sent', async () => {
  const on = stage(asking(FIELDS));
  type(on.control('Field 3'), 'typed');
  type(on.control('Find a field'), 'ELEVE');
  expect(seen(on)).toBe(1);
  expect(on.all('.jme-find [role=status]')[0]?.textContent).toBe('1 of 31 fields');
  on.button('Submit').click();
  await settle();
  expect(on.sent[0]?.draft.find(([name]) => name === 'f3')).toEqual(['f3', 'typed']);
});

test('a field that needs another look comes back in sight', async () => {
  const reply = { kind: 'problems', message: '', problems: [['f3', 'This needs an answer.']] } as const;
  const on = stage(asking(FIELDS), { reply: () => reply });
  type(on.control('Find a field'), 'no such field');
  expect(seen(on)).toBe(0);
  on.button('Submit').click();
  await settle();
  expect(seen(on)).toBe(31);
  expect(document.activeElement).toBe(on.control('Field 3'));
});

test('looking for a field is no answer: there is nothing to discard', () => {
  const on = stage(asking(FIELDS));
  type(on.control('Find a field'), 'x');
  expect(on.drafts).toEqual([]);
});

test('thirty fields need no finding', () => {
  expect(stage(asking(FIELDS.slice(0, 30))).all('.jme-find')).toEqual([]);
});

test('an option is found by its label and by the value beside it', () => {
  const finder = new Finder([
    { key: '0', label: 'Zürich', value: '' },
    { key: '1', label: 'Bern', value: 'zurich-2' }
  ]);
  const keys = (query: string): string[] => finder.find(query, 9).options.map(option => option.key);
  expect([keys('ZUR'), keys('2 bern'), keys('x'), keys(' ')]).toEqual([['0', '1'], ['1'], [], ['0', '1']]);
  expect(finder.find('', 1)).toMatchObject({ total: 2, options: [{ key: '0' }] });
});
