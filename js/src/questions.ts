/** What the plugins of one page share: the questions, and where they can be seen. */

import { Token } from '@lumino/coreutils';

import type { Host } from './host';
import type { Sights } from './inbox/sights';
import type { CardStore } from './store';

export interface Questions {
  readonly store: CardStore;
  readonly host: Host;
  /** The host's own: who knows the settings writes it. */
  readonly review: { always: boolean };
  readonly sights: Sights;
}

export const IQuestions = new Token<Questions>('jupyter-mcp-elicit:IQuestions');
