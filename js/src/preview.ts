/** What an answer would send, before it is sent: the JSON as the server will get it. */

import { focusable, freshId, make } from './dom';
import { sameDraft } from './draft';
import { shownLines } from './text';
import type { Draft, FormCard } from './wire';
import { trans } from './words';

/** A preview is never cut short: what is not seen was not reviewed. */
const WHOLE = Number.MAX_SAFE_INTEGER;

export class Preview {
  readonly node = make('div', { class: 'jme-preview', role: 'group' });
  readonly #covers: boolean;
  #of: Draft | null = null;

  constructor(card: FormCard) {
    this.#covers = card.fields.some(field => field.sensitive);
    this.node.hidden = true;
  }

  show(draft: Draft, content: string): void {
    this.#of = draft;
    const id = freshId();
    const caption = make('div', { id, class: 'jme-caption' }, trans.__('This is what would be sent'));
    const text = focusable(make('pre', { class: 'jme-arguments', dir: 'ltr', tabindex: '0' }, shownLines(content, WHOLE)));
    const note = this.#covers ? [make('div', { class: 'jme-quiet' }, trans.__('What you typed in fields for secrets is covered here.'))] : [];
    this.node.setAttribute('aria-labelledby', id);
    this.node.replaceChildren(caption, text, ...note);
    this.node.hidden = false;
  }

  /** Whether what is in sight is what this draft sends. */
  shows(draft: Draft): boolean {
    return this.#of !== null && sameDraft(this.#of, draft);
  }

  /** The form is no longer what it was. Gives whether something was in sight. */
  clear(): boolean {
    if (this.#of === null) return false;
    this.#of = null;
    this.node.hidden = true;
    this.node.replaceChildren();
    return true;
  }
}
