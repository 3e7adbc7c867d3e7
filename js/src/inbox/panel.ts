/** The inbox as a side panel of JupyterLab and Notebook 7, and the count beside it. */

import { LabIcon } from '@jupyterlab/ui-components';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';

import { button, make } from '../dom';
import type { Pending } from './pending';
import type { InboxView } from './view';
import type { Words } from '../words';

export const PANEL = 'jupyter-mcp-elicit-inbox';

export const questionIcon = new LabIcon({
  name: 'jupyter-mcp-elicit:question',
  svgstr:
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24"><path class="jp-icon3" fill="#616161" ' +
    'd="M4 3h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-6.6L8 22.2V18H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Zm0 2v11h6v2l2.6-2H20V5H4Z' +
    'm7.1 8h1.8v1.7h-1.8V13Zm1-6.4c1.9 0 3.2 1 3.2 2.6 0 1-.5 1.6-1.4 2.2-.8.5-1 .8-1 1.4v.1h-1.7v-.3c0-1.1.4-1.7 1.3-2.3' +
    '.7-.5 1-.7 1-1.2 0-.6-.5-1-1.3-1-.9 0-1.4.4-1.4 1.2H9c0-1.6 1.2-2.7 3.1-2.7Z"/></svg>'
});

export class InboxPanel extends Widget {
  readonly #view: InboxView;
  readonly #turned: () => void;

  /** `turned`: it has come in sight, or gone. */
  constructor(view: InboxView, pending: Pending, words: Words, turned: () => void) {
    super();
    this.#view = view;
    this.#turned = turned;
    this.id = PANEL;
    this.addClass('jme-inbox-panel');
    this.title.icon = questionIcon;
    this.node.append(view.node);
    const count = (): void => {
      const n = pending.cards.length;
      this.title.caption = n === 0 ? words.__('Questions from MCP Servers') : asked(words, n);
      // The tab at the side shows it as a badge.
      this.title.dataset = n === 0 ? {} : { 'jme-count': n > 99 ? '99+' : String(n) };
    };
    pending.changed(count);
    count();
  }

  protected override onAfterShow(): void {
    this.#see();
  }

  protected override onAfterHide(): void {
    this.#see();
  }

  protected override onAfterAttach(): void {
    this.#see();
  }

  /** Somebody opened it: by its icon, the menu or a toast. */
  protected override onActivateRequest(): void {
    if (!this.node.contains(document.activeElement)) this.#view.focus();
  }

  #see(): void {
    this.#view.visible = this.isVisible;
    this.#turned();
  }
}

/** "2 questions", as a button; nothing while nobody asks. */
export class CountItem extends Widget {
  /** The status bar shows and hides its items itself. */
  readonly activeChanged = new Signal(this);
  readonly #pending: Pending;

  constructor(pending: Pending, words: Words, pressed: () => void) {
    super();
    this.#pending = pending;
    this.addClass('jme-count-item');
    const text = make('span', {});
    const press = button('', 'jme-count-button', pressed);
    const picture = questionIcon.element({ tag: 'span', className: 'jme-count-icon', height: '14px', width: '14px' });
    picture.setAttribute('aria-hidden', 'true');
    press.append(picture, text);
    this.node.append(press);
    const count = (): void => {
      const n = pending.cards.length;
      this.setHidden(n === 0);
      this.activeChanged.emit();
      text.textContent = words._n('%1 question', '%1 questions', n);
      press.title = asked(words, n);
    };
    pending.changed(count);
    count();
  }

  get active(): boolean {
    return this.#pending.cards.length > 0;
  }
}

function asked(words: Words, n: number): string {
  return words._n('%1 question waits for you', '%1 questions wait for you', n);
}
