/** A moment: wall clock time with its offset in sight. Untouched, it is given back byte for byte. */

import { focusable, make } from '../dom';
import type { Editor, EditorContext } from '../editor';
import { localOffset, putTogether, takeApart, zoneName } from '../offsets';
import type { DraftValue } from '../wire';
import { trans } from '../words';
import { boxEditor } from './text';

const LOCAL = 'local';

export function dateTimeEditor(context: EditorContext): Editor {
  // With a last moment years have four digits, as in date.ts.
  const limits = { max: '9999-12-31T23:59:59.999', step: '1' };
  const wall = focusable(make('input', { id: context.id, class: 'jme-input jme-date', type: 'datetime-local', ...limits }));
  const offset = focusable(make('select', { class: 'jme-input jme-offset', 'aria-label': trans.__('Offset from UTC') }));
  const own = typeof context.initial === 'string' ? takeApart(context.initial) : null;
  // A leap second, a fraction finer than the control's, a year it does not know: text, as RFC 3339.
  if (typeof context.initial === 'string' && (own === null || !holds(wall, own.wall))) return asText(context);

  let given: DraftValue = null;
  let shown = '';
  const current = (): string => `${wall.value} ${offset.value}`;
  const name = (): void => {
    const local = offset.options[0];
    if (local === undefined) return;
    const zone = zoneName();
    local.textContent = `${trans.__('%1 local', localOffset(wall.value))}${zone === '' ? '' : ` (${zone})`}`;
  };
  offset.append(make('option', { value: LOCAL }), make('option', { value: 'Z' }, 'Z (UTC)'));
  const choose = (wanted: string): void => {
    const known = [...offset.options].some(option => option.value === wanted);
    if (!known) offset.append(make('option', { value: wanted }, wanted === own?.offset ? trans.__('%1 (as in the default)', wanted) : wanted));
    offset.value = wanted;
  };
  const fill = (value: DraftValue): void => {
    const stamp = typeof value === 'string' ? takeApart(value) : null;
    given = stamp === null ? null : value;
    wall.value = stamp?.wall ?? '';
    if (stamp === null) offset.value = LOCAL;
    else if (stamp.offset !== own?.offset && stamp.offset === localOffset(stamp.wall)) offset.value = LOCAL;
    else choose(stamp.offset);
    name();
    shown = current();
  };
  fill(context.initial);
  const first = { given, shown };
  const changed = (): void => {
    name();
    context.changed();
  };
  wall.addEventListener('input', changed);
  offset.addEventListener('change', changed);
  if (context.required) wall.setAttribute('aria-required', 'true');
  return {
    node: make('div', { class: 'jme-moment' }, wall, offset),
    target: wall,
    described: [wall, offset],
    singleLine: false,
    read: () => {
      const now = current();
      if (now === shown) return given;
      if (now === first.shown) return first.given;
      if (wall.value === '') return context.initial === null ? null : '';
      return putTogether(wall.value, offset.value === LOCAL ? localOffset(wall.value) : offset.value);
    },
    fill,
    focus: () => {
      wall.focus();
    },
    trouble: () => (wall.validity.badInput ? trans.__('This is not a whole date and time.') : null),
    freeze: () => {
      wall.readOnly = true;
      offset.disabled = true;
    }
  };
}

function holds(control: HTMLInputElement, wall: string): boolean {
  control.value = wall;
  const held = control.value;
  control.value = '';
  return held !== '' && same(held) === same(wall);
}

/** The control drops zero seconds and zeros at a fraction's end. */
function same(wall: string): string {
  return wall.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '').replace(/(T\d{2}:\d{2}):00$/, '$1');
}

function asText(context: EditorContext): Editor {
  const box = make('input', { id: context.id, class: 'jme-input', type: 'text', placeholder: '2026-12-01T09:30:00+01:00', autocomplete: 'off', spellcheck: 'false' });
  return boxEditor(focusable(box), context, true);
}
