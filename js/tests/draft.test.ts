import { afterEach, expect, test } from 'vitest';

import { DraftMemory, sameDraft } from '../src/draft';
import { asking, field } from './cards';

const card = asking([field('__proto__', 'string'), field('token', 'string', { sensitive: true })]);

afterEach(() => {
  sessionStorage.clear();
});

test('a draft outlives its memory by the storage of the page, without its secrets', () => {
  new DraftMemory(sessionStorage).keep(card, [
    ['__proto__', 'Ada'],
    ['token', 'CANARY']
  ]);
  expect(new DraftMemory(sessionStorage).recall(card)).toEqual([['__proto__', 'Ada']]);
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('CANARY');
});

test('a storage that is full, closed or holds nonsense is no obstacle', () => {
  const refusing = new Proxy(sessionStorage, {
    get: () => () => {
      throw new DOMException('no', 'QuotaExceededError');
    }
  });
  const memory = new DraftMemory(refusing);
  memory.keep(card, [['__proto__', 'Ada']]);
  expect(memory.recall(card)).toEqual([['__proto__', 'Ada']]);
  memory.forget(card.id);
  expect(memory.recall(card)).toBeNull();
  sessionStorage.setItem(`jupyter-mcp-elicit:${card.id}`, '{"a":1}');
  expect(new DraftMemory(sessionStorage).recall(card)).toBeNull();
});

test('drafts are alike when each value is, lists by their members', () => {
  expect(sameDraft([['a', ['1']]], [['a', ['1']]])).toBe(true);
  expect(sameDraft([['a', ['1']]], [['a', ['1', '2']]])).toBe(false);
  expect(sameDraft([['a', []]], [['a', null]])).toBe(false);
  expect(sameDraft([['a', '']], [['a', null]])).toBe(false);
});
