import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { DraftMemory } from '../src/draft';
import { ElicitationView } from '../src/form';
import type { Host } from '../src/host';
import { Pending } from '../src/inbox/pending';
import { InboxView } from '../src/inbox/view';
import { plainWords } from '../src/words';
import { ServerPort } from '../src/server';
import type { Ask } from '../src/server';
import { CardStore } from '../src/store';
import { cardJson, field, urlJson } from './cards';
import { type } from './stage';

const at = (second: number): string => `2026-12-01T09:30:${String(second).padStart(2, '0')}Z`;
const question = (id: string, more = {}) =>
  cardJson({ id, message: `About ${id}?`, fields: [field('name', 'string')], draft: [['name', null]], ...more });
const over = (id: string, state = 'accepted') =>
  question(id, { state, outcome: { action: state === 'accepted' ? 'accept' : 'cancel', channel: 'page', delivery: 'done' } });

interface Room {
  readonly store: CardStore;
  readonly pending: Pending;
  readonly view: InboxView;
  readonly host: Host;
  readonly sent: string[];
  readonly went: string[];
  tell(...cards: object[]): void;
  entries(): string[];
}

const views: InboxView[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  // The test page does not scroll.
  HTMLElement.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  for (const view of views.splice(0)) view.dispose();
  vi.useRealTimers();
  document.body.replaceChildren();
});

function open(...cards: object[]): Room {
  const sent: string[] = [];
  const went: string[] = [];
  const ask: Ask = (path, init) => {
    if (typeof init.body === 'string') sent.push(path);
    const id = path.split('/')[1] ?? '';
    return Promise.resolve(new Response(JSON.stringify({ card: /(shown|typing)$/.test(path) ? question(id, { state: 'shown' }) : over(id) })));
  };
  const store = new CardStore(ask);
  const host: Host = {
    trusted: () => true,
    now: () => performance.now(),
    drafts: new DraftMemory(null),
    answering: new Set()
  };
  const pending = new Pending(store);
  const view = new InboxView({
    pending,
    store,
    ask,
    host,
    words: plainWords,
    place: card => ({ name: `${card.origin?.id ?? ''}.ipynb`, title: 'of this folder', open: true }),
    go: card => went.push(card.id),
    offer: () => null
  });
  views.push(view);
  document.body.append(view.node);
  view.visible = true;
  const tell = (...told: object[]): void => {
    for (const card of told) store.receive({ type: 'card', card });
  };
  tell(...cards);
  return {
    store,
    pending,
    view,
    host,
    sent,
    went,
    tell,
    entries: () => [...view.node.querySelectorAll('.jme-message')].map(node => node.textContent ?? '')
  };
}

async function press(room: Room, text: string, entry = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(700);
  const buttons = [...room.view.node.querySelectorAll('button')].filter(node => node.textContent === text);
  buttons[entry]?.focus();
  buttons[entry]?.click();
  await vi.advanceTimersByTimeAsync(10);
}

test('all that waits stands there once, oldest first, whoever asked', () => {
  const room = open(question('b', { created: at(2) }), question('a', { created: at(1) }), question('b', { state: 'shown', created: at(2) }));
  room.store.receive({ type: 'snapshot', elicitations: [question('b', { created: at(2) }), question('a', { created: at(1) })] });
  expect(room.entries()).toEqual(['About a?', 'About b?']);
  expect(room.view.node.querySelector('.jme-inbox-count')?.textContent).toBe('2');
});

test('what is over when it comes is nobody’s to answer, an opened page still is', () => {
  const room = open(over('a'), urlJson({}, { id: 'b', state: 'accepted', flow: 'opened', outcome: { action: 'accept' } }));
  expect(room.pending.cards.map(card => card.id)).toEqual(['b']);
});

test('an empty inbox says what would come', () => {
  const room = open();
  const empty = room.view.node.querySelector<HTMLElement>('.jme-inbox-empty');
  expect(empty?.hidden).toBe(false);
  expect(empty?.textContent).toContain('When an MCP server asks you something');
  room.tell(question('a'));
  expect(empty?.hidden).toBe(true);
});

test('behind another panel no form is made, so none says that it was shown', async () => {
  const room = open();
  room.view.visible = false;
  room.tell(question('a'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(room.entries()).toEqual([]);
  expect(room.sent).toEqual([]);
  room.view.visible = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect(room.sent).toEqual(['elicitations/a/shown']);
});

test('after an answer its record stays below, and the keyboard goes on with the next question', async () => {
  const room = open(question('a', { created: at(1) }), question('b', { created: at(2) }));
  await press(room, 'Submit');
  expect(room.entries()).toEqual(['About b?']);
  expect(room.view.node.querySelector('.jme-inbox-earlier')?.textContent).toContain('answered here');
  expect(document.activeElement?.textContent).toContain('About b?');
  await press(room, 'Decline');
  expect(document.activeElement?.className).toBe('jme-inbox-empty');
});

test('an answer elsewhere takes nobody’s focus', async () => {
  const room = open(question('a', { created: at(1) }), question('b', { created: at(2) }));
  await vi.advanceTimersByTimeAsync(700);
  const box = room.view.node.querySelectorAll('input')[1];
  box?.focus();
  room.tell(over('a'));
  await vi.advanceTimersByTimeAsync(10);
  expect(room.entries()).toEqual(['About b?']);
  expect(document.activeElement).toBe(box);
});

test('a form that ended while it was typed in stays until it is put away', async () => {
  const room = open(question('a'));
  const box = room.view.node.querySelector('input');
  if (box !== null) type(box, 'Ada');
  room.tell(over('a', 'withdrawn'));
  await vi.advanceTimersByTimeAsync(10);
  expect(room.entries()).toEqual(['About a?']);
  expect(room.view.node.textContent).toContain('Nothing was sent.');
  expect(room.pending.cards).toEqual([]);
  await press(room, 'Close');
  expect(room.entries()).toEqual([]);
});

test('few records are kept', async () => {
  const ids = Array.from({ length: 8 }, (_, each) => `q${each}`);
  const room = open(...ids.map(id => question(id)));
  room.tell(...ids.map(id => over(id)));
  await vi.advanceTimersByTimeAsync(10);
  expect(room.view.node.querySelectorAll('.jme-inbox-earlier li')).toHaveLength(5);
});

test('the name of the place leads there', async () => {
  const room = open(question('a'));
  await press(room, '7d1f.ipynb');
  expect(room.went).toEqual(['a']);
});

test('each question is told once as new, a queued one when its turn comes', () => {
  const store = new CardStore(() => Promise.reject(new TypeError('network')));
  const pending = new Pending(store);
  const told: string[] = [];
  pending.asked(card => told.push(card.id));
  const tell = (card: object): void => {
    store.receive({ type: 'card', card });
  };
  tell(question('a'));
  tell(question('b', { state: 'queued' }));
  tell(question('a', { state: 'shown' }));
  expect(told).toEqual(['a']);
  store.receive({ type: 'snapshot', elicitations: [question('a', { state: 'shown' }), question('b', { state: 'queued' })] });
  tell(question('b'));
  expect(told).toEqual(['a', 'b']);
  pending.dispose();
});

test('two forms of one question on a page hold the same, but for half a date and secrets', async () => {
  const secret = field('pin', 'string', { sensitive: true });
  const fields = [field('name', 'string'), field('day', 'date'), secret];
  const draft = fields.map(each => [each['name'], null]);
  const room = open(question('a', { fields, draft }));
  const card = room.pending.cards[0];
  if (card === undefined) throw new Error('no card');
  const beside = new ElicitationView({ card, host: room.host, port: new ServerPort(() => Promise.reject(new Error()), 'a') });
  const boxes = (node: HTMLElement): HTMLInputElement[] => [...node.querySelectorAll<HTMLInputElement>('input:not([type=checkbox])')];
  const here = boxes(room.view.node);
  const there = boxes(beside.node);
  for (const [at, text] of ['Ada', '2026-12-24', '1234'].entries()) {
    const box = here[at];
    if (box !== undefined) type(box, text);
  }
  await vi.advanceTimersByTimeAsync(300);
  expect(there.map(box => box.value)).toEqual(['Ada', '2026-12-24', '']);
  const [name] = there;
  if (name !== undefined) type(name, 'Ada L.');
  await vi.advanceTimersByTimeAsync(300);
  expect(here.map(box => box.value)).toEqual(['Ada L.', '2026-12-24', '1234']);
  beside.dispose();
});

test('the page’s other form says that it was answered here', async () => {
  const room = open(question('a'));
  const card = room.pending.cards[0];
  if (card === undefined) throw new Error('no card');
  const beside = new ElicitationView({ card, host: room.host, port: new ServerPort(() => Promise.reject(new Error()), 'a') });
  room.store.subscribe('a', newer => {
    if (newer !== null) beside.update(newer);
  });
  await press(room, 'Submit');
  expect(beside.node.textContent).toContain('answered here');
  beside.dispose();
});
