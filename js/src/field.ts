/** One field: label, control, help and what is wrong with it, tied together for eye and screen reader. */

import { makeEditor } from './controls';
import { focusable, freshId, make } from './dom';
import type { Editor } from './editor';
import { CAPS, plain, shown, shownLines } from './text';
import type { DraftValue, Field } from './wire';
import { trans } from './words';

export class FieldView {
  readonly name: string;
  readonly node: HTMLElement;
  readonly editor: Editor;
  readonly title: string;
  readonly sensitive: boolean;
  readonly #problem: HTMLElement;
  readonly #problemId = freshId();
  readonly #described: readonly string[];

  /** `warning`: what is said where it asks for a secret. */
  constructor(field: Field, initial: DraftValue, warning: string, changed: () => void) {
    const id = freshId();
    const text = field.label.trim() === '' ? field.name : field.label;
    this.name = field.name;
    this.sensitive = field.sensitive;
    this.title = plain(text, CAPS.name);
    this.editor = makeEditor(field, {
      id,
      required: field.required,
      initial,
      changed: () => {
        this.setProblem(null);
        changed();
      }
    });
    const before = linesBefore(field, warning);
    const after = linesAfter(field);
    this.#described = [...before, ...after].map(node => node.id);
    this.#problem = make('div', { id: this.#problemId, class: 'jme-problem', role: 'alert' });
    this.#problem.hidden = true;
    const label = [shown(text), ...(field.required ? [' ', requiredMark(field)] : [])];
    const rest = [...before, this.editor.node, ...after, this.#problem];
    this.node =
      this.editor.target === null
        ? make('fieldset', { class: 'jme-field' }, make('legend', { class: 'jme-label' }, ...label), ...rest)
        : make('div', { class: 'jme-field' }, make('label', { class: 'jme-label', for: id }, ...label), ...rest);
    if (this.editor.target === null && field.kind !== 'choices') {
      this.node.setAttribute('role', 'radiogroup');
      if (field.required) this.node.setAttribute('aria-required', 'true');
    }
    this.setProblem(null);
  }

  /** Shows one sentence at the field; `null` takes it away. */
  setProblem(sentence: string | null): void {
    this.#problem.hidden = sentence === null;
    this.#problem.replaceChildren(...(sentence === null ? [] : [shown(sentence, CAPS.help)]));
    const ids = sentence === null ? this.#described : [...this.#described, this.#problemId];
    const bearers = this.editor.target === null ? [this.node] : this.editor.described;
    for (const node of bearers) {
      if (ids.length === 0) node.removeAttribute('aria-describedby');
      else node.setAttribute('aria-describedby', ids.join(' '));
      if (sentence === null) node.removeAttribute('aria-invalid');
      else node.setAttribute('aria-invalid', 'true');
    }
  }
}

/** For the eye; assistive technology has aria-required, except on a group of tick boxes, which cannot bear it. */
function requiredMark(field: Field): HTMLElement {
  return make('span', { class: 'jme-required', 'aria-hidden': field.kind === 'choices' ? undefined : 'true' }, trans.__('required'));
}

function linesBefore(field: Field, warning: string): HTMLElement[] {
  const help = field.help === '' ? [] : [focusable(described('jme-help', shownLines(field.help)))];
  return field.sensitive ? [...help, described('jme-warning', warning)] : help;
}

function linesAfter(field: Field): HTMLElement[] {
  // A date control shows its own way of writing; the hint names the wire's.
  const own = field.kind === 'date' || field.kind === 'date-time';
  const hint = field.hint === '' || own ? [] : [described('jme-hint', shown(field.hint))];
  return field.note === '' ? hint : [...hint, described('jme-note', shown(field.note, CAPS.help))];
}

/** A line that aria-describedby can name. */
function described(className: string, content: Node | string): HTMLElement {
  return make('div', { id: freshId(), class: className }, content);
}
