import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Arming } from '../src/arming';

type Tell = (entries: readonly { target: Element; isIntersecting: boolean }[]) => void;

/** The browser's observer, told by hand what is in sight. */
class Sight {
  static tell: Tell = () => undefined;
  constructor(tell: Tell) {
    Sight.tell = tell;
  }
  observe(): void {}
  disconnect(): void {}
  static see(...pairs: readonly (readonly [Element, boolean])[]): void {
    Sight.tell(pairs.map(([target, isIntersecting]) => ({ target, isIntersecting })));
  }
}

const form = document.createElement('form');
const bar = document.createElement('div');
const button = document.createElement('button');
let arming: Arming;
let shown: number;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IntersectionObserver', Sight);
  shown = 0;
  arming = new Arming({
    form,
    bar,
    buttons: [button],
    now: () => performance.now(),
    inSight: () => {
      shown += 1;
    }
  });
});
afterEach(() => {
  arming.dispose();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const disabled = (): boolean => button.getAttribute('aria-disabled') === 'true';

test('nothing arms before it is in sight', () => {
  vi.advanceTimersByTime(5000);
  expect(arming.readyForKeys()).toBe(false);
  expect(arming.readyForPointer()).toBe(false);
  expect(disabled()).toBe(true);
  expect(shown).toBe(0);
});

test('both arm half a second after they come into sight', () => {
  Sight.see([form, true], [bar, true]);
  expect(shown).toBe(1);
  vi.advanceTimersByTime(499);
  expect(arming.readyForKeys()).toBe(false);
  vi.advanceTimersByTime(101);
  expect(arming.readyForKeys()).toBe(true);
  expect(arming.readyForPointer()).toBe(true);
  expect(disabled()).toBe(false);
});

test('keys work while the buttons are scrolled away, and the pointer has to wait for them again', () => {
  Sight.see([form, true], [bar, true]);
  vi.advanceTimersByTime(600);
  Sight.see([bar, false]);
  expect(arming.readyForKeys()).toBe(true);
  expect(arming.readyForPointer()).toBe(false);
  Sight.see([bar, true]);
  expect(arming.readyForPointer()).toBe(false);
  vi.advanceTimersByTime(600);
  expect(arming.readyForPointer()).toBe(true);
});

test('buttons that scroll show at once that they take no clicks', () => {
  document.body.append(bar);
  Sight.see([form, true], [bar, true]);
  vi.advanceTimersByTime(600);
  expect(disabled()).toBe(false);
  vi.spyOn(bar, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 300, 10, 10));
  document.body.dispatchEvent(new Event('scroll'));
  expect(disabled()).toBe(true);
  vi.advanceTimersByTime(600);
  expect(disabled()).toBe(false);
  bar.remove();
});

test('a tab that comes to the front arms anew', () => {
  Sight.see([form, true], [bar, true]);
  vi.advanceTimersByTime(600);
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  document.dispatchEvent(new Event('visibilitychange'));
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(arming.readyForKeys()).toBe(false);
  vi.advanceTimersByTime(600);
  expect(arming.readyForKeys()).toBe(true);
});
