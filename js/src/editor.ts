/** What every kind of control gives to the form. */

import type { DraftValue } from './wire';

export interface Editor {
  /** Goes below the label. */
  readonly node: HTMLElement;
  /** The control that `<label for>` names; `null`: a group, named by `<legend>`. */
  readonly target: HTMLElement | null;
  /** Whether Enter in it may submit a form of one field. */
  readonly singleLine: boolean;
  /** The elements that carry `aria-describedby` and `aria-invalid`; of a group, the group itself does. */
  readonly described: readonly HTMLElement[];
  read(): DraftValue;
  fill(value: DraftValue): void;
  focus(): void;
  /** Why what is on the screen is no value yet (half a date): the browser reads such a control as empty. */
  trouble(): string | null;
  /** The question is dead: what was typed stays readable, nothing can be changed. */
  freeze(): void;
}

export interface EditorContext {
  readonly id: string;
  readonly required: boolean;
  readonly initial: DraftValue;
  changed(): void;
}
