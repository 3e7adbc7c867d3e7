import { expect, test } from 'vitest';

import { parts, refusal } from '../src/url/check';
import type { Address } from '../src/wire';
import { urlCard } from './cards';

const address = (more: Partial<Address> = {}): Address => urlCard({ ...more }).url;

test('an address that this browser reads as shown may be a link', () => {
  expect(refusal(address())).toBe('');
  expect(refusal(address({ href: 'http://127.0.0.1:8080/cb', scheme: 'http', host: '127.0.0.1', domain: '127.0.0.1' }))).toBe('');
  expect(refusal(address({ href: 'https://[::1]/', host: '[::1]', domain: '[::1]' }))).toBe('');
  expect(refusal(address({ href: 'https://login.example.org./', host: 'login.example.org.' }))).toBe('');
});

const other = 'something else than what is shown';

test.each<[string, Partial<Address>, string]>([
  ['is not in canonical form', { href: 'https://LOGIN.example.org/x' }, other],
  ['lacks the slash that the browser adds', { href: 'https://login.example.org' }, other],
  ['has another host than shown', { host: 'other.example.org' }, other],
  ['has another scheme than shown', { scheme: 'http' }, other],
  ['does not belong to the domain in bold', { domain: 'evil.example' }, other],
  ['ends in the domain but not at a dot', { domain: 'ample.org' }, other],
  ['hides a direction mark', { href: 'https://login.example.org/\u202ex' }, other],
  ['is no web page', { href: 'javascript:alert(1)//login.example.org/' }, 'Only web pages'],
  ['carries a password', { href: 'https://a:b@login.example.org/x' }, 'a user name or a password'],
  ['leads into this Jupyter', { href: `${location.origin}/lab`, scheme: 'http', host: 'localhost', domain: 'localhost' }, 'into this Jupyter'],
  ['cannot be read', { href: 'https://' }, 'cannot read']
])('an address that %s is no link, and the sentence says why', (_, more, words) => {
  expect(refusal(address(more))).toContain(words);
});

test('an address comes in three parts that make the whole', () => {
  expect(parts(address())).toEqual(['https://login.', 'example.org', '/x?y=1']);
  const behind = address({ href: 'https://good.example/#@evil.example', host: 'good.example', domain: 'good.example' });
  expect(parts(behind)).toEqual(['https://', 'good.example', '/#@evil.example']);
});
