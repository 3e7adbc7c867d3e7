import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { AnswerResult } from '../src/port';
import { getCard, pageAsk, ServerPort } from '../src/server';
import type { Ask } from '../src/server';
import type { Card } from '../src/wire';
import { cardJson } from './cards';

interface Request {
  readonly path: string;
  readonly method: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly keepalive: boolean;
}

/** A server that gives the replies in turn, the last one for ever; `null`: it cannot be reached. */
function server(...replies: readonly (readonly [number, unknown] | null)[]): { ask: Ask; heard: Request[] } {
  const heard: Request[] = [];
  const ask: Ask = (path, init) => {
    heard.push({ path, method: init.method ?? 'GET', body: JSON.parse(String(init.body ?? 'null')), keepalive: init.keepalive === true });
    const reply = replies[Math.min(heard.length, replies.length) - 1] ?? null;
    if (reply === null) return Promise.reject(new TypeError('network'));
    return Promise.resolve(new Response(JSON.stringify(reply[1]), { status: reply[0] }));
  };
  return { ask, heard };
}

const over = cardJson({ state: 'accepted', outcome: { action: 'accept', channel: 'page' } });

test('an accept carries the draft as pairs, a decline carries none', async () => {
  const { ask, heard } = server([200, { card: over }]);
  const port = new ServerPort(ask, 'a/b');
  await port.answer('accept', [['__proto__', '4']]);
  await port.answer('decline', [['__proto__', '4']]);
  expect(heard.map(each => [each.method, each.path])).toEqual(Array(2).fill(['POST', 'elicitations/a%2Fb/answer']));
  expect(heard[0]?.body).toMatchObject({ action: 'accept', draft: [['__proto__', '4']] });
  expect(heard[1]?.body).not.toHaveProperty('draft');
});

test('the same answer sent again after a lost reply has the same id, another answer has another', async () => {
  const { ask, heard } = server(null, [500, {}], [200, { card: over }]);
  const port = new ServerPort(ask, 'x');
  for (let at = 0; at < 3; at += 1) await port.answer('accept', [['a', '1']]);
  await port.answer('accept', [['a', '2']]);
  const [first, second, third, fourth] = heard.map(each => each.body['answerId']);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([second, third]).toEqual([first, first]);
  expect(fourth).not.toBe(first);
});

test('a consent leaves within the click and outlives the page; only a second confirmation is mentioned', async () => {
  const { ask, heard } = server([200, { card: over }]);
  const port = new ServerPort(ask, 'x');
  const reply = port.consent(false);
  expect(heard).toHaveLength(1);
  await reply;
  await port.consent(true);
  expect(heard.map(each => [each.method, each.path, each.keepalive])).toEqual(Array(2).fill(['POST', 'elicitations/x/answer', true]));
  expect(Object.keys(heard[0]?.body ?? {}).sort()).toEqual(['action', 'answerId']);
  expect(heard[1]?.body).toMatchObject({ action: 'accept', confirmed: true });
});

test('a consent told again after a lost reply is the same one', async () => {
  const { ask, heard } = server(null, [200, { card: over }]);
  const port = new ServerPort(ask, 'x');
  expect(await port.consent(false)).toMatchObject({ kind: 'failed' });
  await port.consent(false);
  expect(heard[1]?.body['answerId']).toBe(heard[0]?.body['answerId']);
});

test('what becomes of an opened page goes to its own route', async () => {
  const { ask, heard } = server([200, { card: over }], [410, { message: 'm', card: over }]);
  const port = new ServerPort(ask, 'x');
  expect((await port.flow('finish')).kind).toBe('taken');
  expect((await port.flow('cancel')).kind).toBe('gone');
  expect(heard.map(each => [each.path, each.body])).toEqual([
    ['elicitations/x/flow', { action: 'finish' }],
    ['elicitations/x/flow', { action: 'cancel' }]
  ]);
});

test.each<[number, unknown, AnswerResult['kind']]>([
  [200, { card: over }, 'taken'],
  [422, { message: 'm', problems: [['a', 'b']] }, 'problems'],
  [409, { message: 'm', card: over }, 'late'],
  [410, { message: 'm', card: cardJson({ state: 'expired' }) }, 'gone'],
  [404, { message: 'No such question.' }, 'failed'],
  [403, { message: 'm' }, 'failed'],
  [200, { card: 'nonsense' }, 'failed']
])('a reply of %i is read as what it means', async (status, body, kind) => {
  const told: Card[] = [];
  const { ask } = server([status, body]);
  const result = await new ServerPort(ask, 'x', card => told.push(card)).answer('accept', []);
  expect(result.kind).toBe(kind);
  expect(told).toHaveLength('card' in result ? 1 : 0);
});

test('a server that cannot be reached is a failure with words, not a rejection', async () => {
  const result = await new ServerPort(server(null).ask, 'x').answer('cancel', []);
  expect(result).toEqual({ kind: 'failed', message: 'The Jupyter server could not be reached.' });
});

test('a question that the server does not know has no card', async () => {
  expect(await getCard(server([404, {}]).ask, 'x')).toBeNull();
  expect((await getCard(server([200, over]).ask, 'x'))?.state).toBe('accepted');
  await expect(getCard(server([500, {}]).ask, 'x')).rejects.toThrow('500');
});

test('telling that the form was painted may fail in silence', async () => {
  const told: Card[] = [];
  new ServerPort(server(null).ask, 'x').shown();
  new ServerPort(server([200, { card: cardJson({ state: 'shown' }) }]).ask, 'x', card => told.push(card)).shown();
  await vi.waitFor(() => {
    expect(told.map(card => card.state)).toEqual(['shown']);
  });
});

const asked = vi.fn<typeof fetch>();

beforeEach(() => {
  asked.mockResolvedValue(new Response('{}'));
  vi.stubGlobal('fetch', asked);
});

afterEach(() => {
  vi.unstubAllGlobals();
  asked.mockReset();
  document.body.replaceChildren();
  document.cookie = '_xsrf=; Max-Age=0';
});

function configure(data: unknown): void {
  const script = document.createElement('script');
  script.id = 'jupyter-config-data';
  script.type = 'application/json';
  script.textContent = typeof data === 'string' ? data : JSON.stringify(data);
  document.body.append(script);
}

test('a page of a Jupyter server asks below its base URL with the XSRF header', async () => {
  configure({ baseUrl: '/a%40b/', token: '' });
  document.cookie = '_xsrf=2|abc=|d';
  await pageAsk()?.('elicitations/x', { method: 'POST', body: '{}' });
  const [url, init] = asked.mock.calls[0] ?? [];
  expect(String(url)).toBe(`${location.origin}/a%40b/mcp-elicit/elicitations/x`);
  expect(new Headers(init?.headers).get('X-XSRFToken')).toBe('2|abc=|d');
  expect(new Headers(init?.headers).has('Authorization')).toBe(false);
  expect(init?.credentials).toBe('same-origin');
});

test('the token of the page goes with its requests', async () => {
  configure({ baseUrl: '/', token: 'secret' });
  await pageAsk()?.('elicitations/x', { method: 'GET' });
  expect(new Headers(asked.mock.calls[0]?.[1]?.headers).get('Authorization')).toBe('token secret');
});

test('another page has no server of ours, nor has one that names another origin', () => {
  expect(pageAsk()).toBeNull();
  configure({ baseUrl: 'https://evil.example/', token: 'secret' });
  expect(pageAsk()).toBeNull();
  document.body.replaceChildren();
  configure('not json');
  expect(pageAsk()).toBeNull();
});
