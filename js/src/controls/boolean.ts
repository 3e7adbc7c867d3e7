/** Yes or no, and "not set" where that is an answer too: a tick box cannot say it. */

import type { Editor, EditorContext } from '../editor';
import { NOT_SET, radioEditor } from './radios';

export function booleanEditor(context: EditorContext): Editor {
  const radios = [
    { value: true, label: 'Yes', ours: true },
    { value: false, label: 'No', ours: true }
  ];
  return radioEditor(context.required ? radios : [...radios, NOT_SET], context);
}
