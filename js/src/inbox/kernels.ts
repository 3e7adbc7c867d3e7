/** Which notebook a question is for: of its kernel, by the page's list of running sessions. */

import type { ServiceManager } from '@jupyterlab/services';

import type { Card } from '../wire';
import type { Words } from '../words';

export interface Place {
  /** For the eye. */
  readonly name: string;
  /** With its folder. */
  readonly title: string;
  /** The file to open; '' when there is none. */
  readonly path: string;
}

type Sessions = ServiceManager['sessions'];

export class Kernels {
  readonly #sessions: Sessions;
  readonly #words: Words;
  readonly #asked = new Set<string>();

  constructor(sessions: Sessions, words: Words) {
    this.#sessions = sessions;
    this.#words = words;
  }

  place(card: Card): Place {
    const { origin } = card;
    if (origin === null) return nowhere('');
    if (origin.kind === 'agent') return nowhere(this.#words.__('agent %1', origin.id));
    // A kernel may be handed on from one notebook to the next: the newest session is the one that runs it.
    const newest = [...this.#sessions.running()].filter(({ kernel }) => kernel?.id === origin.id).at(-1);
    if (newest !== undefined) {
      const { name, path, type } = newest;
      const base = path.split('/').at(-1) ?? path;
      return type === 'notebook' ? { name: base, title: path, path } : nowhere(name === '' ? base : name);
    }
    // The list is polled only now and then; one more look for a kernel that it does not know.
    if (!this.#asked.has(origin.id)) {
      this.#asked.add(origin.id);
      void this.#sessions.refreshRunning().catch(() => undefined);
    }
    return nowhere(this.#words.__('a kernel without a notebook'));
  }
}

function nowhere(name: string): Place {
  return { name, title: name, path: '' };
}
