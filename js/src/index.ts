/** The labextension: one plugin that draws questions under the cells that caused them. */

import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { RenderMimeRegistry } from '@jupyterlab/rendermime';

import { pageHost } from './host';
import { labAsk, labEvents } from './lab';
import { addRenderer } from './renderer';
import { EventSocket } from './socket';
import { CardStore } from './store';
import { addPageStyle } from './style';

interface Application {
  readonly commands: { execute(id: string): Promise<unknown> };
}

export default {
  id: 'jupyter-mcp-elicit:plugin',
  description: 'Shows what MCP servers ask, under the running cell.',
  autoStart: true,
  requires: [IRenderMimeRegistry],
  activate: (app: Application, registry: RenderMimeRegistry): void => {
    addPageStyle();
    const store = new CardStore(labAsk);
    const host = { ...pageHost(), save: () => void app.commands.execute('docmanager:save') };
    addRenderer(registry, labAsk, store, host);
    void listen(store);
  }
};

/** Hears the server's news, unless the server has no such extension: then nobody would ever answer. */
async function listen(store: CardStore): Promise<void> {
  const response = await labAsk('elicitations', { method: 'GET' }).catch(() => null);
  if (response?.status === 404) return;
  new EventSocket({
    open: labEvents,
    receive: message => {
      store.receive(message);
    }
  });
}
