/** Where questions stand in notebooks of this page, and which of these places a person can see now. */

export class Sights {
  readonly #nodes = new Map<string, Set<HTMLElement>>();
  readonly #seen = new Set<Element>();
  readonly #listeners = new Set<() => void>();
  readonly #observer: IntersectionObserver | null;

  constructor() {
    const told: IntersectionObserverCallback = entries => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.#seen.add(target);
        else this.#seen.delete(target);
      }
      for (const listener of [...this.#listeners]) listener();
    };
    this.#observer = typeof IntersectionObserver === 'undefined' ? null : new IntersectionObserver(told);
  }

  /** `node` shows the question; call what is returned when it no longer does. */
  put(id: string, node: HTMLElement): () => void {
    const nodes = this.#nodes.get(id) ?? new Set();
    this.#nodes.set(id, nodes.add(node));
    this.#observer?.observe(node);
    return () => {
      nodes.delete(node);
      if (nodes.size === 0) this.#nodes.delete(id);
      this.#observer?.unobserve(node);
      this.#seen.delete(node);
    };
  }

  node(id: string): HTMLElement | undefined {
    return [...(this.#nodes.get(id) ?? [])].find(node => node.isConnected);
  }

  sees(id: string): boolean {
    return !document.hidden && [...(this.#nodes.get(id) ?? [])].some(node => this.#seen.has(node));
  }

  changed(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
