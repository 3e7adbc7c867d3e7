/** What a form needs from its page; tests bring their own. */

import { pageMemory } from './draft';
import type { DraftMemory } from './draft';

export interface Host {
  /** Whether a person's hand made this event; script can dispatch clicks too. */
  trusted(event: Event): boolean;
  /** Milliseconds; never goes back. */
  now(): number;
  readonly drafts: DraftMemory;
  /** The questions whose answer left from this page, from whichever of its forms. */
  readonly answering?: Set<string>;
  readonly save?: () => void;
}

let page: Host | undefined;

export function pageHost(): Host {
  page ??= {
    trusted: event => event.isTrusted,
    now: () => performance.now(),
    drafts: pageMemory(),
    answering: new Set()
  };
  return page;
}
