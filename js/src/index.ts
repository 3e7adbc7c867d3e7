/** The labextension: draws questions under the cells that caused them, and gathers all of them in an inbox. */

import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { RenderMimeRegistry } from '@jupyterlab/rendermime';
import { ITranslator } from '@jupyterlab/translation';

import { pageHost } from './host';
import { inbox } from './inbox/plugin';
import { Sights } from './inbox/sights';
import inboxStyle from './inbox/style.css';
import { labAsk, labEvents } from './lab';
import { IQuestions } from './questions';
import type { Questions } from './questions';
import { addRenderer } from './renderer';
import { EventSocket } from './socket';
import { CardStore } from './store';
import { addPageStyle } from './style';
import { speak } from './words';

interface Application {
  readonly commands: { execute(id: string): Promise<unknown> };
}

const cells = {
  id: 'jupyter-mcp-elicit:plugin',
  description: 'Shows what MCP servers ask, under the running cell.',
  autoStart: true,
  requires: [IRenderMimeRegistry],
  optional: [ITranslator],
  provides: IQuestions,
  activate: (app: Application, registry: RenderMimeRegistry, translator: ITranslator | null): Questions => {
    // Before anything is drawn; the inbox comes after this.
    if (translator !== null) speak(translator.load('jupyter_mcp_elicit'));
    addPageStyle(inboxStyle);
    const store = new CardStore(labAsk);
    const review = { always: false };
    const host = { ...pageHost(), review, save: () => void app.commands.execute('docmanager:save') };
    const sights = new Sights();
    addRenderer(registry, labAsk, store, host, sights);
    void listen(store);
    return { store, host, review, sights };
  }
};

export default [cells, inbox];

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
