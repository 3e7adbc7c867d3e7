/** What would be sent, in sight before it is sent. */

import { describe, expect, test } from 'vitest';

import type { PreviewResult } from '../src/port';
import { ServerPort } from '../src/server';
import { asking, ended, field } from './cards';
import { press, settle, stage, type, withFakeTime } from './stage';
import type { Stage, StageOptions } from './stage';

withFakeTime();

const CARD = asking([field('name', 'string'), field('party', 'integer')]);
const CONTENT = '{\n  "party": 9007199254740993\n}';

function previewing(more: StageOptions = {}, result: PreviewResult = { kind: 'preview', content: CONTENT }): Stage {
  return stage(CARD, { previewed: () => result, ...more });
}

function sight(on: Stage): string | null {
  return on.all('.jme-preview:not([hidden]) pre')[0]?.textContent ?? null;
}

describe('the button', () => {
  test('shows what the server made of the draft, to the letter, and sends nothing', async () => {
    const on = previewing();
    on.button('Preview').click();
    await settle();
    expect(sight(on)).toBe(CONTENT);
    expect(on.text()).toContain('Nothing is sent yet.');
    expect(on.sent).toEqual([]);
    on.button('Submit').click();
    await settle();
    expect(on.sent.map(each => each.action)).toEqual(['accept']);
  });

  test('is not there where nobody could tell, nor for a form without fields', () => {
    expect(stage(CARD).text()).not.toContain('Preview');
    expect(stage(asking([]), { previewed: () => ({ kind: 'preview', content: '{}' }) }).text()).not.toContain('Preview');
  });

  test('a key in the form takes the picture away: it would be of something else', async () => {
    const on = previewing();
    on.button('Preview').click();
    await settle();
    type(on.control('name'), 'Ada');
    expect(sight(on)).toBe(null);
    expect(on.text()).not.toContain('Nothing is sent yet.');
  });

  test('what is typed while the server reads is no part of the picture, so there is none', async () => {
    let answer: (result: PreviewResult) => void = () => undefined;
    const on = previewing({ previewed: () => new Promise(resolve => (answer = resolve)) });
    on.button('Preview').click();
    type(on.control('name'), 'Ada');
    answer({ kind: 'preview', content: CONTENT });
    await settle();
    expect(sight(on)).toBe(null);
    on.button('Submit').click();
    await settle();
    expect(on.sent).toHaveLength(1);
  });

  test('what does not fit is said at its field, as when it is sent', async () => {
    const on = previewing({}, { kind: 'problems', message: '', problems: [['party', 'Use a point: 1.5.']] });
    on.button('Preview').click();
    await settle();
    expect(sight(on)).toBe(null);
    expect(on.control('party').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(on.control('party'));
  });

  test('a question that is over meanwhile says so', async () => {
    const on = previewing({}, { kind: 'late', message: '', card: ended(CARD, 'declined') });
    on.button('Preview').click();
    await settle();
    expect(on.text()).toContain('declined');
    expect(on.all('form')).toEqual([]);
  });

  test('a script cannot press it', async () => {
    let asked = 0;
    const on = previewing({ trusted: () => false, previewed: () => ((asked += 1), { kind: 'preview', content: CONTENT }) });
    on.button('Preview').click();
    await settle();
    expect(asked).toBe(0);
  });
});

describe('reviewing always', () => {
  test('the first press shows, the second sends, and the keyboard is no way around', async () => {
    const on = previewing({ review: true });
    press(on.control('name'), 'Enter', { ctrlKey: true });
    await settle();
    expect(on.sent).toEqual([]);
    expect(sight(on)).toBe(CONTENT);
    expect(on.text()).toContain('Look at what would be sent, then press “Submit” again.');
    press(on.control('name'), 'Enter', { ctrlKey: true });
    await settle();
    expect(on.sent).toHaveLength(1);
  });

  test('what was changed is shown anew', async () => {
    const on = previewing({ review: true });
    on.button('Submit').click();
    await settle();
    type(on.control('name'), 'Ada');
    on.button('Submit').click();
    await settle();
    expect(on.sent).toEqual([]);
    expect(sight(on)).toBe(CONTENT);
  });

  test('declining needs no look', async () => {
    const on = previewing({ review: true });
    on.button('Decline').click();
    await settle();
    expect(on.sent.map(each => each.action)).toEqual(['decline']);
  });
});

test('fields for secrets are said to be covered', async () => {
  const on = stage(asking([field('password', 'string', { sensitive: true })]), {
    previewed: () => ({ kind: 'preview', content: '{}' })
  });
  on.button('Preview').click();
  await settle();
  expect(on.all('.jme-preview')[0]?.textContent).toContain('covered');
});

test('the server is asked with the draft, and its reply is read or is a failure', async () => {
  const asked: [string, unknown][] = [];
  const replies = [new Response(JSON.stringify({ content: '{}' })), new Response('oops', { status: 500 }), new Response('{}')];
  const port = new ServerPort(async (path, init) => {
    asked.push([path, JSON.parse(String(init.body))]);
    return replies.shift() ?? Promise.reject(new Error('gone'));
  }, 'a');
  expect(await port.preview([['name', 'Ada']])).toEqual({ kind: 'preview', content: '{}' });
  expect(asked).toEqual([['elicitations/a/preview', { draft: [['name', 'Ada']] }]]);
  for (let left = 3; left > 0; left -= 1) expect((await port.preview([])).kind).toBe('failed');
});
