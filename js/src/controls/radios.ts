/** A list of radio buttons; `null` is a button of its own where it is an answer. */

import { focusable, freshId, make } from '../dom';
import type { Editor, EditorContext } from '../editor';
import { shown } from '../text';
import type { DraftValue } from '../wire';
import { trans } from '../words';

export interface Radio {
  readonly value: DraftValue;
  readonly label: string;
  /** Shown beside the label: two labels are alike, or one imitates a button of ours. */
  readonly beside?: string;
  /** A word of ours rather than the server's. */
  readonly ours?: boolean;
}

export function notSet(): Radio {
  return { value: null, label: trans.__('Not set'), ours: true };
}

export function radioEditor(radios: readonly Radio[], context: EditorContext): Editor {
  const group = freshId();
  const inputs = radios.map(() => focusable(make('input', { type: 'radio', name: group, id: freshId() })));
  const rows = radios.map((radio, at) => radioRow(radio, inputs[at]));
  const node = make('div', { class: radios.length <= 3 && short(radios) ? 'jme-options jme-inline' : 'jme-options' }, ...rows);
  const fill = (value: DraftValue): void => {
    inputs.forEach((input, at) => {
      input.checked = radios[at]?.value === value;
    });
  };
  fill(context.initial);
  node.addEventListener('change', () => {
    context.changed();
  });
  return {
    node,
    target: null,
    described: [],
    singleLine: false,
    read: () => radios[inputs.findIndex(input => input.checked)]?.value ?? null,
    fill,
    focus: () => {
      (inputs.find(input => input.checked) ?? inputs[0])?.focus();
    },
    trouble: () => null,
    freeze: () => {
      for (const input of inputs) input.disabled = true;
    }
  };
}

function radioRow(radio: Radio, input: HTMLInputElement | undefined): HTMLElement {
  const words = radio.ours === true ? make('span', { class: radio.value === null ? 'jme-none' : 'jme-word' }, radio.label) : shown(radio.label);
  const row = make('label', { class: 'jme-option' }, ...(input === undefined ? [] : [input]), words);
  if (radio.beside !== undefined && radio.beside !== '') {
    row.append(make('code', { class: 'jme-beside' }, shown(radio.beside)));
  }
  return row;
}

function short(radios: readonly Radio[]): boolean {
  return radios.every(radio => radio.label.length <= 12 && (radio.beside ?? '') === '');
}
