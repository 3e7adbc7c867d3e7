import { expect, test } from 'vitest';

import { CAPS, plain, shown, shownLines, shownMessage } from '../src/text';

const boxes = (node: HTMLElement): string[] =>
  [...node.querySelectorAll('.jme-unseen')].map(box => box.textContent ?? '');

test('markup, links and mathematics stay the letters that they are', () => {
  const hostile = '<img src=x onerror=alert(1)> [ok](javascript:alert(1)) $\\href{x}{y}$ https://evil.example';
  const node = shown(hostile);
  expect(node.textContent).toBe(hostile);
  expect(node.querySelectorAll('*')).toHaveLength(0);
});

test('each character that hides something becomes a box', () => {
  const hidden = ['\u202E', '\u2066', '\u200B', '\uFEFF', '\u00AD', '\u0007', '\u001B', '\u009B', '\uE000', '\u{E0041}'];
  for (const character of hidden) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    expect(boxes(shown(`a${character}b`))).toEqual([`[U+${code}]`]);
    expect(plain(`a${character}b`)).toBe(`a[U+${code}]b`);
  }
});

test('fillers that pass for blanks and lone surrogates are boxes too', () => {
  expect(boxes(shown('\u3164\u2800\u115F\uD800'))).toEqual(['[U+3164]', '[U+2800]', '[U+115F]', '[U+D800]']);
});

test('letters of other scripts and emoji are not boxed', () => {
  for (const text of ['Žluťoučký', 'שלום', 'สวัสดี', '日本語', '✔️', '👍🏽', 'नमस्ते']) {
    expect(boxes(shown(text))).toEqual([]);
    expect(shown(text).textContent).toBe(text.normalize('NFC'));
  }
});

test('a pile of marks is cut to what a script needs', () => {
  const node = shownMessage(`a${'\u0335'.repeat(3000)}b`);
  expect(boxes(node)).toEqual(['[more marks]']);
  expect([...(node.textContent ?? '')].length).toBeLessThan(40);
});

test('a message of very many marks is drawn in time', () => {
  const start = performance.now();
  const node = shownMessage('a' + '\u0335\u0316'.repeat(250_000));
  node.querySelector('button')?.click();
  expect(performance.now() - start).toBeLessThan(1000);
});

test('a message keeps its newlines, a label has none', () => {
  expect(shownMessage('one\r\ntwo\rthree').textContent).toBe('one\ntwo\nthree');
  expect(shown('one\r\ntwo\u2028three').textContent).toBe('one two three');
  expect(shownLines('help\nmore').textContent).toBe('help\nmore');
});

test('a long label ends in an ellipsis after its cap of characters, not of units', () => {
  expect([...plain('😀'.repeat(300))]).toHaveLength(CAPS.label + 1);
  expect(plain('😀'.repeat(CAPS.label))).toBe('😀'.repeat(CAPS.label));
  expect(plain('x'.repeat(300))).toBe(`${'x'.repeat(CAPS.label)}…`);
});

test('a message of many lines is cut, and shown whole on request', () => {
  const whole = Array.from({ length: 10_000 }, (_, at) => `line ${at}`).join('\n');
  const node = shownMessage(whole);
  document.body.append(node);
  expect(node.textContent).not.toContain('line 41');
  node.querySelector('button')?.click();
  expect(node.textContent).toBe(whole);
  expect(document.activeElement).toBe(node);
});

test('a message of many characters is cut', () => {
  const node = shownMessage('x'.repeat(1_000_000));
  expect(node.querySelector('.jme-lines')?.textContent).toHaveLength(CAPS.message + 1);
});
