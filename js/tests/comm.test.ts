import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { CommPort } from '../src/comm';
import type { Model } from '../src/comm';
import { cardJson, urlJson } from './cards';

type Json = Readonly<Record<string, unknown>>;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function port(send: (content: object) => void): CommPort {
  const model: Model = { get: () => undefined, on: () => undefined, off: () => undefined, send };
  return new CommPort(model);
}

test('an answer by comm is settled by the result with its id, and by no other', async () => {
  const said: Json[] = [];
  const comm = port(content => said.push(content as Json));
  const answer = comm.answer('accept', [['a', '1']]);
  const id = said[0]?.['answerId'];
  expect(said).toEqual([{ type: 'answer', action: 'accept', draft: [['a', '1']], answerId: id }]);
  comm.receive({ type: 'result', answerId: 'another', status: 422, problems: [] });
  comm.receive({ type: 'result', answerId: id, status: 410, message: 'Gone.', card: cardJson({ state: 'withdrawn' }) });
  expect(await answer).toMatchObject({ kind: 'gone', message: 'Gone.' });
});

test('a preview by comm answers nothing, and its reply leaves an answer under way its id', async () => {
  const said: Json[] = [];
  const comm = port(content => said.push(content as Json));
  const answer = comm.answer('accept', []);
  const preview = comm.preview([['a', '1']]);
  const id = said[1]?.['answerId'];
  expect(said[1]).toEqual({ type: 'preview', draft: [['a', '1']], answerId: id });
  comm.receive({ type: 'result', answerId: id, status: 200, content: '{"a": 1}' });
  expect(await preview).toEqual({ kind: 'preview', content: '{"a": 1}' });
  vi.advanceTimersByTime(15_000);
  await answer;
  void comm.answer('accept', []);
  expect(said[2]?.['answerId']).toBe(said[0]?.['answerId']);
});

test('more time is asked for by comm, and a kernel that hears nothing gives none', async () => {
  const said: Json[] = [];
  const comm = port(content => said.push(content as Json));
  const given = comm.more();
  comm.receive({ type: 'result', answerId: said[0]?.['answerId'], status: 200, card: cardJson({ secondsLeft: 900 }) });
  expect(await given).toMatchObject({ kind: 'taken', card: { secondsLeft: 900 } });
  const unheard = comm.more();
  vi.advanceTimersByTime(15_000);
  expect(await unheard).toMatchObject({ kind: 'failed', message: 'The kernel does not answer; it may be busy.' });
});

test('a decline by comm carries no draft', () => {
  const said: Json[] = [];
  void port(content => said.push(content as Json)).answer('decline', [['a', '1']]);
  expect(said[0]).not.toHaveProperty('draft');
});

test('a comm that is closed is a failure with words', async () => {
  const closed = port(() => {
    throw new Error('closed');
  });
  expect(await closed.answer('cancel', [])).toEqual({ kind: 'failed', message: 'The kernel could not be reached.' });
});

test('a kernel that hears nothing unlocks the form, and the answer sent again is the same one', async () => {
  const said: Json[] = [];
  const comm = port(content => said.push(content as Json));
  const first = comm.answer('accept', []);
  vi.advanceTimersByTime(15_000);
  expect(await first).toMatchObject({ kind: 'failed', message: 'The kernel does not answer; it may be busy.' });
  const second = comm.answer('accept', []);
  expect(said[1]?.['answerId']).toBe(said[0]?.['answerId']);
  comm.receive({ type: 'result', answerId: said[1]?.['answerId'], status: 200, card: cardJson() });
  expect(await second).toMatchObject({ kind: 'taken' });
});

test('consent and the end of a flow go by comm, and their results come back to them', async () => {
  const said: Json[] = [];
  const comm = port(content => said.push(content as Json));
  for (const [says, expected] of [
    [() => comm.consent(false), { type: 'answer', action: 'accept' }],
    [() => comm.consent(true), { type: 'answer', action: 'accept', confirmed: true }],
    [() => comm.flow('finish'), { type: 'flow', action: 'finish' }],
    [() => comm.flow('cancel'), { type: 'flow', action: 'cancel' }]
  ] as const) {
    const reply = says();
    const answerId = said.at(-1)?.['answerId'];
    expect(said.at(-1)).toEqual({ ...expected, answerId });
    comm.receive({ type: 'result', answerId, status: 200, card: urlJson({}, { state: 'accepted', flow: 'opened' }) });
    expect(await reply).toMatchObject({ kind: 'taken', card: { flow: 'opened' } });
  }
  expect(new Set(said.map(each => each['answerId'])).size).toBe(4);
});
