/** This browser's own reading of an address; the Jupyter server's word alone makes no link. */

import type { Address } from '../wire';
import { trans } from '../words';

/** Why there may be no link, as a sentence; `''` when there may. */
export function refusal(url: Address, own: string = window.location.origin): string {
  let read: URL;
  try {
    read = new URL(url.href);
  } catch {
    return trans.__('This browser cannot read the address.');
  }
  if (read.protocol !== 'https:' && read.protocol !== 'http:') return trans.__('Only web pages (http and https) can be opened.');
  if (read.username !== '' || read.password !== '') return trans.__('The address carries a user name or a password.');
  if (read.origin === own) return trans.__('The address leads into this Jupyter itself, where it could act with your login.');
  const same = read.href === url.href && read.hostname === url.host && read.protocol === `${url.scheme}:`;
  if (!same || parts(url) === null) return trans.__('This browser would open something else than what is shown.');
  return '';
}

/** The address in three: before the registered domain, the domain, behind it. `null`: it is not where it should be. */
export function parts({ href, scheme, host, domain }: Address): readonly [string, string, string] | null {
  const start = `${scheme}://`;
  if (!href.startsWith(start + host)) return null;
  // A host may end in a dot, which no domain does.
  const dot = host.endsWith('.') && !domain.endsWith('.') ? 1 : 0;
  const end = start.length + host.length - dot;
  const begin = end - domain.length;
  if (begin < start.length || href.slice(begin, end) !== domain) return null;
  if (begin > start.length && href[begin - 1] !== '.') return null;
  return [href.slice(0, begin), domain, href.slice(end)];
}
