/** Our own words, in the person's language where the page has a translator; else in English, as written here. */

/** The shape of JupyterLab's translation bundles. */
export interface Words {
  /** `%1`, `%2` … stand for the arguments. */
  __(text: string, ...args: readonly string[]): string;
  /** `%1` is `n`. */
  _n(one: string, many: string, n: number, ...args: readonly string[]): string;
}

/** As they are written here. */
export const plainWords: Words = {
  __: (text, ...args) => filled(text, args),
  _n: (one, many, n, ...args) => filled(n === 1 ? one : many, [String(n), ...args])
};

let spoken: Words = plainWords;

/** All that is drawn from now on speaks so: once, as the page starts. */
export function speak(words: Words): void {
  spoken = words;
}

const HOLES = Array.from({ length: 9 }, (_, at) => `%${String(at + 1)}`);

/**
 * The page's words. A bundle sees none of the arguments: it would read percent signs in a server's text as its own.
 * JupyterLab's tools gather texts from calls of exactly this name.
 */
export const trans: Words = {
  __: (text, ...args) => filled(spoken.__(text, ...HOLES), args),
  _n: (one, many, n, ...args) => filled(spoken._n(one, many, n, ...HOLES.slice(1)), [String(n), ...args])
};

function filled(text: string, args: readonly string[]): string {
  return text.replace(/%(\d)/g, (hole, at: string) => args[Number(at) - 1] ?? hole);
}

/** A sentence with elements in it: `sentence` as `trans` gives it without arguments, a node for each `%1`, `%2` … */
export function woven(sentence: string, ...nodes: readonly (Node | string)[]): (Node | string)[] {
  return sentence
    .split(/%(\d)/)
    .map((part, at) => (at % 2 === 0 ? part : (nodes[Number(part) - 1] ?? '')))
    .filter(part => part !== '');
}
