/** The whole address as text, with what is to be known before it is opened. Nothing here is a link. */

import { button, focusable, freshId, make } from '../dom';
import { CAPS, plain, shown, shownAddress } from '../text';
import type { Address } from '../wire';
import { trans, woven } from '../words';
import { parts } from './check';

/** The address itself: nothing left out, the registered domain in bold. */
export function addressText(url: Address): HTMLElement {
  const [before, domain, behind] = parts(url) ?? [url.href, '', ''];
  const bold = domain === '' ? [] : [make('strong', {}, shownAddress(domain))];
  return focusable(
    make('div', { class: 'jme-href', dir: 'ltr' }, shownAddress(before), ...bold, shownAddress(behind))
  );
}

/** Our own area: what the address is, whatever the server's text says. */
export function addressArea(url: Address, trusted: (event: Event) => boolean, refused: string): HTMLElement {
  const address = addressText(url);
  const id = freshId();
  const caption = make('div', { class: 'jme-caption' }, make('span', { id }, trans.__('Address to open')));
  const area = make('div', { class: 'jme-address', role: 'group', 'aria-labelledby': id, 'data-level': url.level });
  area.append(caption, address);
  if (url.unicodeHost !== '') {
    area.append(make('div', { class: 'jme-reads' }, ...woven(trans.__('reads as %1', '%1'), shown(url.unicodeHost, url.unicodeHost.length))));
  }
  if (url.warnings.length > 0) {
    const items = url.warnings.map(warning => make('li', {}, plain(warning, CAPS.help)));
    area.append(make('ul', { class: 'jme-warnings' }, ...items));
  }
  if (refused === '') caption.append(copyLine(url.href, address, trusted));
  else area.append(make('div', { class: 'jme-refused' }, trans.__('No link: %1', refused)));
  return area;
}

function copyLine(href: string, address: HTMLElement, trusted: (event: Event) => boolean): HTMLElement {
  const said = make('span', { class: 'jme-quiet', role: 'status' });
  const copy = button(trans.__('Copy address'), 'jme-small', event => {
    if (!trusted(event)) return;
    void copied(href).then(done => {
      if (!done) address.ownerDocument.getSelection()?.selectAllChildren(address);
      said.textContent = done ? trans.__('Copied.') : trans.__('Selected: copy it with the keyboard.');
    });
  });
  return make('span', { class: 'jme-copy' }, said, ' ', copy);
}

/** The clipboard is missing on plain-http pages, and may be forbidden. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
