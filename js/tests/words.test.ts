/** Our own words in another language. What JupyterLab's own bundles do with them is tried in the browser tests. */

import { afterEach, expect, test } from 'vitest';

import { record } from '../src/record';
import { plainWords, speak, trans, woven } from '../src/words';
import type { Words } from '../src/words';
import { asking, ended, field, flowing, options, urlCard } from './cards';
import { settle, stage, withFakeTime } from './stage';

withFakeTime();
afterEach(() => {
  speak(plainWords);
});

/** As JupyterLab's bundles treat a text: holes are filled, and two percent signs are one. */
function format(text: string, args: readonly (string | number)[]): string {
  return text.replace(/%%/g, '%% ').replace(/%(\d+)/g, (_, at: string) => String(args[Number(at) - 1])).replace(/%% /g, '%');
}

function bundle(texts: Readonly<Record<string, string>>): Words {
  return {
    __: (text, ...args) => format(texts[text] ?? text, args),
    _n: (one, many, n, ...args) => format(texts[n === 1 ? one : many] ?? (n === 1 ? one : many), [String(n), ...args])
  };
}

const GERMAN = bundle({
  Submit: 'Senden',
  Decline: 'Ablehnen',
  Cancel: 'Abbrechen',
  Yes: 'Ja',
  'Not set': 'Offen',
  required: 'nötig',
  '%1 asks': 'Es fragt %1',
  'while running %1': 'bei %1',
  'with these arguments': 'mit diesen Angaben',
  'One answer needs another look: %2.': 'Eine Antwort noch einmal ansehen: %2.',
  '%1 asked during %2': '%1 fragte bei %2',
  accepted: 'zugesagt',
  'answered here': 'hier beantwortet',
  'Open %1': '%1 öffnen',
  'Opened %1': '%1 geöffnet',
  'I am done': 'Fertig',
  waiting: 'es wird gewartet',
  '%1 left': 'noch %1'
});

test('a form speaks the language of its page, and leaves the server its own', async () => {
  speak(GERMAN);
  const fields = [field('sure', 'boolean'), field('pick', 'choice', { required: true, options: options('Submit', 'b') })];
  const reply = { kind: 'problems', message: '', problems: [['pick', 'Choose one.']] } as const;
  const on = stage(asking(fields), { reply: () => reply });
  expect(on.all('.jme-bar button').map(node => node.textContent)).toEqual(['Senden', 'Ablehnen', 'Abbrechen']);
  expect(on.all('.jme-heading')[0]?.textContent).toBe('Es fragt bistro');
  expect(on.all('summary')[0]?.textContent).toBe('bei book_table mit diesen Angaben');
  expect(on.all('.jme-option').map(node => node.textContent)).toEqual(['Ja', 'No', 'Offen', 'Submit', 'b']);
  expect(on.all('.jme-time')[0]?.textContent).toMatch(/^noch \d+:\d\d$/);
  on.button('Senden').click();
  await settle();
  expect(on.all('.jme-summary')[0]?.textContent).toBe('Eine Antwort noch einmal ansehen: pick.');
});

test('an address and the records speak it too', () => {
  speak(GERMAN);
  const card = urlCard();
  expect(stage(card).all('a')[0]?.textContent).toBe('example.org öffnen');
  const waiting = stage(flowing(card, 'opened'));
  expect(waiting.all('.jme-waiting')[0]?.textContent).toBe('example.org geöffnet · es wird gewartet');
  expect(waiting.text()).toContain('press “Fertig”');
  expect(record(ended(asking([]), 'accepted'), 'here').textContent).toMatch(/^bistro fragte bei book_tablezugesagt\d\d:\d\dhier beantwortet$/);
});

test('a bundle never reads what the server wrote as a text of its own', () => {
  speak(GERMAN);
  expect(trans.__('%1 asked during %2', '100%% %2', '%1')).toBe('100%% %2 fragte bei %1');
  expect(trans._n('One answer needs another look: %2.', '%1 answers need another look: %2.', 2, '%1')).toBe(
    '2 answers need another look: %1.'
  );
});

test('elements stand where the sentence has its holes, in whichever order', () => {
  const node = document.createElement('b');
  expect(woven('%2 of %1', 'x', node)).toEqual([node, ' of ', 'x']);
});
