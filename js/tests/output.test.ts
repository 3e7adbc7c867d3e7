import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { DraftMemory } from '../src/draft';
import { Output } from '../src/output';
import type { Ask } from '../src/server';
import { CardStore } from '../src/store';
import { cardJson, field } from './cards';
import { type } from './stage';

const ID = 'aaaaaaaaaaaaaaaaaaaaaa';
const pending = cardJson({ fields: [field('name', 'string')], draft: [['name', null]] });

let output: Output | undefined;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  output?.dispose();
  vi.useRealTimers();
  document.body.replaceChildren();
});

function open(ask: Ask): { output: Output; store: CardStore; text: () => string } {
  const store = new CardStore(ask);
  const host = { trusted: () => true, now: () => performance.now(), drafts: new DraftMemory(null) };
  const shown = new Output(ask, store, host);
  output = shown;
  document.body.append(shown.node);
  return { output: shown, store, text: () => shown.node.textContent ?? '' };
}

const replying =
  (status: number, body: unknown): Ask =>
  () =>
    Promise.resolve(new Response(JSON.stringify(body), { status }));

test('an output shows the question as the server knows it, whatever the notebook file says', async () => {
  const { output, text } = open(replying(200, pending));
  await output.show({ id: ID, message: 'FORGED', state: 'accepted', asker: { name: 'FORGED' } });
  expect(text()).toContain('bistro asks');
  expect(text()).not.toContain('FORGED');
});

test('an output whose question the server does not know is inert', async () => {
  const { output, text } = open(replying(404, {}));
  await output.show({ id: ID });
  expect(text()).toBe('This question is no longer known to the server.');
  expect(output.node.querySelector('button, input')).toBeNull();
});

test('an output that the server has forgotten says what the notebook file kept of it, as text', async () => {
  const { output, text } = open(replying(404, {}));
  await output.show({ id: ID }, 'bistro asked · taken back <b>\u202e');
  expect(text()).toContain('bistro asked · taken back <b>');
  expect(text()).not.toContain('\u202e');
  expect(text()).toContain('no longer known to the server');
  expect(output.node.querySelector('button, input, b')).toBeNull();
});

test.each([[null], ['text'], [{}], [{ id: 3 }], [{ id: '' }]])('an output that holds %o names no question', async data => {
  const { output, text } = open(replying(200, pending));
  await output.show(data);
  expect(text()).toBe('This output names no question.');
});

test('drawn again, an output keeps its view and what is typed in it', async () => {
  const { output } = open(replying(200, pending));
  await output.show({ id: ID });
  const box = output.node.querySelector('input');
  if (box === null) throw new Error('no box');
  type(box, 'Ada');
  await output.show({ id: ID });
  expect(output.node.querySelector('input')).toBe(box);
  expect(box.value).toBe('Ada');
});

test('a change that the socket tells of is drawn', async () => {
  const { output, store, text } = open(replying(200, pending));
  await output.show({ id: ID });
  const outcome = { action: 'decline', channel: 'api', by: 'ada', at: '2026-12-01T09:31:00Z' };
  store.receive({ type: 'card', card: { ...pending, state: 'declined', outcome } });
  expect(text()).toContain('declined');
  expect(text()).toContain('answered through the API by ada');
});

test('a server that does not answer is asked again', async () => {
  let up = false;
  const { output, text } = open((path, init) =>
    up ? replying(200, pending)(path, init) : Promise.reject(new TypeError('network'))
  );
  await output.show({ id: ID });
  expect(text()).toContain('does not answer');
  up = true;
  await vi.advanceTimersByTimeAsync(3500);
  expect(text()).toContain('bistro asks');
});

test('a server that refuses is not asked again', async () => {
  let asked = 0;
  const { output, text } = open((path, init) => {
    asked += 1;
    return replying(403, {})(path, init);
  });
  await output.show({ id: ID });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(text()).toBe('The Jupyter server refuses to show this question (403).');
  expect(asked).toBe(1);
});

test('a card that this page cannot read is said to be so, once, and answered by nobody', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const asked: string[] = [];
  const { output, text } = open((path, init) => {
    asked.push(`${init.method ?? ''} ${path}`);
    return replying(200, { ...pending, mode: 'voice' })(path, init);
  });
  await output.show({ id: ID });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(text()).toContain('cannot show');
  expect(asked).toEqual([`GET elicitations/${ID}`]);
  expect(error).toHaveBeenCalledOnce();
});

test('a disposed output hears nothing more', async () => {
  const { output, store } = open(replying(200, pending));
  await output.show({ id: ID });
  output.dispose();
  store.receive({ type: 'card', card: pending });
  expect(output.node.querySelector('.jme-live')).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});
