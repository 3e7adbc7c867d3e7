/** Lets typing come to rest before the draft is remembered and told; never the fields that ask for a secret. */

import { withoutSecrets } from './draft';
import type { DraftMemory } from './draft';
import type { Port } from './port';
import type { Draft, FormCard } from './wire';

const PAUSE_MS = 200;

export interface PauseOptions {
  readonly card: FormCard;
  readonly memory: Pick<DraftMemory, 'keep'>;
  readonly port: Port;
  read(): Draft;
}

export class Pause {
  readonly #options: PauseOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PauseOptions) {
    this.#options = options;
  }

  changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.flush();
    }, PAUSE_MS);
  }

  /** Now, when something waits. */
  flush(): void {
    if (this.#timer === undefined) return;
    this.drop();
    const { card, memory, port, read } = this.#options;
    const draft = withoutSecrets(card, read());
    memory.keep(card, draft);
    port.draftChanged?.(draft);
  }

  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
