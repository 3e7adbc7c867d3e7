/** Messages of the browser, outside its page: only where the person wants them, and has allowed them. */

import type { Knock } from './herald';

export class Desktop implements Knock {
  readonly #wanted: () => boolean;
  readonly #open = new Map<string, Notification>();

  constructor(wanted: () => boolean) {
    this.#wanted = wanted;
  }

  get permission(): NotificationPermission | 'missing' {
    return typeof Notification === 'undefined' ? 'missing' : Notification.permission;
  }

  /** At a person's click, and never else. */
  async askPermission(): Promise<boolean> {
    return this.permission !== 'missing' && (await Notification.requestPermission()) === 'granted';
  }

  knock(id: string, message: string, pressed: () => void): void {
    if (!this.#wanted() || this.permission !== 'granted') return;
    try {
      // The tag lets several tabs of this server say it once.
      const note = new Notification('Jupyter', { body: message, tag: `jupyter-mcp-elicit:${id}` });
      note.addEventListener('click', () => {
        window.focus();
        note.close();
        pressed();
      });
      this.#open.set(id, note);
    } catch {
      // Some phones have the name and refuse its use.
    }
  }

  clear(id: string): void {
    this.#open.get(id)?.close();
    this.#open.delete(id);
  }
}
