import { expect, test, vi } from 'vitest';

import type { AnswerResult } from '../src/port';
import type { Flow } from '../src/wire';
import { ended, flowing, urlCard } from './cards';
import { settle, stage, withFakeTime } from './stage';
import type { Stage, StageOptions } from './stage';

withFakeTime();

const card = urlCard();
const waiting = flowing(card, 'opened');
const status = (on: Stage): string => on.all('.jme-waiting[role=status]')[0]?.textContent ?? '';
const choices = (on: Stage): string[] => on.all('.jme-bar a, .jme-bar button').map(node => node.textContent ?? '');

/** The page was opened from here; what became of telling so is in `given`. */
async function open(given: StageOptions = {}): Promise<Stage> {
  const on = stage(card, given);
  on.all('a')[0]?.click();
  await settle();
  return on;
}

async function arm(): Promise<void> {
  await vi.advanceTimersByTimeAsync(700);
}

test('after the click the card waits, with a way out and another chance from the first moment', async () => {
  const on = await open({ consented: () => new Promise<AnswerResult>(() => undefined) });
  expect(status(on)).toBe('Opened example.org · telling bistro…');
  expect(choices(on)).toEqual(['Open again', 'I am done', 'Cancel']);
  expect(on.text()).toContain('Please sign in.');
});

test('a sign-in of Jupyter itself comes back by itself, and there is no saying that it is done', async () => {
  const signIn = urlCard({}, { asker: { name: 'Jupyter', kind: 'jupyter', transport: '', callsItself: '' } });
  const on = stage(flowing(signIn, 'opened'));
  await settle();
  expect(choices(on)).toEqual(['Open again', 'Cancel']);
  expect(on.text()).toContain('It leads back to Jupyter by itself.');
  expect(on.text()).not.toContain('I am done');
});

test('once it is told, the time of the flow runs', async () => {
  const on = await open();
  expect(status(on)).toBe('Opened example.org · waiting');
  expect(on.text()).toContain('5:00 left');
});

test('the second link opens the page again and is no second consent', async () => {
  const on = await open();
  const [again] = on.all<HTMLAnchorElement>('a');
  expect(again?.hasAttribute('href')).toBe(false);
  await arm();
  const event = new MouseEvent('click', { bubbles: true, cancelable: true });
  again?.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
  expect(again?.href).toBe(card.url.href);
  expect([again?.rel, again?.target, again?.getAttribute('referrerpolicy')]).toEqual(['noopener noreferrer', '_blank', 'no-referrer']);
  await settle();
  expect(on.consents).toEqual([false]);
  expect(on.flows).toEqual([]);
});

test.each([
  ['I am done', 'finish', 'marked as done'],
  ['Cancel', 'cancel', 'given up']
])('%s ends the flow and leaves a quiet record', async (text, action, words) => {
  const on = await open();
  on.button(text).click();
  expect(on.flows).toEqual([]);
  await arm();
  on.button(text).click();
  on.button(text).click();
  await settle();
  expect(on.flows).toEqual([action]);
  expect(on.text()).toBe(`bistro asked to open example.org during book_tableopened10:31${words}answered here`);
  expect(on.all('a, button')).toEqual([]);
});

test.each<[Flow, string]>([
  ['completed', 'completed'],
  ['finished', 'marked as done'],
  ['abandoned', 'given up'],
  ['lapsed', 'the time was up before it was completed'],
  ['cut', 'the connection ended before it was completed']
])('a flow that is %s has its words, after the page heard of it and after a reload', async (flow, words) => {
  const on = await open();
  on.view.update(flowing(card, flow));
  expect(on.text()).toBe(`bistro asked to open example.org during book_tableopened10:31${words}answered here`);
  expect(stage(flowing(card, flow)).text()).toContain(`opened10:31${words}answered on a page`);
});

test('a page that is loaded again goes on waiting, and so does a second tab', async () => {
  const loaded = stage(waiting);
  const second = stage(card);
  second.view.update(waiting);
  for (const on of [loaded, second]) {
    expect(status(on)).toBe('Opened example.org · waiting');
    expect(choices(on)).toEqual(['Open again', 'I am done', 'Cancel']);
    expect(on.text()).toContain('left');
    expect(on.consents).toEqual([]);
  }
  await arm();
  second.button('I am done').click();
  await settle();
  expect(second.text()).toContain('answered in another tab');
});

test('an ending pressed before the consent has arrived waits for it', async () => {
  let arrive: (result: AnswerResult) => void = () => undefined;
  const on = await open({
    consented: () =>
      new Promise<AnswerResult>(resolve => {
        arrive = resolve;
      })
  });
  await arm();
  on.button('I am done').click();
  await settle();
  expect(on.flows).toEqual([]);
  arrive({ kind: 'taken', card: waiting });
  await settle();
  expect(on.flows).toEqual(['finish']);
});

test('a consent that the socket tells of before its reply is told', async () => {
  const on = await open({ consented: () => new Promise<AnswerResult>(() => undefined) });
  on.view.update({ ...card, state: 'shown' });
  expect(status(on)).toContain('telling');
  on.view.update(waiting);
  expect(status(on)).toBe('Opened example.org · waiting');
});

test('a consent that did not arrive is said, and can be told again', async () => {
  let up = false;
  const on = await open({
    consented: () => (up ? { kind: 'taken', card: waiting } : { kind: 'failed', message: 'The server is away.' })
  });
  expect(status(on)).toBe('The page was opened, but bistro has not been told: The server is away.');
  expect(choices(on)).toEqual(['Open again', 'Tell it', 'Cancel']);
  up = true;
  await arm();
  on.button('Tell it').click();
  await settle();
  expect(on.consents).toEqual([false, false]);
  expect(status(on)).toBe('Opened example.org · waiting');
  expect(choices(on)).toEqual(['Open again', 'I am done', 'Cancel']);
});

test('a consent that did not arrive can be dropped', async () => {
  const on = await open({ consented: () => ({ kind: 'failed', message: 'The server is away.' }) });
  await arm();
  on.button('Cancel').click();
  await settle();
  expect(on.sent).toEqual([{ action: 'cancel', draft: [] }]);
  expect(on.text()).toContain('cancelled');
});

test('a page that was opened too late says so before the record', async () => {
  const on = await open({ consented: () => ({ kind: 'gone', message: '', card: ended(card, 'expired') }) });
  expect(status(on)).toBe('The page was opened, but bistro has not been told: The time was up.');
  expect(choices(on)).toEqual(['Close']);
  await arm();
  on.button('Close').click();
  expect(on.text()).toContain('cancelled: the time was up');
});

test('a page that another tab opened first waits here too, and the record says where', async () => {
  const on = await open({ consented: () => ({ kind: 'late', message: '', card: waiting }) });
  expect(status(on)).toBe('Opened example.org · waiting');
  on.view.update(flowing(card, 'completed'));
  expect(on.text()).toContain('answered in another tab');
});

test('an ending that did not arrive says so and can be sent again', async () => {
  const on = await open({ flowed: () => ({ kind: 'failed', message: 'The server is away.' }) });
  await arm();
  on.button('I am done').click();
  await settle();
  expect(status(on)).toBe('Not sent: The server is away. Try again.');
  on.button('I am done').click();
  await settle();
  expect(on.flows).toEqual(['finish', 'finish']);
});

test('an address that this browser reads differently is no link after a reload either', () => {
  const on = stage(flowing(urlCard({ host: 'elsewhere.example.org' }), 'opened'));
  expect(choices(on)).toEqual(['I am done', 'Cancel']);
});

test('focus stays in the card when the link is pressed by a key', async () => {
  const on = stage(card);
  on.all('a')[0]?.focus();
  on.all('a')[0]?.click();
  await settle();
  expect(document.activeElement).toBe(on.all('.jme-waiting')[0]);
});

test('clicks that no hand made end no flow', async () => {
  const on = stage(waiting, { trusted: event => event.isTrusted });
  on.button('I am done').click();
  await settle();
  expect(on.flows).toEqual([]);
});

test('a waiting card that is disposed leaves no timer behind', async () => {
  const on = await open();
  on.view.dispose();
  expect(vi.getTimerCount()).toBe(0);
});
