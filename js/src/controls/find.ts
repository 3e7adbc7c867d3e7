/** A filter over many options. */

import type { Option } from '../wire';

/** How many options are built at a time: more than a person reads before they type on. */
export const PAGE = 50;

export interface Found {
  readonly options: readonly Option[];
  readonly total: number;
}

/** Finds among a field's options; what is compared is worked out once, at the first key. */
export class Finder {
  readonly #options: readonly Option[];
  #texts: readonly string[] | null = null;

  constructor(options: readonly Option[]) {
    this.#options = options;
  }

  /** The options whose label or value holds every word of the query, in their own order. */
  find(query: string, limit: number): Found {
    const options = this.#options;
    const words = wordsOf(query);
    if (words.length === 0) return { options: options.slice(0, limit), total: options.length };
    this.#texts ??= options.map(({ label, value }) => folded(value === '' ? label : `${label} ${value}`));
    const texts = this.#texts;
    const hits = options.filter((_, at) => holds(texts[at] ?? '', words));
    return { options: hits.slice(0, limit), total: hits.length };
  }
}

/** A query's words, ready for {@link holds}. */
export function wordsOf(query: string): string[] {
  return folded(query).split(/\s+/).filter(word => word !== '');
}

export function holds(text: string, words: readonly string[]): boolean {
  return words.every(word => text.includes(word));
}

/** Without case and accents. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase();
}
