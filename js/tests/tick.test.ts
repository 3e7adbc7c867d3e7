/** No secret leaves a form without the person's word on it. */

import { expect, test } from 'vitest';

import { asking, field } from './cards';
import { settle, stage, type, withFakeTime } from './stage';

withFakeTime();

const asked = asking([field('password', 'string', { sensitive: true })]);

test('the word goes with the answer only when the person gave it', async () => {
  const on = stage(asked, { reply: () => ({ kind: 'problems', message: '', problems: [['password', 'Agree below.']] }) });
  type(on.control('password'), 'hunter2');
  on.button('Submit').click();
  await settle();
  expect(on.sent.at(-1)?.secrets).toBeUndefined();
  expect(on.text()).toContain('Agree below.');
  on.all<HTMLInputElement>('.jme-tick input')[0]?.click();
  on.button('Submit').click();
  await settle();
  expect(on.sent.at(-1)?.secrets).toBe(true);
});

test('a script cannot give it', async () => {
  const on = stage(asked, { trusted: () => false });
  const box = on.all<HTMLInputElement>('.jme-tick input')[0];
  box?.click();
  expect(box?.checked).toBe(false);
});

test('a form that asks for no secret has no such box', () => {
  expect(stage(asking([field('name', 'string')])).all('.jme-tick')).toEqual([]);
});
