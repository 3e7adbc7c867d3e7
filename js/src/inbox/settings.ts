/** What the person chose, kept by JupyterLab. */

import type { ISettingRegistry } from '@jupyterlab/settingregistry';

export interface Choices {
  readonly toasts: boolean;
  readonly browserNotifications: boolean;
  readonly reviewFirst: boolean;
}

export class Settings {
  #choices: Choices = { toasts: true, browserNotifications: false, reviewFirst: false };
  #kept: ISettingRegistry.ISettings | null = null;

  get choices(): Choices {
    return this.#choices;
  }

  /** Never rejects: without settings the defaults hold. */
  async load(registry: ISettingRegistry | null, id: string, changed: () => void): Promise<void> {
    const kept = await registry?.load(id).catch((error: unknown) => {
      console.warn('jupyter-mcp-elicit: the settings could not be read.', error);
      return null;
    });
    if (kept === null || kept === undefined) return;
    this.#kept = kept;
    const read = (): void => {
      this.#choices = {
        toasts: kept.get('toasts').composite !== false,
        browserNotifications: kept.get('browserNotifications').composite === true,
        reviewFirst: kept.get('reviewFirst').composite === true
      };
      changed();
    };
    kept.changed.connect(read);
    read();
  }

  async set(name: keyof Choices, value: boolean): Promise<void> {
    this.#choices = { ...this.#choices, [name]: value };
    await this.#kept?.set(name, value);
  }
}
