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
  /** Whether each answer is shown as it will be sent, and sent at the second press; the person's setting. */
  readonly review?: { always: boolean };
  /**
   * Where a question's heading stands in the outline around it. In a notebook nobody knows: what is before it is the
   * person's own. There a question is found as the landmark that bears the heading's name.
   */
  readonly level?: number;
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
