/** One of several: all in sight when they are few, a select when they are many, a filter when they are very many. */

import { button, focusable, make } from '../dom';
import type { Editor, EditorContext } from '../editor';
import { plain } from '../text';
import type { ChoiceField, DraftValue, Option } from '../wire';
import { trans } from '../words';
import { Finder, PAGE } from './find';
import { notSet, radioEditor } from './radios';

const FEW = 7;
const MANY = 100;

export function choiceEditor(field: ChoiceField, context: EditorContext): Editor {
  if (field.options.length > MANY) return filteredEditor(field, context);
  if (field.options.length > FEW) return selectEditor(field, context);
  const radios = field.options.map(option => ({ value: option.key, label: option.label, beside: option.value }));
  return radioEditor(context.required ? radios : [...radios, notSet()], context);
}

function selectEditor(field: ChoiceField, context: EditorContext): Editor {
  const select = focusable(make('select', { id: context.id, class: 'jme-input jme-select' }));
  const none = noneOption(context);
  select.append(none, ...field.options.map(optionNode));
  if (context.required) select.setAttribute('aria-required', 'true');
  const fill = (value: DraftValue): void => {
    const at = field.options.findIndex(option => option.key === value);
    select.selectedIndex = at + 1;
  };
  fill(context.initial);
  select.addEventListener('change', () => {
    context.changed();
  });
  return {
    node: select,
    target: select,
    described: [select],
    singleLine: false,
    // By place, not by value: keys are the server's text and the first option has none.
    read: () => field.options[select.selectedIndex - 1]?.key ?? null,
    fill,
    focus: () => {
      select.focus();
    },
    trouble: () => null,
    freeze: () => {
      select.disabled = true;
    }
  };
}

function noneOption(context: EditorContext): HTMLOptionElement {
  const none = make('option', { value: '' }, context.required ? trans.__('Choose…') : trans.__('Not set'));
  // Where an answer is needed the placeholder cannot be gone back to.
  none.disabled = context.required;
  return none;
}

function optionNode(option: Option): HTMLOptionElement {
  const beside = option.value === '' ? '' : ` — ${plain(option.value)}`;
  return make('option', { value: option.key }, `${plain(option.label)}${beside}`);
}

/** Thousands: only what fits the filter is built, a page at a time; what is chosen stays said above. */
function filteredEditor(field: ChoiceField, context: EditorContext): Editor {
  const filter = focusable(
    make('input', { type: 'text', id: context.id, class: 'jme-input', placeholder: trans.__('Type to narrow the list'), autocomplete: 'off', spellcheck: 'false' })
  );
  const list = focusable(make('select', { class: 'jme-input jme-list', size: '8', 'aria-label': trans.__('Options') }));
  const count = make('span', { role: 'status' });
  const chosenWords = make('span', { class: 'jme-chosen' });
  const finder = new Finder(field.options);
  let chosen: string | null = null;
  let offered: readonly Option[] = [];
  let limit = PAGE;

  const paint = (): void => {
    const found = finder.find(filter.value, limit);
    offered = found.options;
    const none = noneOption(context);
    list.replaceChildren(...(context.required ? [] : [none]), ...offered.map(optionNode));
    const at = offered.findIndex(option => option.key === chosen);
    list.selectedIndex = context.required ? at : chosen === null ? 0 : at < 0 ? -1 : at + 1;
    count.textContent = found.total > offered.length ? trans.__('%1 of %2 shown.', String(offered.length), String(found.total)) : trans.__('%1 shown.', String(found.total));
    more.hidden = found.total <= offered.length;
    const now = field.options.find(option => option.key === chosen);
    chosenWords.textContent = now === undefined ? trans.__('Nothing chosen.') : trans.__('Chosen: %1.', `${plain(now.label)}${now.value === '' ? '' : ` — ${plain(now.value)}`}`);
  };
  const more = button(trans.__('Show more'), 'jme-small', () => {
    limit += PAGE;
    paint();
  });
  filter.addEventListener('input', () => {
    limit = PAGE;
    paint();
  });
  list.addEventListener('change', () => {
    const at = context.required ? list.selectedIndex : list.selectedIndex - 1;
    chosen = offered[at]?.key ?? null;
    paint();
    context.changed();
  });
  const fill = (value: DraftValue): void => {
    chosen = field.options.some(option => option.key === value) ? String(value) : null;
    paint();
  };
  fill(context.initial);
  if (context.required) list.setAttribute('aria-required', 'true');
  return {
    node: make('div', { class: 'jme-filtered' }, filter, list, make('div', { class: 'jme-count' }, chosenWords, ' ', count, ' ', more)),
    target: filter,
    described: [filter, list],
    singleLine: false,
    read: () => chosen,
    fill,
    focus: () => {
      filter.focus();
    },
    trouble: () => null,
    freeze: () => {
      filter.disabled = true;
      list.disabled = true;
      more.hidden = true;
    }
  };
}
