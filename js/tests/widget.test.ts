import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Model } from '../src/comm';
import widget from '../src/widget';
import { cardJson, field, urlJson } from './cards';
import { press, type } from './stage';

type Json = Readonly<Record<string, unknown>>;

/** The kernel's side of the comm, written down and spoken by hand. */
class Kernel {
  readonly said: Json[] = [];
  readonly #handlers = new Map<string, Set<(message: unknown) => void>>();
  card: unknown;

  constructor(card: unknown) {
    this.card = card;
  }

  get model(): Model {
    return {
      get: () => this.card,
      on: (event: string, callback: (message: unknown) => void) => {
        this.#handlers.set(event, (this.#handlers.get(event) ?? new Set()).add(callback));
      },
      off: (event: string, callback: (message: unknown) => void) => {
        this.#handlers.get(event)?.delete(callback);
      },
      send: (content: object) => {
        this.said.push(content as Json);
      }
    };
  }

  say(message: Json): void {
    for (const each of this.#handlers.get('msg:custom') ?? []) each(message);
  }

  turn(card: unknown): void {
    this.card = card;
    for (const each of this.#handlers.get('change:card') ?? []) each(undefined);
  }

  get listeners(): number {
    return [...this.#handlers.values()].reduce((sum, set) => sum + set.size, 0);
  }

  of(kind: string): Json[] {
    return this.said.filter(each => each['type'] === kind);
  }
}

const pending = cardJson({
  fields: [field('name', 'string'), field('token', 'string', { sensitive: true })],
  draft: [
    ['name', null],
    ['token', null]
  ]
});
const over = { ...pending, state: 'accepted', outcome: { action: 'accept', channel: 'page', at: '2026-12-01T09:31:00Z' } };

let dispose: () => void = () => undefined;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  sessionStorage.clear();
  document.body.replaceChildren();
});

async function show(kernel: Kernel): Promise<{ el: HTMLElement; text: () => string; box: (at: number) => HTMLInputElement }> {
  const el = document.createElement('div');
  document.body.append(el);
  const rendering = widget.render({ model: kernel.model, el });
  await vi.advanceTimersByTimeAsync(0);
  dispose = await rendering;
  await vi.advanceTimersByTimeAsync(600);
  return {
    el,
    text: () => el.querySelector('.jme-output')?.textContent ?? '',
    box: at => {
      const box = el.querySelectorAll('input')[at];
      if (box === undefined) throw new Error('no box');
      return box;
    }
  };
}

test('a widget says hello, says that it was painted, and takes the draft that comes back', async () => {
  const kernel = new Kernel(pending);
  const { box } = await show(kernel);
  expect(kernel.said.map(each => each['type']).sort()).toEqual(['hello', 'shown']);
  kernel.say({ type: 'welcome', draft: [['name', 'Ada']] });
  expect(box(0).value).toBe('Ada');
});

test('a welcome that comes late takes nothing from what was typed meanwhile; code that fills in does', async () => {
  const kernel = new Kernel(pending);
  const { box } = await show(kernel);
  type(box(0), 'Ada');
  kernel.say({ type: 'welcome', draft: [['name', null]] });
  expect(box(0).value).toBe('Ada');
  kernel.say({ type: 'fill', draft: [['name', 'Grace']] });
  expect(box(0).value).toBe('Grace');
});

test('typed text goes to the kernel after a pause, secrets never', async () => {
  const kernel = new Kernel(pending);
  const { box } = await show(kernel);
  type(box(0), 'Ad');
  type(box(0), 'Ada');
  type(box(1), 'CANARY');
  await vi.advanceTimersByTimeAsync(250);
  expect(kernel.of('draft')).toEqual([{ type: 'draft', draft: [['name', 'Ada']] }]);
  expect(JSON.stringify(kernel.said)).not.toContain('CANARY');
});

test('clicks and keys that no hand made do nothing in a real page', async () => {
  const kernel = new Kernel(pending);
  const { el, box } = await show(kernel);
  for (const button of el.querySelectorAll('button')) button.click();
  press(box(0), 'Enter', { ctrlKey: true });
  press(box(0), 'Escape');
  await vi.advanceTimersByTimeAsync(10);
  expect(kernel.of('answer')).toEqual([]);
});

test('a card that changes is drawn, and nobody listens after the end', async () => {
  const kernel = new Kernel(pending);
  const { text } = await show(kernel);
  kernel.turn(over);
  expect(text()).toContain('accepted');
  dispose();
  expect(kernel.listeners).toBe(0);
});

test('a card that is no card leaves a plain line', async () => {
  const { text } = await show(new Kernel({}));
  expect(text()).toBe('This form holds no question.');
});

test('the style goes along, for pages whose styles do not reach the widget', async () => {
  const { el } = await show(new Kernel(pending));
  expect(el.querySelector('style')?.textContent).toContain('.jme');
});

test('on a page of the Jupyter server that knows the question, the server hears of it, not the kernel', async () => {
  const config = document.createElement('script');
  config.id = 'jupyter-config-data';
  config.type = 'application/json';
  config.textContent = JSON.stringify({ baseUrl: '/base/' });
  document.body.append(config);
  const asked = vi.fn<typeof fetch>().mockImplementation(url =>
    Promise.resolve(new Response(JSON.stringify(String(url).endsWith('/shown') ? { card: pending } : pending)))
  );
  vi.stubGlobal('fetch', asked);
  const kernel = new Kernel(pending);
  await show(kernel);
  expect(asked.mock.calls.map(([url]) => String(url).replace(location.origin, ''))).toEqual([
    '/base/mcp-elicit/elicitations/aaaaaaaaaaaaaaaaaaaaaa',
    '/base/mcp-elicit/elicitations/aaaaaaaaaaaaaaaaaaaaaa/shown'
  ]);
  expect(kernel.said.map(each => each['type'])).toEqual(['hello']);
});

test('on a page of a Jupyter server that does not know the question, the kernel hears of it', async () => {
  const config = document.createElement('script');
  config.id = 'jupyter-config-data';
  config.type = 'application/json';
  config.textContent = JSON.stringify({ baseUrl: '/' });
  document.body.append(config);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { status: 404 })));
  const kernel = new Kernel(pending);
  await show(kernel);
  expect(kernel.of('shown')).toHaveLength(1);
});

test('a link in a widget opens by no hand but a person\'s, and waits when the kernel says that it was opened', async () => {
  const asked = urlJson();
  const kernel = new Kernel(asked);
  const { el, text } = await show(kernel);
  el.querySelector('a')?.click();
  await vi.advanceTimersByTimeAsync(10);
  expect(kernel.of('answer')).toEqual([]);
  const outcome = { action: 'accept', channel: 'page', at: '2026-12-01T09:31:00Z' };
  kernel.turn({ ...asked, state: 'accepted', outcome, flow: 'opened', secondsLeft: 60 });
  expect(text()).toContain('Opened example.org · waiting');
  kernel.turn({ ...asked, state: 'accepted', outcome, flow: 'completed' });
  expect(text()).toContain('completed');
});

test('the kernel hears of a script that runs, even while nothing is shown', () => {
  const kernel = new Kernel(pending);
  widget.initialize({ model: kernel.model });
  expect(kernel.said).toEqual([{ type: 'here' }]);
});
