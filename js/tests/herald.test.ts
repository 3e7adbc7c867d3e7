import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { GRACE_MS, Herald } from '../src/inbox/herald';
import { Pending } from '../src/inbox/pending';
import { Sights } from '../src/inbox/sights';
import { plainWords } from '../src/words';
import { CardStore } from '../src/store';
import { cardJson } from './cards';

let eyes: IntersectionObserverCallback = () => undefined;
class Observer {
  constructor(told: IntersectionObserverCallback) {
    eyes = told;
  }
  observe(): void {}
  unobserve(): void {}
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IntersectionObserver', Observer);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function setUp(wanted = true) {
  const store = new CardStore(() => Promise.reject(new TypeError('network')));
  const pending = new Pending(store);
  const sights = new Sights();
  const on = { inbox: false, toast: '', fresh: 0, revealed: [] as (string | null)[], knocked: [] as string[] };
  let pressed: () => void = () => undefined;
  const herald = new Herald({
    pending,
    sights,
    words: plainWords,
    toast: {
      show: (message, fresh, press) => {
        on.toast = message;
        on.fresh += fresh ? 1 : 0;
        pressed = press;
      },
      clear: () => {
        on.toast = '';
      }
    },
    knock: { knock: id => on.knocked.push(id), clear: id => on.knocked.splice(on.knocked.indexOf(id), 1) },
    toasts: () => wanted,
    inboxInSight: () => on.inbox,
    place: () => 'a.ipynb',
    reveal: id => on.revealed.push(id)
  });
  document.body.append(herald.node);
  const tell = (id: string, more = {}): void => {
    store.receive({ type: 'card', card: cardJson({ id, ...more }) });
    vi.advanceTimersByTime(GRACE_MS);
  };
  const see = (id: string): HTMLElement => {
    const node = document.body.appendChild(document.createElement('div'));
    sights.put(id, node);
    eyes([{ target: node, isIntersecting: true } as unknown as IntersectionObserverEntry], {} as IntersectionObserver);
    return node;
  };
  return { on, herald, tell, see, press: () => { pressed(); }, heard: () => herald.node.textContent };
}

const ended = { state: 'declined', outcome: { action: 'decline' } };

test('a question out of sight is told by a toast, and not by the live region too', () => {
  const { on, tell, heard } = setUp();
  tell('a');
  expect(on.toast).toBe('bistro asks you something (a.ipynb).');
  expect(heard()).toBe('');
  tell('a', { state: 'shown' });
  expect(on.fresh).toBe(1);
});

test('a question whose cell is in sight is told by the live region only', () => {
  const { on, tell, see, heard } = setUp();
  see('a');
  tell('a');
  expect(on.toast).toBe('');
  expect(heard()).toBe('bistro asks you something (a.ipynb).');
});

test('with the inbox open, or toasts unwanted, there is no toast', () => {
  const first = setUp();
  first.on.inbox = true;
  first.tell('a');
  expect([first.on.toast, first.heard()]).toEqual(['', 'bistro asks you something (a.ipynb).']);
  const second = setUp(false);
  second.tell('a');
  expect([second.on.toast, second.heard()]).toEqual(['', 'bistro asks you something (a.ipynb).']);
});

test('several stand in one toast, which goes with the last of them', () => {
  const { on, tell } = setUp();
  tell('a');
  tell('b');
  expect(on.toast).toBe('2 questions wait for you.');
  tell('a', ended);
  expect(on.toast).toBe('bistro asks you something (a.ipynb).');
  tell('b', ended);
  expect(on.toast).toBe('');
});

test('a toast goes when the person comes to the question by themselves', () => {
  const { on, tell, see, herald } = setUp();
  tell('a');
  see('a');
  expect(on.toast).toBe('');
  tell('b');
  on.inbox = true;
  herald.look();
  expect(on.toast).toBe('');
});

test('its button leads to the one question, or to all', () => {
  const { on, tell, press } = setUp();
  tell('a');
  press();
  expect([on.revealed, on.toast]).toEqual([['a'], '']);
  tell('b');
  tell('c');
  press();
  expect([on.revealed, on.toast]).toEqual([['a', null], '']);
});

test('a question that is over before anybody could look makes no noise', () => {
  const { on, tell, heard } = setUp();
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  tell('a', ended);
  expect([on.toast, heard(), on.knocked]).toEqual(['', '', []]);
});

test('the browser is told only while the person looks elsewhere, and told when it is over', () => {
  const { on, tell } = setUp();
  const looks = vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  tell('a');
  expect(on.knocked).toEqual([]);
  looks.mockReturnValue(false);
  tell('b');
  expect(on.knocked).toEqual(['b']);
  tell('b', ended);
  expect(on.knocked).toEqual([]);
});
