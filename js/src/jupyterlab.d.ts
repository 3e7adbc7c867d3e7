// The few names of JupyterLab that we use. The real packages come from the page (module federation), so the
// build needs none of their 400 MB; these lines are checked by the browser tests, which run in the real Lab.

declare module '@jupyterlab/services' {
  export namespace ServerConnection {
    interface ISettings {
      readonly baseUrl: string;
      readonly wsUrl: string;
      readonly token: string;
      readonly appendToken: boolean;
      readonly WebSocket: typeof WebSocket;
    }
    function makeSettings(): ISettings;
    function makeRequest(url: string, init: RequestInit, settings: ISettings): Promise<Response>;
  }
}

declare module '@lumino/widgets' {
  export class Widget {
    readonly node: HTMLElement;
    readonly isDisposed: boolean;
    addClass(name: string): void;
    protected onBeforeDetach(): void;
    dispose(): void;
  }
}

declare module '@jupyterlab/rendermime' {
  import type { Widget } from '@lumino/widgets';
  export interface MimeModel {
    readonly data: Readonly<Record<string, unknown>>;
  }
  export interface Renderer extends Widget {
    renderModel(model: MimeModel): Promise<void>;
  }
  export interface RenderMimeRegistry {
    addFactory(
      factory: {
        readonly safe: boolean;
        readonly mimeTypes: readonly string[];
        createRenderer(options: { readonly mimeType: string }): Renderer;
      },
      rank?: number
    ): void;
  }
  export const IRenderMimeRegistry: unique symbol;
}
