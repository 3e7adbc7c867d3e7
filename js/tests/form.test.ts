import { describe, expect, test, vi } from 'vitest';

import { DraftMemory } from '../src/draft';
import { asking, ended, field, formCard, options, withdrawn } from './cards';
import { press, settle, stage, type, withFakeTime } from './stage';

withFakeTime();

const two = asking([field('name', 'string', { required: true }), field('party', 'integer')]);
const one = asking([field('name', 'string')]);

describe('who asks', () => {
  test('is our name for the server, what it calls itself comes second', () => {
    const text = stage(two).text();
    expect(text).toContain('bistro asks');
    expect(text).toContain('stdio: python -m bistro');
    expect(text).toContain('calls itself “Bistro”');
    expect(text.indexOf('bistro asks')).toBeLessThan(text.indexOf('calls itself'));
  });

  test('the text of the server stands in a box that says so, ours outside', () => {
    const on = stage(asking([field('name', 'string', { label: 'Your name', help: 'Helpful' })], {}, { message: 'Please?' }));
    const [box] = on.all('.jme-server');
    expect(box?.firstElementChild?.textContent).toBe('Text from server bistro');
    for (const text of ['Please?', 'Your name', 'Helpful']) expect(box?.textContent).toContain(text);
    for (const text of ['asks', 'book_table', 'Submit', 'left']) expect(box?.textContent).not.toContain(text);
  });

  test.each([
    ['caused', 'while running book_table'],
    ['during', 'while book_table was running'],
    ['none', 'not caused by anything you ran']
  ])('a cause that is %s is worded as sure as it is', (certainty, words) => {
    const cause = { tool: certainty === 'none' ? '' : 'book_table', arguments: '{}', certainty };
    expect(stage(formCard({ cause })).text()).toContain(words);
  });

  test.each([
    [{ round: 1, number: 2, of: 3 }, 'while running t · question 2 of 3'],
    [{ round: 2, number: 1, of: 1 }, 'while running t · round 2'],
    [{ round: 2, number: 1, of: 2 }, 'while running t · question 1 of 2, round 2']
  ])('a question says its place among those of its call: %j', (place, words) => {
    const cause = { tool: 't', arguments: '{}', certainty: 'caused', ...place };
    expect(stage(formCard({ cause })).text()).toContain(words);
  });

  test('the questions of one round hang together, and the first says what is waited for', () => {
    const card = (number: number, of: number): Parameters<typeof stage>[0] =>
      formCard({ cause: { tool: 't', arguments: '{}', certainty: 'caused', round: 1, number, of } });
    const words = 'bistro asks 3 questions at once. The call goes on when all 3 are answered.';
    const [first, next, alone] = [stage(card(1, 3)), stage(card(3, 3)), stage(card(1, 1))];
    expect(first.view.node.dataset['round']).toBe('first');
    expect(first.text()).toContain(words);
    expect(next.view.node.dataset['round']).toBe('next');
    expect(next.text()).not.toContain(words);
    expect(alone.view.node.dataset['round']).toBeUndefined();
    first.view.update(ended(card(1, 3), 'accepted'));
    expect(first.text()).not.toContain(words);
  });

  test('a call with one question counts nothing', () => {
    const cause = { tool: 't', arguments: '{}', certainty: 'caused', round: 1, number: 1, of: 1 };
    expect(stage(formCard({ cause })).text()).not.toMatch(/question 1|round/);
  });

  test('the arguments of the call are shown as they came, long numbers too', () => {
    const cause = { tool: 't', arguments: '{"id": 90071992547409931}', certainty: 'caused' };
    const [details] = stage(formCard({ cause })).all<HTMLDetailsElement>('details');
    expect(details?.open).toBe(false);
    expect(details?.querySelector('pre')?.textContent).toBe('{"id": 90071992547409931}');
  });

  test('a notebook and Jupyter itself ask in their own names', () => {
    const cause = { tool: '', arguments: '', certainty: 'none' };
    const notebook = { name: 'This notebook', kind: 'notebook', transport: '', callsItself: '' };
    const text = stage(formCard({ asker: notebook, cause })).text();
    expect(text).toContain('This notebook asks');
    expect(text).toContain('Text from this notebook');
    expect(text).not.toContain('not caused');
    const jupyter = { name: 'Jupyter', kind: 'jupyter', transport: '', callsItself: '' };
    expect(stage(formCard({ asker: jupyter, cause })).text()).toContain('Jupyter asks');
  });

  test('hostile text is literal wherever it stands', () => {
    const evil = '<img src=x onerror=alert(1)>';
    const on = stage(
      formCard({
        message: evil,
        asker: { name: evil, kind: 'server', transport: evil, callsItself: evil },
        cause: { tool: evil, arguments: evil, certainty: 'caused' },
        notes: [evil],
        fields: [
          field(evil, 'string', { label: evil, help: evil, hint: evil, note: evil, placeholder: evil }),
          field('c', 'choice', { options: [{ key: evil, label: evil, value: evil }] }),
          field('s', 'choice', { options: options(...Array.from({ length: 9 }, () => evil)) })
        ],
        draft: [
          [evil, evil],
          ['c', evil],
          ['s', null]
        ]
      })
    );
    expect(on.all('img, script, a, iframe')).toEqual([]);
    expect(on.text().split(evil).length).toBeGreaterThan(10);
  });
});

describe('labels and help', () => {
  test('a control is named by its label and described by help, hint and note', () => {
    const more = { label: 'Name', help: 'Help.', hint: 'Hint.', note: 'Note.', required: true };
    const on = stage(asking([field('n', 'string', more)]));
    const box = on.control('Name');
    const described = (box.getAttribute('aria-describedby') ?? '').split(' ').map(id => document.getElementById(id)?.textContent);
    expect(described).toEqual(['Help.', 'Hint.', 'Note.']);
    expect(box.getAttribute('aria-required')).toBe('true');
    expect(on.text()).toContain('required');
  });

  test('the mark of a required field is a word of its own', () => {
    const on = stage(asking([field('d', 'choices', { label: 'Dishes', required: true, options: [] })]));
    expect(on.all('legend').map(node => node.textContent)).toEqual(['Dishes required']);
  });

  test('a field that asks for a secret is marked in our words', () => {
    const on = stage(asking([field('token', 'string', { sensitive: true })]));
    expect(on.text()).toContain('This server asks for a secret in a form. MCP forbids that; URL mode exists for it.');
    expect(on.text()).toContain('Send the secret that I type, although MCP forbids servers to ask for one in a form');
  });

  test('what the notebook itself asks for breaks no rule for servers', () => {
    const on = stage(asking([field('token', 'string', { sensitive: true })], {}, { asker: { kind: 'notebook', name: 'nb' } }));
    expect(on.text()).toContain('This looks like a secret. What you type goes to the code that asks.');
    expect(on.text()).not.toContain('MCP');
  });
});

describe('the one answer', () => {
  test.each([
    ['Submit', 'accept'],
    ['Decline', 'decline'],
    ['Cancel', 'cancel']
  ])('%s sends %s', async (text, action) => {
    const on = stage(two);
    on.button(text).click();
    await settle();
    expect(on.sent.map(each => each.action)).toEqual([action]);
  });

  test('what was typed does not travel with a decline', async () => {
    const on = stage(two);
    type(on.control('name'), 'Ada');
    on.button('Decline').click();
    await settle();
    expect(on.sent).toEqual([{ action: 'decline', draft: [] }]);
  });

  test('a double click sends once, and so does Submit with Cancel behind it', async () => {
    const on = stage(two);
    on.button('Submit').click();
    on.button('Submit').click();
    vi.advanceTimersByTime(50);
    on.all('button').find(node => node.textContent === 'Cancel')?.click();
    await settle();
    expect(on.sent).toHaveLength(1);
  });

  test('a form without fields is a confirmation', async () => {
    const on = stage(formCard());
    on.button('Submit').click();
    await settle();
    expect(on.sent).toEqual([{ action: 'accept', draft: [] }]);
  });

  test('no button is the default one', () => {
    for (const button of stage(two).all<HTMLButtonElement>('button')) expect(button.type).toBe('button');
  });

  test('clicks that no hand made are ignored', async () => {
    const on = stage(two, { trusted: event => event.isTrusted });
    on.button('Submit').click();
    press(on.control('name'), 'Enter', { ctrlKey: true });
    press(on.control('name'), 'Escape');
    await settle();
    expect(on.sent).toEqual([]);
  });
});

describe('arming', () => {
  test('buttons and keys do nothing for the first half second', async () => {
    const on = stage(two, { armed: false });
    vi.advanceTimersByTime(400);
    expect(on.button('Submit').getAttribute('aria-disabled')).toBe('true');
    on.button('Submit').click();
    press(on.control('name'), 'Enter', { ctrlKey: true });
    press(on.control('name'), 'Escape');
    await settle();
    expect(on.sent).toEqual([]);
    vi.advanceTimersByTime(300);
    expect(on.button('Submit').hasAttribute('aria-disabled')).toBe(false);
    on.button('Submit').click();
    await settle();
    expect(on.sent).toHaveLength(1);
  });

  test('buttons that have just moved take no click', async () => {
    const on = stage(two);
    const [bar] = on.all('.jme-bar');
    if (bar === undefined) throw new Error('no bar');
    bar.getBoundingClientRect = () => new DOMRect(0, 80, 100, 20);
    const click = () => on.button('Submit').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
    click();
    await settle();
    expect(on.sent).toEqual([]);
    expect(on.button('Submit').getAttribute('aria-disabled')).toBe('true');
    vi.advanceTimersByTime(600);
    click();
    await settle();
    expect(on.sent).toHaveLength(1);
  });

  test('the form never takes focus, and says once that it was painted', async () => {
    const on = stage(two);
    await settle();
    expect(document.activeElement).toBe(document.body);
    expect(on.counts.shown).toBe(1);
  });
});

describe('keys', () => {
  test('Enter submits a form of one line', async () => {
    const on = stage(one);
    press(on.control('name'), 'Enter');
    await settle();
    expect(on.sent.map(each => each.action)).toEqual(['accept']);
  });

  test('Enter in a text of several lines is a new line', async () => {
    const on = stage(asking([field('t', 'string', { multiline: true })]));
    expect(press(on.control('t'), 'Enter').defaultPrevented).toBe(false);
    await settle();
    expect(on.sent).toEqual([]);
  });

  test.each([{ ctrlKey: true }, { metaKey: true }])('Enter with %o submits any form', async modifier => {
    const on = stage(two);
    press(on.control('party'), 'Enter', modifier);
    await settle();
    expect(on.sent.map(each => each.action)).toEqual(['accept']);
  });

  test('Enter of an input method belongs to the input method', async () => {
    const on = stage(one);
    press(on.control('name'), 'Enter', { isComposing: true });
    press(on.control('name'), 'Escape', { isComposing: true });
    await settle();
    expect(on.sent).toEqual([]);
  });

  test('keys do not leave the form', () => {
    const heard = vi.fn();
    document.body.addEventListener('keydown', heard);
    const on = stage(two);
    press(on.control('name'), 'd');
    press(on.button('Submit'), 'x');
    document.body.removeEventListener('keydown', heard);
    expect(heard).not.toHaveBeenCalled();
  });

  test('Ctrl+S saves the notebook around the form', () => {
    const save = vi.fn();
    const on = stage(two, { save });
    expect(press(on.control('name'), 's', { ctrlKey: true }).defaultPrevented).toBe(true);
    expect(press(on.control('name'), 's').defaultPrevented).toBe(false);
    expect(save).toHaveBeenCalledOnce();
  });

  test('Escape cancels an untouched form', async () => {
    const on = stage(two);
    press(on.control('name'), 'Escape');
    await settle();
    expect(on.sent).toEqual([{ action: 'cancel', draft: [] }]);
  });

  test('Escape asks first when something was typed, and Escape again keeps it', async () => {
    const on = stage(two);
    const box = on.control('name');
    box.focus();
    type(box, 'Ada');
    press(box, 'Escape');
    expect(on.all('.jme-discard')[0]?.hidden).toBe(false);
    expect(document.activeElement?.textContent).toBe('No, keep');
    press(document.activeElement ?? box, 'Escape');
    await settle();
    expect(on.all('.jme-discard')[0]?.hidden).toBe(true);
    expect(document.activeElement).toBe(box);
    expect(on.sent).toEqual([]);
    expect(box.value).toBe('Ada');
  });

  test('Escape, then yes, cancels', async () => {
    const on = stage(two);
    type(on.control('name'), 'Ada');
    press(on.control('name'), 'Escape');
    on.button('Yes, cancel').click();
    await settle();
    expect(on.sent).toEqual([{ action: 'cancel', draft: [] }]);
  });
});

describe('replies', () => {
  test('problems go to their fields and focus to the first', async () => {
    const problems = [
      ['party', 'At most 12.'],
      ['name', 'This is needed.']
    ] as const;
    const on = stage(two, { reply: () => ({ kind: 'problems', message: '', problems }) });
    on.button('Submit').click();
    await settle();
    const name = on.control('name');
    expect(document.activeElement).toBe(name);
    expect(name.getAttribute('aria-invalid')).toBe('true');
    const described = (name.getAttribute('aria-describedby') ?? '').split(' ').map(id => document.getElementById(id));
    expect(described.some(node => node?.textContent === 'This is needed.' && node.getAttribute('role') === 'alert')).toBe(true);
    expect(on.all('.jme-summary')[0]?.textContent).toBe('2 answers need another look: name, party.');
  });

  test('a corrected field loses its problem, and the form can be sent again', async () => {
    const on = stage(two, { reply: () => ({ kind: 'problems', message: '', problems: [['name', 'Needed.']] }) });
    on.button('Submit').click();
    await settle();
    type(on.control('name'), 'Ada');
    expect(on.control('name').hasAttribute('aria-invalid')).toBe(false);
    on.button('Submit').click();
    await settle();
    expect(on.sent).toHaveLength(2);
  });

  test('a problem that belongs to no field is said too', async () => {
    const on = stage(two, { reply: () => ({ kind: 'problems', message: '', problems: [['', 'Not like this.']] }) });
    on.button('Submit').click();
    await settle();
    expect(on.all('.jme-summary')[0]?.textContent).toBe('Not like this.');
  });

  test('a failed send says so, keeps the text and can be tried again', async () => {
    const on = stage(two, { reply: () => ({ kind: 'failed', message: 'The Jupyter server could not be reached.' }) });
    type(on.control('name'), 'Ada');
    on.button('Submit').click();
    await settle();
    expect(on.all('[role=status]').at(-1)?.textContent).toContain('could not be reached');
    expect(on.control('name').value).toBe('Ada');
    on.button('Submit').click();
    await settle();
    expect(on.sent).toHaveLength(2);
  });

  test('when somebody answered first the record says how', async () => {
    const on = stage(two, { reply: () => ({ kind: 'late', message: '', card: ended(two, 'declined', 'kernel') }) });
    on.button('Submit').click();
    await settle();
    expect(on.text()).toContain('declined');
    expect(on.text()).toContain('answered by code in the kernel');
    expect(on.all('input')).toEqual([]);
  });

  test('a question that is gone says why and keeps what was typed readable', async () => {
    const on = stage(two, { reply: () => ({ kind: 'gone', message: '', card: ended(two, 'expired') }) });
    type(on.control('name'), 'a long text');
    on.button('Submit').click();
    await settle();
    expect(on.text()).toContain('The time was up. Nothing was sent.');
    expect(on.control('name').value).toBe('a long text');
    expect(on.control('name').readOnly).toBe(true);
    expect(on.all('button').map(node => node.textContent)).not.toContain('Submit');
    on.button('Close').click();
    expect(on.text()).toContain('cancelled: the time was up');
  });
});

describe('changes from elsewhere', () => {
  test('a card that says shown leaves what is typed alone', () => {
    const on = stage(two);
    const box = on.control('name');
    type(box, 'Ada');
    on.view.update({ ...two, state: 'shown' });
    expect(on.control('name')).toBe(box);
    expect(box.value).toBe('Ada');
  });

  test('an answer in another tab turns the form into its record', () => {
    const on = stage(two);
    on.view.update(ended(two, 'accepted'));
    expect(on.text()).toMatch(/^bistro asked during book_tableaccepted\d\d:31answered in another tab$/);
  });

  test.each([
    ['a server that stops waiting after a minute', '2026-12-01T09:30:00Z', 'asker', true],
    ['one that does so sooner', '2026-12-01T09:30:05Z', 'asker', false],
    ['one that does so later', '2026-12-01T09:29:50Z', 'asker', false],
    ['a person who interrupts after a minute', '2026-12-01T09:30:00Z', 'caller', false]
  ] as const)('%s may have the limit of its SDK, or not, and the form says so', (_, created, by, said) => {
    const on = stage(two);
    type(on.control('name'), 'Ada');
    on.view.update(withdrawn({ ...two, created }, by));
    expect(on.text().includes('after about 60 seconds, as servers built with the TypeScript SDK do by default. Nothing was sent.')).toBe(said);
    expect(on.control('name').value).toBe('Ada');
  });

  test('a withdrawn question keeps typed text, and an untouched form just ends', () => {
    const typed = stage(two);
    type(typed.control('name'), 'Ada');
    typed.view.update(ended({ ...two, created: '2026-12-01T09:25:00Z' }, 'withdrawn'));
    expect(typed.text()).toContain('This question was taken back: the one who asked stopped waiting. Nothing was sent.');
    expect(typed.control('name').value).toBe('Ada');
    const untouched = stage(two);
    untouched.view.update(ended(two, 'withdrawn'));
    expect(untouched.all('input')).toEqual([]);
  });

  test.each([
    ['asker', 'the server stopped waiting'],
    ['caller', 'the call was interrupted'],
    ['call', 'the call failed'],
    ['connection', 'the connection to the server ended'],
    ['owner', 'the kernel or Jupyter was stopped']
  ] as const)('a form that is taken back by the %s says so, and so does its record', (by, words) => {
    const typed = stage(two);
    type(typed.control('name'), 'Ada');
    typed.view.update(withdrawn({ ...two, created: '2026-12-01T09:25:00Z' }, by));
    expect(typed.text()).toContain(`This question was taken back: ${words}. Nothing was sent.`);
    const untouched = stage(two);
    untouched.view.update(withdrawn(two, by));
    expect(untouched.text()).toContain(`taken back: ${words}`);
  });

  test('a question that waits its turn cannot be answered, and can when its turn comes', () => {
    const queued = { ...two, state: 'queued' } as const;
    const on = stage(queued);
    expect(on.all('button, input')).toEqual([]);
    on.view.update(two);
    expect(on.button('Submit')).toBeTruthy();
  });

  test('a draft from the kernel fills the controls', async () => {
    const on = stage(two);
    on.view.fill([
      ['name', 'Grace'],
      ['party', '7']
    ]);
    on.button('Submit').click();
    await settle();
    expect(on.sent[0]?.draft).toEqual([
      ['name', 'Grace'],
      ['party', '7']
    ]);
  });

  test('the time left is shown and ticks', () => {
    const on = stage({ ...two, secondsLeft: 61 }, { armed: false });
    expect(on.text()).toContain('1:01 left');
    vi.advanceTimersByTime(2000);
    expect(on.text()).toContain('0:59 left');
    expect(on.all('.jme-time [aria-live=off]')[0]?.getAttribute('aria-live')).toBe('off');
    vi.advanceTimersByTime(60_000);
    expect(on.text()).toContain('time is up');
  });
});

describe('afterwards', () => {
  test('the record says who, what, when and where, and nothing of the content', async () => {
    const on = stage(two);
    type(on.control('name'), 'CANARY');
    on.button('Submit').click();
    await settle();
    expect(on.text()).toMatch(/^bistro asked during book_tableaccepted\d\d:31answered here$/);
    expect(document.body.outerHTML).not.toContain('CANARY'); // lint: allow
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('CANARY');
  });

  test('later news of the delivery does not change who answered', () => {
    const on = stage(two);
    on.view.update(ended(two, 'accepted'));
    on.view.update(ended(two, 'accepted'));
    expect(on.text()).toContain('answered in another tab');
  });

  test('focus that was in the form stays in its place', async () => {
    const on = stage(one);
    on.control('name').focus();
    press(on.control('name'), 'Enter');
    await settle();
    expect(on.view.node.contains(document.activeElement)).toBe(true);
  });

  test('a view that is disposed leaves no timer behind', () => {
    const on = stage(two);
    on.view.dispose();
    expect(vi.getTimerCount()).toBe(0);
    expect(on.view.node.isConnected).toBe(false);
  });
});

describe('typed text is remembered', () => {
  test('by a form that is drawn again, and by a page that is loaded again', () => {
    const memory = new DraftMemory(sessionStorage);
    const first = stage(two, { memory });
    type(first.control('name'), 'Ada');
    vi.advanceTimersByTime(250);
    first.view.dispose();
    expect(stage(two, { memory }).control('name').value).toBe('Ada');
    expect(stage(two, { memory: new DraftMemory(sessionStorage) }).control('name').value).toBe('Ada');
  });

  test('only until the answer', async () => {
    const on = stage(two);
    type(on.control('name'), 'Ada');
    vi.advanceTimersByTime(250);
    expect(sessionStorage).toHaveLength(1);
    on.button('Submit').click();
    await settle();
    expect(sessionStorage).toHaveLength(0);
  });

  test('in one piece after a pause, or when the field or the page is left', () => {
    const on = stage(two);
    for (const text of ['A', 'Ad', 'Ada']) type(on.control('name'), text);
    expect(on.drafts).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(on.drafts).toEqual([
      [
        ['name', 'Ada'],
        ['party', null]
      ]
    ]);
    type(on.control('party'), '4');
    on.control('party').dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    expect(on.drafts.at(-1)).toEqual([
      ['name', 'Ada'],
      ['party', '4']
    ]);
    type(on.control('party'), '44');
    window.dispatchEvent(new Event('pagehide'));
    expect(on.drafts.at(-1)?.at(-1)).toEqual(['party', '44']);
  });

  test('a secret is told to nobody and stored nowhere', () => {
    const card = asking([field('name', 'string'), field('token', 'string', { sensitive: true })]);
    const on = stage(card);
    type(on.control('token'), 'CANARY');
    type(on.control('name'), 'Ada');
    vi.advanceTimersByTime(250);
    expect(on.drafts).toEqual([[['name', 'Ada']]]);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('CANARY');
    on.view.fill([['token', null]]);
    expect(on.control('token').value).toBe('CANARY');
  });
});
