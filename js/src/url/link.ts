/**
 * The one way to open a page: a real link, pressed by a person. It has no address before it is armed, so that
 * no stray click, no key and no browser's guess can open it early.
 */

import { Arming } from '../arming';
import { focusable, make } from '../dom';
import type { Host } from '../host';

export interface UrlLinkOptions {
  readonly href: string;
  readonly text: string;
  readonly host: Host;
  /** Milliseconds to stand still, when it is not half a second. */
  readonly wait?: number;
  /** Whether it may be opened now, apart from being armed. */
  free(): boolean;
  /** A person opened it; the browser opens the page once this returns, if the link is left alone until then. */
  opened(): void;
}

export class UrlLink {
  readonly node: HTMLAnchorElement;
  readonly #options: UrlLinkOptions;
  readonly #arming: Arming;

  constructor(options: UrlLinkOptions) {
    this.#options = options;
    const { host, wait, text } = options;
    this.node = focusable(
      make(
        'a',
        {
          class: 'jme-button jme-open',
          target: '_blank',
          rel: 'noopener noreferrer',
          referrerpolicy: 'no-referrer',
          role: 'link',
          tabindex: '0'
        },
        text
      )
    );
    this.node.addEventListener('click', event => {
      this.#pressed(event);
    });
    // The middle button makes no click.
    this.node.addEventListener('auxclick', event => {
      if (event.button === 1) this.#pressed(event);
    });
    this.node.addEventListener('keydown', event => {
      // A key that is held down would open one page after another.
      if (event.key === 'Enter' && event.repeat) event.preventDefault();
    });
    this.#arming = new Arming({
      form: this.node,
      bar: this.node,
      buttons: [this.node],
      now: host.now,
      ...(wait === undefined ? {} : { wait }),
      armed: armed => {
        if (!armed) this.node.removeAttribute('href');
        else if (!this.node.hasAttribute('href')) this.node.setAttribute('href', options.href);
      },
      inSight: () => undefined
    });
  }

  dispose(): void {
    this.#arming.dispose();
  }

  #pressed(event: MouseEvent): void {
    const { host, free, opened } = this.#options;
    // With Alt some browsers save the page instead of opening it.
    if (host.trusted(event) && !event.altKey && free() && this.#arming.readyForPointer()) opened();
    else event.preventDefault();
  }
}
