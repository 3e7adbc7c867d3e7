import { expect, test, vi } from 'vitest';

import { parseCard } from '../src/parse';
import type { Ask } from '../src/server';
import { CardStore } from '../src/store';
import type { Card } from '../src/wire';
import { cardJson } from './cards';

const nowhere: Ask = () => Promise.reject(new TypeError('network'));
const json = (id: string, state = 'pending') => cardJson({ id, state });
const known =
  (...cards: readonly Readonly<Record<string, unknown>>[]): Ask =>
  path => {
    const card = cards.find(each => path === `elicitations/${String(each['id'])}`);
    return Promise.resolve(new Response(JSON.stringify(card ?? {}), { status: card === undefined ? 404 : 200 }));
  };

test('a listener hears the changes of its own question until it stops', () => {
  const store = new CardStore(nowhere);
  const heard: (Card | null)[] = [];
  const stop = store.subscribe('a', card => heard.push(card));
  store.receive({ type: 'card', card: json('a') });
  store.receive({ type: 'card', card: json('b') });
  store.receive({ type: 'card', card: json('a', 'shown') });
  stop();
  store.receive({ type: 'card', card: json('a', 'accepted') });
  expect(heard.map(card => card?.state)).toEqual(['pending', 'shown']);
});

test('what ended while the socket was down is asked for when somebody shows it', async () => {
  const store = new CardStore(known(json('a', 'accepted')));
  store.put(parseCard(json('a')));
  store.put(parseCard(json('b')));
  const heard: (Card | null)[] = [];
  store.subscribe('a', card => heard.push(card));
  store.receive({ type: 'snapshot', elicitations: [json('c')] });
  await vi.waitFor(() => {
    expect(heard.at(-1)?.state).toBe('accepted');
  });
  expect(store.all().map(card => card.id).sort()).toEqual(['a', 'c']);
});

test('a question that the server does not know is told as such', async () => {
  const store = new CardStore(known());
  const heard: (Card | null)[] = [];
  store.subscribe('a', card => heard.push(card));
  await store.load('a');
  expect(heard).toEqual([null]);
});

test('a card that cannot be read is left out, and the others of a snapshot stay', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const store = new CardStore(nowhere);
  store.receive({ type: 'snapshot', elicitations: [{ id: 'x' }, json('a')] });
  store.receive('nonsense');
  expect(store.all().map(card => card.id)).toEqual(['a']);
  expect(warn).toHaveBeenCalledOnce();
});

test('who watches the whole hears of each change', () => {
  const store = new CardStore(nowhere);
  const watcher = vi.fn();
  const stop = store.watch(watcher);
  store.receive({ type: 'card', card: json('a') });
  stop();
  store.receive({ type: 'card', card: json('b') });
  expect(watcher).toHaveBeenCalledOnce();
});

test('a reply that comes after the news of the end does not open the question again', () => {
  const store = new CardStore(nowhere);
  store.receive({ type: 'card', card: json('a', 'accepted') });
  store.put(parseCard(json('a', 'shown')));
  expect(store.get('a')?.state).toBe('accepted');
});
