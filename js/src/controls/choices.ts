/** Any of several: one tick box per option. Nothing ticked is an answer ("none"), and differs from not set. */

import { button, focusable, make } from '../dom';
import type { Editor, EditorContext } from '../editor';
import { shown } from '../text';
import type { ChoiceField, DraftValue, Option } from '../wire';
import { trans } from '../words';
import { Finder, PAGE } from './find';

const FILTER_FROM = 12;

export function choicesEditor(field: ChoiceField, context: EditorContext): Editor {
  const finder = new Finder(field.options);
  const ticked = new Set<string>();
  let set = false;
  let limit = PAGE;
  let frozen = false;

  const list = make('div', { class: field.options.length > FILTER_FROM ? 'jme-options jme-long' : 'jme-options' });
  const filter = focusable(
    make('input', { type: 'text', class: 'jme-input', 'aria-label': trans.__('Narrow the list'), placeholder: trans.__('Type to narrow the list'), autocomplete: 'off', spellcheck: 'false' })
  );
  const count = make('span', { role: 'status' });
  const more = button(trans.__('Show more'), 'jme-small', () => {
    limit += PAGE;
    build();
  });
  const unset = button(trans.__('Back to “not set”'), 'jme-small', () => {
    fill(null);
    context.changed();
    first()?.focus();
  });

  const build = (): void => {
    const found = finder.find(filter.value, limit);
    list.replaceChildren(...found.options.map(option => tickRow(option, ticked.has(option.key), frozen)));
    more.hidden = found.total <= found.options.length;
    say(found.total, found.options.length);
  };
  const say = (total: number, built: number): void => {
    const parts: string[] = [];
    if (field.options.length > FILTER_FROM) parts.push(trans.__('%1 of %2 ticked.', String(ticked.size), String(field.options.length)));
    if (built < total) parts.push(trans.__('%1 of %2 shown.', String(built), String(total)));
    if (set && ticked.size === 0) parts.push(trans.__('Answer: none of them.'));
    if (!set && !context.required) parts.push(trans.__('Not set.'));
    count.textContent = parts.join(' ');
    unset.hidden = !set || context.required || frozen;
  };
  const fill = (value: DraftValue): void => {
    ticked.clear();
    set = typeof value === 'object' && value !== null;
    const known = new Set(field.options.map(option => option.key));
    for (const key of typeof value === 'object' ? (value ?? []) : []) if (known.has(key)) ticked.add(key);
    build();
  };
  const first = (): HTMLInputElement | null => list.querySelector('input');

  list.addEventListener('change', event => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement)) return;
    if (box.checked) ticked.add(box.value);
    else ticked.delete(box.value);
    set = true;
    const found = finder.find(filter.value, limit);
    say(found.total, found.options.length);
    context.changed();
  });
  filter.addEventListener('input', () => {
    limit = PAGE;
    build();
  });
  fill(context.initial);

  return {
    node: make(
      'div',
      { class: 'jme-filtered' },
      ...(field.options.length > FILTER_FROM ? [filter] : []),
      list,
      make('div', { class: 'jme-count' }, count, ' ', more, ' ', unset)
    ),
    target: null,
    described: [],
    singleLine: false,
    read: () => (set ? field.options.filter(option => ticked.has(option.key)).map(option => option.key) : null),
    fill,
    focus: () => {
      (first() ?? filter).focus();
    },
    trouble: () => null,
    freeze: () => {
      frozen = true;
      build();
    }
  };
}

function tickRow(option: Option, ticked: boolean, frozen: boolean): HTMLElement {
  const box = focusable(make('input', { type: 'checkbox' }));
  box.value = option.key;
  box.checked = ticked;
  box.disabled = frozen;
  const row = make('label', { class: 'jme-option' }, box, shown(option.label));
  if (option.value !== '') row.append(make('code', { class: 'jme-beside' }, shown(option.value)));
  return row;
}
