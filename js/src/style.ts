/** The form's one stylesheet. */

import css from './style.css';
import { make } from './dom';

const ID = 'jupyter-mcp-elicit-style';

/** For a page of ours: once in the document. */
export function addPageStyle(...more: readonly string[]): void {
  if (document.getElementById(ID) === null) document.head.append(make('style', { id: ID }, [css, ...more].join('\n')));
}

/** For a view that may sit in a shadow tree, where the document's styles do not reach. */
export function styleElement(): HTMLStyleElement {
  return make('style', {}, css);
}
