/** Which control stands for which kind of field. */

import { booleanEditor } from './controls/boolean';
import { choiceEditor } from './controls/choice';
import { choicesEditor } from './controls/choices';
import { dateEditor } from './controls/date';
import { dateTimeEditor } from './controls/datetime';
import { textEditor } from './controls/text';
import type { Editor, EditorContext } from './editor';
import type { ChoiceField, Field } from './wire';

export function makeEditor(field: Field, context: EditorContext): Editor {
  switch (field.kind) {
    case 'string':
    case 'email':
    case 'uri':
    case 'integer':
    case 'number':
      return textEditor(field, context);
    case 'date':
      return dateEditor(context);
    case 'date-time':
      return dateTimeEditor(context);
    case 'boolean':
      return booleanEditor(context);
    default:
      return optionsEditor(field, context);
  }
}

function optionsEditor(field: ChoiceField, context: EditorContext): Editor {
  return field.kind === 'choice' ? choiceEditor(field, context) : choicesEditor(field, context);
}
