/** The inbox in JupyterLab and Notebook 7: panel, count, toast; every part of the page that it uses may be missing. */

import { ICommandPalette } from '@jupyterlab/apputils';
import { ILayoutRestorer } from '@jupyterlab/application';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStatusBar } from '@jupyterlab/statusbar';

import { labAsk } from '../lab';
import { MIME_TYPE } from '../renderer';
import type { Questions } from '../questions';
import { IQuestions } from '../questions';
import type { Card } from '../wire';
import { Desktop } from './desktop';
import { Herald } from './herald';
import { Kernels } from './kernels';
import { CountItem, InboxPanel, PANEL, questionIcon } from './panel';
import { Pending } from './pending';
import { revealCell } from './reveal';
import { Settings } from './settings';
import { LabToast } from './toast';
import { InboxView } from './view';
import { trans } from '../words';
import type { Words } from '../words';

const ID = 'jupyter-mcp-elicit:inbox';
const TOGGLE = 'jupyter-mcp-elicit:toggle-inbox';

export const inbox = {
  id: ID,
  description: 'A side panel with all that MCP servers ask, from any notebook or agent.',
  autoStart: true,
  requires: [IQuestions],
  optional: [INotebookTracker, IStatusBar, ISettingRegistry, ICommandPalette, ILayoutRestorer],
  activate
};

function activate(
  app: JupyterFrontEnd,
  questions: Questions,
  tracker: INotebookTracker | null,
  statusBar: IStatusBar | null,
  registry: ISettingRegistry | null,
  palette: ICommandPalette | null,
  restorer: ILayoutRestorer | null
): void {
  const words: Words = trans;
  const { host, sights, store } = questions;
  const { sessions } = app.serviceManager;
  const pending = new Pending(store);
  const kernels = new Kernels(sessions, words);
  const settings = new Settings();
  const desktop = new Desktop(() => settings.choices.browserNotifications);

  const openInbox = (id: string | null): void => {
    app.shell.activateById(PANEL);
    view.focus(id);
  };
  const reveal = async (id: string | null): Promise<void> => {
    const found = id !== null && tracker !== null && (await revealCell(id, MIME_TYPE, app.shell, tracker, sights));
    if (!found) openInbox(id);
  };
  const go = async (card: Card): Promise<void> => {
    if (tracker !== null && (await revealCell(card.id, MIME_TYPE, app.shell, tracker, sights))) return;
    const { path } = kernels.place(card);
    if (path !== '') await app.commands.execute('docmanager:open', { path });
  };

  const view: InboxView = new InboxView({
    pending,
    store,
    ask: labAsk,
    host,
    words,
    place: card => {
      const { name, title, path } = kernels.place(card);
      return { name, title, open: path !== '' };
    },
    go: card => void go(card),
    offer: () => {
      const { permission } = desktop;
      if (permission === 'missing' || permission === 'denied') return null;
      if (settings.choices.browserNotifications && permission === 'granted') return null;
      return { words: words.__('Notify me outside this page too'), act: () => void allow() };
    }
  });
  const allow = async (): Promise<void> => {
    if (await desktop.askPermission()) await settings.set('browserNotifications', true);
    view.offered();
  };

  const herald = new Herald({
    pending,
    sights,
    words,
    toast: new LabToast(words),
    knock: desktop,
    toasts: () => settings.choices.toasts,
    inboxInSight: () => view.visible,
    place: card => kernels.place(card).name,
    reveal: id => void reveal(id)
  });
  document.body.append(herald.node);

  const panel = new InboxPanel(view, pending, words, () => {
    herald.look();
    app.commands.notifyCommandChanged(TOGGLE);
  });
  app.shell.add(panel, 'right', { rank: 650, type: 'Questions' });
  restorer?.add(panel, PANEL);

  const item = new CountItem(pending, words, () => {
    openInbox(null);
  });
  if (statusBar === null) {
    app.shell.add(item, 'menu', { rank: 10_000 });
  } else {
    const isActive = (): boolean => item.active;
    statusBar.registerStatusItem(ID, { item, align: 'left', rank: 5, isActive, activeStateChanged: item.activeChanged });
  }

  sessions.runningChanged.connect(() => {
    view.placed();
  });
  void settings.load(registry, ID, () => {
    questions.review.always = settings.choices.reviewFirst;
    view.offered();
  });
  view.offered();

  app.commands.addCommand(TOGGLE, {
    label: words.__('Questions from MCP Servers'),
    icon: questionIcon,
    isToggled: () => panel.isVisible,
    execute: () => {
      if (!panel.isVisible) openInbox(null);
      else if ([...app.shell.widgets('left')].includes(panel)) app.shell.collapseLeft?.();
      else app.shell.collapseRight?.();
    }
  });
  palette?.addItem({ command: TOGGLE, category: words.__('MCP') });
}
