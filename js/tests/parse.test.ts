import { expect, test } from 'vitest';

import { parseCard, parseDraft } from '../src/parse';
import { asking, cardJson, field, options, urlJson } from './cards';

test('a card keeps field order and the type of each draft value', () => {
  const fields = [field('zeta', 'string'), field('alpha', 'choices', { options: options('a', 'b') })];
  const card = asking(fields, { zeta: '4', alpha: ['1'] });
  expect(card.fields.map(each => each.name)).toEqual(['zeta', 'alpha']);
  expect(card.draft).toEqual([
    ['zeta', '4'],
    ['alpha', ['1']]
  ]);
});

test.each([
  ['no object', 'text'],
  ['an unknown state', cardJson({ state: 'perhaps' })],
  ['an unknown mode', cardJson({ mode: 'voice' })],
  ['an unknown kind of field', cardJson({ fields: [field('x', 'colour')] })],
  ['a choice whose options are no list', cardJson({ fields: [field('x', 'choice', { options: {} })] })],
  ['an asker of an unknown kind', cardJson({ asker: { name: 'x', kind: 'admin' } })],
  ['an empty id', cardJson({ id: '' })],
  ['a message that is no text', cardJson({ message: 3 })]
])('a card with %s is refused', (_, value) => {
  expect(() => parseCard(value)).toThrow();
});

test('a card never holds more than the wire names', () => {
  const card = parseCard(cardJson({ content: { secret: 'x' } }));
  expect(JSON.stringify(card)).not.toContain('secret');
});

test('a draft whose names are those of every object survives', () => {
  const pairs: unknown = JSON.parse('[["__proto__","a"],["constructor","b"],["toString",null]]');
  expect(new Map(parseDraft(pairs)).get('__proto__')).toBe('a');
  expect(new Map(parseDraft(pairs)).get('toString')).toBeNull();
});

test('a link keeps its address as judged, and how far it got', () => {
  const card = parseCard(urlJson({ warnings: ['One.'] }, { state: 'accepted', flow: 'opened' }));
  expect(card).toMatchObject({ flow: 'opened', url: { host: 'login.example.org', warnings: ['One.'] } });
});

test.each([
  ['no address', urlJson({}, { url: undefined })],
  ['an address that is mere text', urlJson({}, { url: 'https://login.example.org/' })],
  ['an unknown level', urlJson({ level: 'safe' })],
  ['another scheme than the two', urlJson({ scheme: 'javascript' })],
  ['an empty href', urlJson({ href: '' })],
  ['no domain', urlJson({ domain: undefined })],
  ['a host that is no text', urlJson({ host: 3 })],
  ['warnings that are no list', urlJson({ warnings: 'none' })],
  ['a warning that is no text', urlJson({ warnings: [3] })],
  ['an unknown flow', urlJson({}, { flow: 'perhaps' })],
  ['no word of the flow', urlJson({}, { flow: undefined })]
])('a link with %s is refused', (_, value) => {
  expect(() => parseCard(value)).toThrow();
});
