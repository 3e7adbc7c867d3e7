/** Foreign text, shown as it is: no markup, no links, and what the eye cannot see becomes a box. */

import { button, focusable, make } from './dom';
import { trans } from './words';

export const CAPS = { message: 8192, lines: 40, label: 200, help: 2000, name: 80 } as const;

// Control, format (bidi, zero-width), line separators, lone surrogates, private use, unassigned, tags and variation
// supplements, fillers and blanks that pass for nothing; then marks piled higher than any script needs.
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2800\u3164\uFFA0\u{E0000}-\u{E01EF}]|(?<=[\p{Mn}\p{Me}]{8})[\p{Mn}\p{Me}]+/gu;

/** Nothing in it to look at closer; lists of ten thousand options are mostly this. */
const PLAIN = /^[\x20-\x7e\n\t]*$/;

interface Piece {
  readonly box: boolean;
  readonly text: string;
}

/** Text pieces and boxes, in order; a box is what stands for something unseen. */
function pieces(text: string): Piece[] {
  if (PLAIN.test(text)) return text === '' ? [] : [{ box: false, text }];
  const found: Piece[] = [];
  // NFC after the split: its cost is quadratic in a run of marks.
  const keep = (piece: string): void => {
    if (piece !== '') found.push({ box: false, text: piece.normalize('NFC') });
  };
  let from = 0;
  for (const match of text.matchAll(UNSEEN)) {
    const [hit] = match;
    if (hit === '\n' || hit === '\t') continue;
    keep(text.slice(from, match.index));
    found.push({ box: true, text: named(hit) });
    from = match.index + hit.length;
  }
  keep(text.slice(from));
  return found;
}

function named(hit: string): string {
  if (/^[\p{Mn}\p{Me}]{2}/u.test(hit)) return '[more marks]';
  const code = hit.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** One line: newlines become blanks, the length is capped by code points. */
function line(text: string, cap: number): string {
  return cut(text.replace(/[\n\r\t\v\f\x85\u2028\u2029]+/g, ' '), cap);
}

function cut(text: string, cap: number): string {
  // A code point takes at most two units, so a short text needs no count.
  if (text.length <= cap) return text;
  const points = [...text.slice(0, cap * 2 + 2)];
  return points.length <= cap ? text : `${points.slice(0, cap).join('')}…`;
}

/** Plain text for places that hold nothing else (an option of a select, an aria-label). */
export function plain(text: string, cap: number = CAPS.label): string {
  return pieces(line(text, cap))
    .map(piece => piece.text)
    .join('');
}

function span(text: string, className: string, dir = 'auto'): HTMLSpanElement {
  // Classes that keep MathJax of other front ends away.
  const node = make('span', { class: `${className} tex2jax_ignore mathjax_ignore`, dir });
  for (const piece of pieces(text)) {
    node.append(piece.box ? make('span', { class: 'jme-unseen' }, piece.text) : piece.text);
  }
  return node;
}

/** A label or name as an element. */
export function shown(text: string, cap: number = CAPS.label): HTMLSpanElement {
  return span(line(text, cap), 'jme-foreign');
}

/** A piece of an address: whole, whatever its length, and from left to right. */
export function shownAddress(text: string): HTMLSpanElement {
  return span(text, 'jme-foreign', 'ltr');
}

/** Several lines (help): newlines kept. */
export function shownLines(text: string, cap: number = CAPS.help): HTMLSpanElement {
  return span(cut(text.replace(/\r\n?/g, '\n'), cap), 'jme-foreign jme-lines');
}

/** The message: in a scroll box, the rest of a very long one behind a button. */
export function shownMessage(text: string): HTMLElement {
  const whole = text.replace(/\r\n?/g, '\n');
  const first = whole.split('\n', CAPS.lines + 1);
  const head = cut(first.slice(0, CAPS.lines).join('\n'), CAPS.message);
  const box = focusable(make('div', { class: 'jme-message' }, span(head, 'jme-foreign jme-lines')));
  if (head === whole) return box;
  const more = button(trans.__('Show all'), 'jme-small', () => {
    box.replaceChildren(span(whole, 'jme-foreign jme-lines'));
    box.tabIndex = 0;
    box.focus();
  });
  box.append(make('div', { class: 'jme-more' }, trans.__('The text is longer (%1 characters).', String(whole.length)), ' ', more));
  return box;
}
