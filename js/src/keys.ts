/** Keys inside a form. They stay inside: the page around it has commands on single letters. */

export interface KeyActions {
  trusted(event: Event): boolean;
  /** Without it Enter is the browser's own: it presses what has focus. */
  submit?(): void;
  escape(): void;
  submitsOnEnter(target: EventTarget | null): boolean;
  /** Saves the notebook, where there is one to save: the page's own Ctrl+S does not reach into a form. */
  readonly save: (() => void) | undefined;
}

export function listenToKeys(node: HTMLElement, actions: KeyActions): void {
  node.addEventListener('keydown', event => {
    event.stopPropagation();
    // An input method's own Enter and Escape are part of its typing.
    if (event.isComposing || event.defaultPrevented || event.repeat) return;
    if (actions.save !== undefined && event.key === 's' && savesWith(event)) {
      event.preventDefault();
      actions.save();
      return;
    }
    if (event.key !== 'Escape' && (event.key !== 'Enter' || actions.submit === undefined)) return;
    if (!actions.trusted(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      actions.escape();
    } else if (event.ctrlKey || event.metaKey || plainEnter(event, actions)) {
      event.preventDefault();
      actions.submit?.();
    }
  });
  for (const kind of ['keyup', 'keypress'] as const) {
    node.addEventListener(kind, event => {
      event.stopPropagation();
    });
  }
}

function plainEnter(event: KeyboardEvent, actions: KeyActions): boolean {
  return !event.shiftKey && !event.altKey && actions.submitsOnEnter(event.target);
}

function savesWith(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
}
