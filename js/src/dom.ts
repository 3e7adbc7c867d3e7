/** Elements from names and text. Nothing here reads markup. */

type Attributes = Readonly<Record<string, string | undefined>>;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/**
 * JupyterLab binds single keys to commands for whatever has focus in a cell (`d d` deletes it), and matches
 * the focused element itself before its ancestors: the mark must sit on each element that can have focus.
 */
export function focusable<T extends HTMLElement>(node: T): T {
  node.setAttribute('data-lm-suppress-shortcuts', 'true');
  return node;
}

export function button(text: string, className: string, pressed: (event: MouseEvent) => void): HTMLButtonElement {
  const node = focusable(make('button', { type: 'button', class: className }, text));
  node.addEventListener('click', pressed);
  return node;
}

let serial = 0;

/** An id that no other element of the page has. */
export function freshId(): string {
  serial += 1;
  return `jme-${serial}`;
}
