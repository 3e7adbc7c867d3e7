/** The one toast, by JupyterLab's own notifications. */

import { Notification } from '@jupyterlab/apputils';

import type { Toast } from './herald';
import type { Words } from '../words';

export class LabToast implements Toast {
  readonly #words: Words;
  #id: string | null = null;

  constructor(words: Words) {
    this.#words = words;
  }

  show(message: string, fresh: boolean, pressed: () => void): void {
    const actions = [{ label: this.#words.__('Show'), displayType: 'accent' as const, callback: pressed }];
    if (this.#id !== null && Notification.manager.has(this.#id)) {
      Notification.update({ id: this.#id, message, actions, autoClose: false });
      return;
    }
    // Closed by the person: what was said already is not said again.
    this.#id = fresh ? Notification.info(message, { autoClose: false, actions }) : null;
  }

  clear(): void {
    if (this.#id !== null) Notification.dismiss(this.#id);
    this.#id = null;
  }
}
