/** Our own words, in the person's language; the shape of JupyterLab's translation bundles. */

export interface Words {
  /** `%1`, `%2` … stand for the arguments. */
  __(text: string, ...args: readonly string[]): string;
  /** `%1` is `n`. */
  _n(one: string, many: string, n: number, ...args: readonly string[]): string;
}

/** As they are written here. */
export const plainWords: Words = {
  __: (text, ...args) => text.replace(/%(\d)/g, (_, at: string) => args[Number(at) - 1] ?? ''),
  _n: (one, many, n, ...args) => plainWords.__(n === 1 ? one : many, String(n), ...args)
};
