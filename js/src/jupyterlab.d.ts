// The few names of JupyterLab that we use. The real packages come from the page (module federation), so the
// build needs none of their 400 MB; these lines are checked by the browser tests, which run in the real Lab.

declare module '@jupyterlab/services' {
  import type { ISignal } from '@lumino/signaling';
  export interface SessionModel {
    readonly path: string;
    readonly name: string;
    readonly type: string;
    readonly kernel: { readonly id: string } | null;
  }
  export interface ServiceManager {
    readonly sessions: {
      running(): Iterable<SessionModel>;
      refreshRunning(): Promise<void>;
      readonly runningChanged: ISignal;
    };
  }
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

declare module '@lumino/coreutils' {
  export class Token<T> {
    constructor(name: string);
    /** Only for the compiler. */
    private readonly _tokenStructuralPropertyT: T;
  }
}

declare module '@lumino/signaling' {
  export interface ISignal {
    connect(slot: () => void): boolean;
  }
  export class Signal implements ISignal {
    constructor(sender: object);
    connect(slot: () => void): boolean;
    emit(): void;
  }
}

declare module '@lumino/widgets' {
  import type { LabIcon } from '@jupyterlab/ui-components';
  interface Title {
    icon: LabIcon | undefined;
    caption: string;
    dataset: Readonly<Record<string, string>>;
  }
  export class Widget {
    readonly node: HTMLElement;
    readonly isDisposed: boolean;
    readonly isVisible: boolean;
    readonly title: Title;
    id: string;
    addClass(name: string): void;
    setHidden(hidden: boolean): void;
    protected onAfterAttach(): void;
    protected onAfterShow(): void;
    protected onAfterHide(): void;
    protected onBeforeDetach(): void;
    protected onActivateRequest(): void;
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

declare module '@jupyterlab/ui-components' {
  export class LabIcon {
    constructor(options: { readonly name: string; readonly svgstr: string });
    element(props: Readonly<Record<string, string>>): HTMLElement;
  }
}

declare module '@jupyterlab/application' {
  import type { LabIcon } from '@jupyterlab/ui-components';
  import type { ServiceManager } from '@jupyterlab/services';
  import type { Widget } from '@lumino/widgets';
  export interface JupyterFrontEnd {
    readonly serviceManager: ServiceManager;
    readonly commands: {
      execute(id: string, args?: Readonly<Record<string, string>>): Promise<unknown>;
      addCommand(
        id: string,
        options: {
          readonly label: string;
          readonly icon: LabIcon;
          isToggled(): boolean;
          execute(): void;
        }
      ): void;
      notifyCommandChanged(id: string): void;
    };
    readonly shell: {
      add(widget: Widget, area: string, options?: { readonly rank: number; readonly type?: string }): void;
      widgets(area: string): Iterable<Widget>;
      activateById(id: string): void;
      collapseLeft?(): void;
      collapseRight?(): void;
    };
  }
  export interface ILayoutRestorer {
    add(widget: Widget, name: string): void;
  }
  export const ILayoutRestorer: unique symbol;
}

declare module '@jupyterlab/apputils' {
  export interface ICommandPalette {
    addItem(item: { readonly command: string; readonly category: string }): void;
  }
  export const ICommandPalette: unique symbol;
  export namespace Notification {
    interface IAction {
      readonly label: string;
      readonly displayType: 'accent';
      callback(): void;
    }
    interface IOptions {
      readonly autoClose: false;
      readonly actions: readonly IAction[];
    }
    const manager: { has(id: string): boolean };
    function info(message: string, options: IOptions): string;
    function update(options: IOptions & { readonly id: string; readonly message: string }): boolean;
    function dismiss(id: string): void;
  }
}

declare module '@jupyterlab/notebook' {
  import type { Widget } from '@lumino/widgets';
  interface Output {
    readonly data: Readonly<Record<string, unknown>>;
  }
  interface Cell {
    /** Of code cells. */
    readonly outputs?: { readonly length: number; get(at: number): Output };
  }
  export interface NotebookPanel extends Widget {
    readonly revealed: Promise<void>;
    readonly content: Widget & {
      readonly model: { readonly cells: { readonly length: number; get(at: number): Cell } } | null;
      activeCellIndex: number;
      scrollToItem(at: number, align: 'smart'): Promise<void>;
    };
  }
  export interface INotebookTracker {
    forEach(visit: (panel: NotebookPanel) => void): void;
  }
  export const INotebookTracker: unique symbol;
}

declare module '@jupyterlab/settingregistry' {
  import type { ISignal } from '@lumino/signaling';
  export namespace ISettingRegistry {
    interface ISettings {
      readonly changed: ISignal;
      get(name: string): { readonly composite: unknown };
      set(name: string, value: boolean): Promise<void>;
    }
  }
  export interface ISettingRegistry {
    load(id: string): Promise<ISettingRegistry.ISettings>;
  }
  export const ISettingRegistry: unique symbol;
}

declare module '@jupyterlab/statusbar' {
  import type { ISignal } from '@lumino/signaling';
  import type { Widget } from '@lumino/widgets';
  export interface IStatusBar {
    registerStatusItem(
      id: string,
      options: {
        readonly item: Widget;
        readonly align: 'left';
        readonly rank: number;
        readonly activeStateChanged: ISignal;
        isActive(): boolean;
      }
    ): unknown;
  }
  export const IStatusBar: unique symbol;
}

declare module '@jupyterlab/translation' {
  export interface TranslationBundle {
    __(text: string, ...args: readonly string[]): string;
    _n(one: string, many: string, n: number, ...args: readonly string[]): string;
  }
  export interface ITranslator {
    load(domain: string): TranslationBundle;
  }
  export const ITranslator: unique symbol;
}
