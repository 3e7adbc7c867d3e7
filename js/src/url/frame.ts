/** What stands around a link, before it is opened and after: who asks, their text, the row of buttons. */

import { causeLine, heading, serverBox } from '../chrome';
import { freshId, make } from '../dom';
import type { Host } from '../host';
import { listenToKeys } from '../keys';
import { shownMessage } from '../text';
import type { UrlCard } from '../wire';

/** A section with the given children below the server's text; keys stay inside. */
export function frame(card: UrlCard, host: Host, children: readonly Node[], escape: () => void): HTMLElement {
  const titleId = freshId();
  const cause = causeLine(card.cause, card.asker);
  const node = make(
    'section',
    { class: 'jme-live', 'aria-labelledby': titleId },
    heading(card.asker, titleId, card.origin, host.level),
    ...(cause === null ? [] : [cause]),
    serverBox(card, shownMessage(card.message)),
    ...children
  );
  listenToKeys(node, { trusted: host.trusted, escape, submitsOnEnter: () => false, save: host.save });
  return node;
}
