/** A day. The browser's own date control, or plain text for a day that it cannot hold. */

import { focusable, make } from '../dom';
import type { Editor, EditorContext } from '../editor';
import { trans } from '../words';
import { boxEditor } from './text';

export function dateEditor(context: EditorContext): Editor {
  // Without a last day, a year takes six digits, and whoever types on after four writes the year 122026.
  const box = focusable(make('input', { id: context.id, class: 'jme-input jme-date', type: 'date', max: '9999-12-31' }));
  const editor = boxEditor(box, context, false);
  if (typeof context.initial === 'string' && box.value !== context.initial) {
    box.type = 'text';
    box.placeholder = 'YYYY-MM-DD';
    editor.fill(context.initial);
  }
  return {
    ...editor,
    fill: value => {
      editor.fill(value);
      if (typeof value === 'string' && box.value !== value) {
        box.type = 'text';
        editor.fill(value);
      }
    },
    // Half a date reads as empty: sent like that, it would be an answer that nobody sees.
    trouble: () => (box.validity.badInput ? trans.__('This is not a whole date.') : null)
  };
}
