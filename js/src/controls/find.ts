/** A filter over many options. */

import type { Option } from '../wire';

/** How many options are built at a time. */
export const PAGE = 100;

export interface Found {
  readonly options: readonly Option[];
  readonly total: number;
}

/** The options whose label or value holds every word of the query, in their own order. */
export function findOptions(options: readonly Option[], query: string, limit: number): Found {
  const words = folded(query).split(/\s+/).filter(word => word !== '');
  if (words.length === 0) return { options: options.slice(0, limit), total: options.length };
  const hits = options.filter(option => {
    const text = folded(`${option.label} ${option.value}`);
    return words.every(word => text.includes(word));
  });
  return { options: hits.slice(0, limit), total: hits.length };
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase();
}
