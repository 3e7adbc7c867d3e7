import { describe, expect, test } from 'vitest';

import { asking, field, options } from './cards';
import { draftSent, press, settle, stage, type, withFakeTime } from './stage';

withFakeTime();

const numbered = (count: number) => options(...Array.from({ length: count }, (_, at) => `Option ${at}`));

describe('what nobody touched goes back as it came', () => {
  test.each([
    ['text that is not set', field('x', 'string'), null],
    ['text with a default', field('x', 'string'), ' Ada  '],
    ['an empty default', field('x', 'string'), ''],
    ['text with other newlines', field('x', 'string', { multiline: true }), 'a\r\nb\rc\n'],
    ['one line that holds newlines', field('x', 'string'), 'a\nb'],
    ['an integer beyond 2^53', field('x', 'integer'), '90071992547409931'],
    ['a number in its own spelling', field('x', 'number'), '3.10'],
    ['a date', field('x', 'date'), '2026-12-01'],
    ['a date that the control cannot hold', field('x', 'date'), '0000-01-01'],
    ['a moment with its own offset', field('x', 'date-time'), '2026-12-01T09:30:45+02:00'],
    ['a moment in lower case', field('x', 'date-time'), '2026-12-01t09:30:00z'],
    ['a moment with zeros at the end of its fraction', field('x', 'date-time'), '2026-12-01T09:30:00.500Z'],
    ['a moment finer than the control', field('x', 'date-time'), '2026-12-01T09:30:00.123456789Z'],
    ['a leap second', field('x', 'date-time'), '2016-12-31T23:59:60Z'],
    ['a boolean that is not set', field('x', 'boolean'), null],
    ['a required boolean that is not set', field('x', 'boolean', { required: true }), null],
    ['false', field('x', 'boolean'), false],
    ['true', field('x', 'boolean', { required: true }), true],
    ['a choice that is not set', field('x', 'choice', { options: numbered(3) }), null],
    ['a choice among few', field('x', 'choice', { options: numbered(3) }), '2'],
    ['the first of many', field('x', 'choice', { options: numbered(20) }), '0'],
    ['one of many that is not set', field('x', 'choice', { options: numbered(20) }), null],
    ['one of very many', field('x', 'choice', { options: numbered(10_000) }), '9876'],
    ['one of very many that is not set', field('x', 'choice', { options: numbered(10_000), required: true }), null],
    ['choices that are not set', field('x', 'choices', { options: numbered(3) }), null],
    ['no choice at all', field('x', 'choices', { options: numbered(3) }), []],
    ['choices', field('x', 'choices', { options: numbered(3) }), ['0', '2']],
    ['choices among very many', field('x', 'choices', { options: numbered(10_000) }), ['3', '9999']]
  ])('%s', async (_, one, value) => {
    const card = asking([one], { x: value });
    expect(await draftSent(stage(card))).toEqual(card.draft);
  });
});

describe('text', () => {
  test('is sent exactly as typed, numbers too', async () => {
    const on = stage(asking([field('a', 'string'), field('n', 'integer')]));
    type(on.control('a'), '  two  ');
    type(on.control('n'), '9007199254740993');
    expect(await draftSent(on)).toEqual([
      ['a', '  two  '],
      ['n', '9007199254740993']
    ]);
  });

  test('that was typed and taken back is not set again', async () => {
    const on = stage(asking([field('a', 'string')]));
    type(on.control('a'), 'x');
    type(on.control('a'), '');
    expect(await draftSent(on)).toEqual([['a', null]]);
  });

  test('whose default was cleared is empty, and not refilled', async () => {
    const on = stage(asking([field('a', 'string')], { a: 'Ada' }));
    type(on.control('a'), '');
    expect(await draftSent(on)).toEqual([['a', '']]);
  });

  test('the year of a day or a moment has four digits', () => {
    const on = stage(asking([field('d', 'date'), field('m', 'date-time')]));
    expect(on.control('d').max).toBe('9999-12-31');
    expect(on.control('m').max).toBe('9999-12-31T23:59:59.999');
  });

  test('controls never limit, correct or step what is typed', () => {
    const on = stage(asking([field('n', 'number'), field('e', 'email'), field('u', 'uri')]));
    for (const box of on.all<HTMLInputElement>('input')) {
      expect(box.type).toBe('text');
      expect(box.hasAttribute(['max', 'length'].join(''))).toBe(false);
      expect(box.getAttribute('spellcheck')).toBe('false');
    }
    expect(on.control('n').inputMode).toBe('decimal');
  });

  test('that is a secret is masked and kept from password stores', () => {
    const box = stage(asking([field('token', 'string', { sensitive: true, multiline: true })])).control('token');
    expect(box.type).toBe('password');
    expect(box.autocomplete).toBe('new-password');
  });
});

describe('dates', () => {
  test('a day is its ISO text', async () => {
    const on = stage(asking([field('d', 'date')]));
    type(on.control('d'), '2026-12-24');
    expect(await draftSent(on)).toEqual([['d', '2026-12-24']]);
  });

  test('a moment gets its seconds and the offset that is shown', async () => {
    const on = stage(asking([field('t', 'date-time')]));
    type(on.control('t'), '2026-12-01T09:30');
    const [offset] = on.all<HTMLSelectElement>('.jme-offset');
    if (offset === undefined) throw new Error('no offset');
    offset.value = 'Z';
    offset.dispatchEvent(new Event('change', { bubbles: true }));
    expect(await draftSent(on)).toEqual([['t', '2026-12-01T09:30:00Z']]);
  });

  test('an edited moment keeps the offset of its default', async () => {
    const on = stage(asking([field('t', 'date-time')], { t: '2026-12-01T09:30:00+05:45' }));
    type(on.control('t'), '2026-12-01T10:00');
    expect(await draftSent(on)).toEqual([['t', '2026-12-01T10:00:00+05:45']]);
  });

  test('the local offset is that of the chosen day', async () => {
    const on = stage(asking([field('t', 'date-time')]));
    type(on.control('t'), '2026-07-01T12:00');
    const minutes = 0 - new Date('2026-07-01T12:00').getTimezoneOffset();
    const [pair] = (await draftSent(on)) ?? [];
    const [, sign, hours, rest] = /([+-])(\d\d):(\d\d)$/.exec(String(pair?.[1])) ?? [];
    expect((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(rest))).toBe(minutes);
  });

  test('a cleared moment is empty', async () => {
    const on = stage(asking([field('t', 'date-time')], { t: '2026-12-01T09:30:00Z' }));
    type(on.control('t'), '');
    expect(await draftSent(on)).toEqual([['t', '']]);
  });

  test('half a date is a problem at its field and is not sent as nothing', async () => {
    const on = stage(asking([field('d', 'date')]));
    Object.defineProperty(on.control('d'), 'validity', { value: { badInput: true } });
    expect(await draftSent(on)).toBeUndefined();
    expect(on.text()).toContain('This is not a whole date.');
    expect(document.activeElement).toBe(on.control('d'));
  });
});

describe('yes and no', () => {
  test('an optional one can be answered and unset again', async () => {
    const on = stage(asking([field('b', 'boolean')]));
    expect(on.control('Not set').checked).toBe(true);
    on.control('No').click();
    on.control('Not set').click();
    expect(await draftSent(on)).toEqual([['b', null]]);
  });

  test('false is an answer', async () => {
    const on = stage(asking([field('b', 'boolean', { required: true })]));
    expect(on.all<HTMLInputElement>('input').map(radio => radio.checked)).toEqual([false, false]);
    on.control('No').click();
    expect(await draftSent(on)).toEqual([['b', false]]);
  });
});

describe('one of several', () => {
  test('a few are radio buttons, in a group with a name', async () => {
    const on = stage(asking([field('c', 'choice', { label: 'Level', options: options('Low', 'High') })]));
    expect(on.all('fieldset[role=radiogroup] legend')[0]?.textContent).toBe('Level');
    on.control('High').click();
    expect(await draftSent(on)).toEqual([['c', '1']]);
  });

  test('an optional choice can be unset again', async () => {
    const on = stage(asking([field('c', 'choice', { options: options('Low', 'High') })], { c: '0' }));
    on.control('Not set').click();
    expect(await draftSent(on)).toEqual([['c', null]]);
  });

  test('alike labels are told apart by their values', () => {
    const twins = options('Accept', 'Accept').map((option, at) => ({ ...option, value: `v${at}` }));
    const on = stage(asking([field('c', 'choice', { options: twins })]));
    expect(on.all('.jme-beside').map(node => node.textContent)).toEqual(['v0', 'v1']);
  });

  test('many are a select that starts on nothing', async () => {
    const on = stage(asking([field('c', 'choice', { required: true, options: numbered(8) })]));
    const [select] = on.all<HTMLSelectElement>('select');
    expect(select?.selectedOptions[0]?.textContent).toBe('Choose…');
    expect(select?.selectedOptions[0]?.disabled).toBe(true);
    if (select !== undefined) select.selectedIndex = 8;
    expect(await draftSent(on)).toEqual([['c', '7']]);
  });

  test('very many build few nodes and are found by filter', async () => {
    const on = stage(asking([field('c', 'choice', { options: numbered(10_000) })]));
    expect(on.all('option').length).toBeLessThan(300);
    const filter = on.control('c');
    filter.value = 'option 9876';
    filter.dispatchEvent(new Event('input'));
    const [list] = on.all<HTMLSelectElement>('select');
    expect([...(list?.options ?? [])].map(option => option.textContent)).toEqual(['Not set', 'Option 9876']);
    if (list !== undefined) list.selectedIndex = 1;
    list?.dispatchEvent(new Event('change'));
    filter.value = 'nothing like it';
    filter.dispatchEvent(new Event('input'));
    expect(on.text()).toContain('Chosen: Option 9876.');
    expect(await draftSent(on)).toEqual([['c', '9876']]);
  });
});

describe('any of several', () => {
  test('go out in the order of the schema, once each', async () => {
    const on = stage(asking([field('c', 'choices', { options: options('Read', 'Write', 'Run') })]));
    on.control('Run').click();
    on.control('Read').click();
    expect(await draftSent(on)).toEqual([['c', ['0', '2']]]);
  });

  test('none of them is an answer, and differs from not set', async () => {
    const on = stage(asking([field('c', 'choices', { options: options('Read') })]));
    on.control('Read').click();
    on.control('Read').click();
    expect(on.text()).toContain('Answer: none of them.');
    expect(await draftSent(on)).toEqual([['c', []]]);
  });

  test('can be unset again', async () => {
    const on = stage(asking([field('c', 'choices', { options: options('Read') })]));
    on.control('Read').click();
    on.button('Back to “not set”').click();
    expect(on.control('Read').checked).toBe(false);
    expect(await draftSent(on)).toEqual([['c', null]]);
  });

  test('very many build few nodes, and a tick outside the filter is kept', async () => {
    const on = stage(asking([field('c', 'choices', { options: numbered(10_000) })]));
    expect(on.all('input').length).toBeLessThan(300);
    on.control('Option 3').click();
    const [filter] = on.all<HTMLInputElement>('input[type=text]');
    if (filter === undefined) throw new Error('no filter');
    filter.value = '9999';
    filter.dispatchEvent(new Event('input'));
    on.control('Option 9999').click();
    expect(await draftSent(on)).toEqual([['c', ['3', '9999']]]);
  });
});

test('every element that can have focus keeps the page from taking its keys', () => {
  const kinds = ['string', 'email', 'integer', 'date', 'date-time', 'boolean'];
  const on = stage(
    asking(
      [
        ...kinds.map(kind => field(kind, kind)),
        field('few', 'choice', { options: numbered(2) }),
        field('many', 'choice', { options: numbered(20) }),
        field('most', 'choice', { options: numbered(200) }),
        field('any', 'choices', { options: numbered(20) })
      ],
      {},
      { notes: ['A note.'], message: 'x\n'.repeat(100) }
    )
  );
  const bare = on
    .all('input, select, textarea, button, summary, [tabindex], .jme-scroll, .jme-message')
    .filter(node => node.dataset['lmSuppressShortcuts'] !== 'true');
  expect(bare).toEqual([]);
});

test('fields named like the parts of every object are asked and answered', async () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
  const on = stage(asking(names.map(name => field(name, 'string'))));
  for (const name of names) type(on.control(name), `is ${name}`);
  expect(await draftSent(on)).toEqual(names.map(name => [name, `is ${name}`]));
});

test('Enter in a text box of several fields does not submit', async () => {
  const on = stage(asking([field('a', 'string'), field('b', 'string')]));
  press(on.control('a'), 'Enter');
  await settle();
  expect(on.sent).toEqual([]);
});
