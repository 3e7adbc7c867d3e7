/** Yes or no, and "not set" where that is an answer too: a tick box cannot say it. */

import type { Editor, EditorContext } from '../editor';
import { trans } from '../words';
import { notSet, radioEditor } from './radios';

export function booleanEditor(context: EditorContext): Editor {
  const radios = [
    { value: true, label: trans.__('Yes'), ours: true },
    { value: false, label: trans.__('No'), ours: true }
  ];
  return radioEditor(context.required ? radios : [...radios, notSet()], context);
}
