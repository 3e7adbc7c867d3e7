/** The person's clock: it stands still while they type, and they can have more of it. */

import { expect, test, vi } from 'vitest';

import { asking, field } from './cards';
import { settle, stage, type, withFakeTime } from './stage';

withFakeTime();

const asked = { ...asking([field('name', 'string')]), secondsLeft: 61 };

test('five minutes more are one press away, and said', async () => {
  const on = stage(asked, { more: () => ({ kind: 'taken', card: { ...asked, secondsLeft: 361 } }) });
  on.button('+5 minutes').click();
  await settle();
  expect(on.text()).toContain('6:01 left');
  expect(on.text()).toContain('Five minutes more.');
});

test('a press keeps the focus, and a second one while it is asked for asks for nothing', async () => {
  let pressed = 0;
  const on = stage(asked, {
    more: () => {
      pressed += 1;
      return { kind: 'taken', card: asked };
    }
  });
  const more = on.button('+5 minutes');
  more.focus();
  more.click();
  more.click();
  expect(document.activeElement).toBe(more);
  await settle();
  expect(document.activeElement).toBe(more);
  expect(pressed).toBe(1);
});

test('where the last of it was given the focus stays in the form', async () => {
  const on = stage(asked, { more: () => ({ kind: 'taken', card: { ...asked, mayExtend: false } }) });
  const more = on.button('+5 minutes');
  more.focus();
  more.click();
  await settle();
  expect(more.isConnected).toBe(false);
  expect(document.activeElement?.closest('.jme-time')).not.toBe(null);
});

test('where no more can be had the press says why', async () => {
  const on = stage(asked, { more: () => ({ kind: 'late', message: 'The one who asked waits no longer than this.', card: asked }) });
  on.button('+5 minutes').click();
  await settle();
  expect(on.text()).toContain('waits no longer than this');
});

test('only a person gets more', async () => {
  let pressed = 0;
  const more = (): { kind: 'taken'; card: typeof asked } => {
    pressed += 1;
    return { kind: 'taken', card: asked };
  };
  const on = stage(asked, { more, trusted: () => false });
  on.button('+5 minutes').click();
  await settle();
  expect(pressed).toBe(0);
});

test('a time that is the server’s own is called so, and nothing is offered', () => {
  const on = stage({ ...asked, mayExtend: false }, { more: () => ({ kind: 'taken', card: asked }) });
  expect(on.text()).toContain('1:01 left, then whoever asks stops waiting');
  expect(on.text()).not.toContain('+5 minutes');
});

test('while somebody types the clock stands still, and says so', () => {
  const on = stage(asked);
  on.view.update({ ...asked, secondsLeft: 71, secondsStill: 10 });
  expect(on.text()).toContain('1:01 left, stands still while you type');
  vi.advanceTimersByTime(5000);
  expect(on.text()).toContain('1:01 left, stands still while you type');
  vi.advanceTimersByTime(7900);
  expect(on.text()).toMatch(/0:5[89] left/);
  expect(on.text()).not.toContain('stands still');
});

test('typing is told now and then, and not with each key', () => {
  const on = stage(asked);
  for (const text of ['A', 'Ad', 'Ada']) type(on.control('name'), text);
  expect(on.counts.typing).toBe(1);
  vi.advanceTimersByTime(9000);
  type(on.control('name'), 'Ada L.');
  expect(on.counts.typing).toBe(2);
});
