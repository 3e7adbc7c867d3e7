/** The MIME renderer of JupyterLab and Notebook 7. */

import type { MimeModel, RenderMimeRegistry } from '@jupyterlab/rendermime';
import { Widget } from '@lumino/widgets';

import { focusable } from './dom';
import type { Host } from './host';
import type { Sights } from './inbox/sights';
import { entries } from './json';
import { Output } from './output';
import type { Ask } from './server';
import type { CardStore } from './store';

export const MIME_TYPE = 'application/vnd.jupyter-mcp-elicit+json';
/** Below the widget manager's -10: at 0 the widget view, which stands in the same bundle, would win. */
const RANK = -20;

class OutputWidget extends Widget {
  readonly #output: Output;
  readonly #mimeType: string;
  readonly #sights: Sights;
  #outOfSight: () => void = () => undefined;

  constructor(output: Output, mimeType: string, sights: Sights) {
    super();
    this.#output = output;
    this.#mimeType = mimeType;
    this.#sights = sights;
    this.addClass('jp-RenderedElicitation');
    this.node.append(output.node);
    // Where "Show" leads.
    focusable(output.node).tabIndex = -1;
  }

  renderModel(model: MimeModel): Promise<void> {
    const id = entries(model.data[this.#mimeType]).get('id');
    this.#outOfSight();
    if (typeof id === 'string') this.#outOfSight = this.#sights.put(id, this.#output.node);
    return this.#output.show(model.data[this.#mimeType], model.data['text/plain']);
  }

  /** The kernel's record takes this form's place: whoever answered by keyboard goes on from the cell. */
  protected override onBeforeDetach(): void {
    if (this.node.contains(document.activeElement)) this.node.closest<HTMLElement>('.jp-Cell')?.focus();
  }

  override dispose(): void {
    if (this.isDisposed) return;
    this.#outOfSight();
    this.#output.dispose();
    super.dispose();
  }
}

export function addRenderer(
  registry: RenderMimeRegistry,
  ask: Ask,
  store: CardStore,
  host: Host,
  sights: Sights
): void {
  registry.addFactory(
    {
      safe: true,
      mimeTypes: [MIME_TYPE],
      createRenderer: options => new OutputWidget(new Output(ask, store, host), options.mimeType, sights)
    },
    RANK
  );
}
