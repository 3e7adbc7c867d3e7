/** Text, numbers, addresses: all are text until Python reads them. */

import { focusable, make } from '../dom';
import type { Editor, EditorContext } from '../editor';
import { plain } from '../text';
import type { DraftValue, TextField } from '../wire';

const INPUT_MODES: ReadonlyMap<string, string> = new Map([
  ['integer', 'decimal'],
  ['number', 'decimal'],
  ['email', 'email'],
  ['uri', 'url']
]);

type Box = HTMLInputElement | HTMLTextAreaElement;

export function textEditor(field: TextField, context: EditorContext): Editor {
  const multiline = field.multiline && !field.sensitive;
  const attributes = {
    id: context.id,
    class: 'jme-input',
    inputmode: INPUT_MODES.get(field.kind),
    placeholder: field.placeholder === '' ? undefined : plain(field.placeholder),
    autocapitalize: field.kind === 'string' ? undefined : 'off',
    autocomplete: field.sensitive ? 'new-password' : 'off',
    spellcheck: field.kind === 'string' && !field.sensitive ? undefined : 'false'
  };
  const box: Box = multiline
    ? make('textarea', { ...attributes, rows: '4' })
    : make('input', { ...attributes, type: field.sensitive ? 'password' : 'text', 'data-kind': field.kind });
  return boxEditor(focusable(box), context, !multiline);
}

/** Any text box. What nobody changed is given back as it came, byte for byte, although boxes alter newlines. */
export function boxEditor(box: Box, context: EditorContext, singleLine: boolean): Editor {
  let given: DraftValue = null;
  let shown = '';
  const fill = (value: DraftValue): void => {
    given = typeof value === 'string' ? value : null;
    box.value = given ?? '';
    shown = box.value;
  };
  fill(context.initial);
  // An answer taken back to what it was is untouched again.
  const first = { given, shown };
  box.addEventListener('input', () => {
    context.changed();
  });
  if (context.required) box.setAttribute('aria-required', 'true');
  return {
    node: box,
    target: box,
    described: [box],
    singleLine,
    read: () => (box.value === shown ? given : box.value === first.shown ? first.given : box.value),
    fill,
    focus: () => {
      box.focus();
    },
    trouble: () => null,
    freeze: () => {
      box.readOnly = true;
    }
  };
}
