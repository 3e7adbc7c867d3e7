/** Which control stands for which kind of field. */

import { textEditor } from './controls/text';
import type { Editor, EditorContext } from './editor';
import type { Field } from './wire';

export function makeEditor(field: Field, context: EditorContext): Editor {
  switch (field.kind) {
    case 'string':
    case 'email':
    case 'uri':
    case 'integer':
    case 'number':
      return textEditor(field, context);
    default:
      return textEditor({ ...field, kind: 'string', multiline: false }, context);
  }
}
