/** The labextension: one plugin that draws questions under the cells that caused them. */

import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { RenderMimeRegistry } from '@jupyterlab/rendermime';

import { pageHost } from './host';
import { labAsk, labEvents } from './lab';
import { addRenderer } from './renderer';
import { EventSocket } from './socket';
import { CardStore } from './store';
import { addPageStyle } from './style';

export default {
  id: 'jupyter-mcp-elicit:plugin',
  description: 'Shows what MCP servers ask, under the running cell.',
  autoStart: true,
  requires: [IRenderMimeRegistry],
  activate: (_app: unknown, registry: RenderMimeRegistry): void => {
    addPageStyle();
    const store = new CardStore(labAsk);
    addRenderer(registry, labAsk, store, pageHost());
    new EventSocket({
      open: labEvents,
      receive: message => {
        store.receive(message);
      }
    });
  }
};
