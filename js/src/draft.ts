/** What a form holds, remembered while the question is open. */

import { parseDraft } from './parse';
import type { Draft, DraftValue, FormCard } from './wire';

export function sameValue(a: DraftValue, b: DraftValue): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  return a.length === b.length && a.every((key, at) => key === b[at]);
}

export function sameDraft(a: Draft, b: Draft): boolean {
  const held = new Map(b);
  return a.length === b.length && a.every(([name, value]) => sameValue(value, held.get(name) ?? null));
}

/** A draft without the fields that ask for a secret: those stay in the control and nowhere else. */
export function withoutSecrets(card: FormCard, draft: Draft): Draft {
  const secret = new Set(card.fields.filter(field => field.sensitive).map(field => field.name));
  return draft.filter(([name]) => !secret.has(name));
}

/** Typed text by question, so that a page that draws a form again, or reloads, does not lose it. */
export class DraftMemory {
  readonly #held = new Map<string, Draft>();
  readonly #storage: Storage | null;
  readonly #followers = new Map<string, Set<(draft: Draft) => void>>();

  constructor(storage: Storage | null) {
    this.#storage = storage;
  }

  recall(card: FormCard): Draft | null {
    const held = this.#held.get(card.id) ?? this.#stored(card.id);
    return held === null ? null : withoutSecrets(card, held);
  }

  keep(card: FormCard, draft: Draft): void {
    const safe = withoutSecrets(card, draft);
    this.#held.set(card.id, safe);
    try {
      this.#storage?.setItem(key(card.id), JSON.stringify(safe));
    } catch {
      // Storage is full or forbidden: memory alone must do.
    }
    for (const follower of [...(this.#followers.get(card.id) ?? [])]) follower(safe);
  }

  /** Every draft of the question that is kept from now on, until the returned function is called. */
  follow(id: string, follower: (draft: Draft) => void): () => void {
    const followers = this.#followers.get(id) ?? new Set();
    this.#followers.set(id, followers.add(follower));
    return () => {
      followers.delete(follower);
      if (followers.size === 0) this.#followers.delete(id);
    };
  }

  forget(id: string): void {
    this.#held.delete(id);
    try {
      this.#storage?.removeItem(key(id));
    } catch {
      // As above.
    }
  }

  #stored(id: string): Draft | null {
    try {
      const text = this.#storage?.getItem(key(id)) ?? null;
      return text === null ? null : parseDraft(JSON.parse(text));
    } catch {
      return null;
    }
  }
}

function key(id: string): string {
  return `jupyter-mcp-elicit:${id}`;
}

/** The page's own memory; sandboxed frames have no sessionStorage and throw at its mere mention. */
export function pageMemory(): DraftMemory {
  try {
    return new DraftMemory(window.sessionStorage);
  } catch {
    return new DraftMemory(null);
  }
}
