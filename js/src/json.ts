/** Foreign JSON, read key by key. */

export type Bag = ReadonlyMap<string, unknown>;

/** The value is not what the wire says; the message names the place. */
export class WireError extends Error {}

export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object's own entries; names that servers choose never index an object of ours. */
export function entries(value: unknown): Bag {
  return isRecord(value) ? new Map(Object.entries(value)) : new Map();
}

export function bag(value: unknown, what: string): Bag {
  if (!isRecord(value)) throw new WireError(`${what} is no object`);
  return entries(value);
}

export function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new WireError(`${what} is no list`);
  return value;
}

export function optionalList(from: Bag, name: string): readonly unknown[] {
  return list(from.get(name) ?? [], name);
}

export function text(from: Bag, name: string): string {
  const value = from.get(name);
  if (typeof value !== 'string') throw new WireError(`${name} is no text`);
  return value;
}

export function optionalText(from: Bag, name: string): string {
  return (from.get(name) ?? null) === null ? '' : text(from, name);
}

export function optionalNumber(from: Bag, name: string): number | null {
  const value = from.get(name);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function oneOf<T extends string>(from: Bag, name: string, allowed: readonly T[]): T {
  const value = text(from, name);
  const found = allowed.find(word => word === value);
  if (found === undefined) throw new WireError(`${name} is unknown: ${value}`);
  return found;
}
