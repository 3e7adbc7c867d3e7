/** RFC 3339 text taken apart and put together: wall clock time and offset, never an instant. */

export interface Stamp {
  /** What a datetime-local control holds: `2026-12-01T09:30:45.5`. */
  readonly wall: string;
  /** As written: `Z`, `z` or `+02:00`. */
  readonly offset: string;
}

const SHAPE = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)([Zz]|[+-]\d{2}:\d{2})$/;

export function takeApart(text: string): Stamp | null {
  const found = SHAPE.exec(text);
  const [, day, time, offset] = found ?? [];
  if (day === undefined || time === undefined || offset === undefined) return null;
  return { wall: `${day}T${time}`, offset };
}

/** Seconds are written out: RFC 3339 wants them, the control leaves zeros away. */
export function putTogether(wall: string, offset: string): string {
  const whole = /T\d{2}:\d{2}$/.test(wall) ? `${wall}:00` : wall;
  return `${whole}${offset}`;
}

/** The offset of this page's time zone at that wall clock time (summer time differs from winter time). */
export function localOffset(wall: string): string {
  const at = wall === '' ? new Date() : new Date(wall);
  const minutes = Number.isNaN(at.getTime()) ? 0 : -at.getTimezoneOffset();
  const two = (part: number): string => String(Math.trunc(part)).padStart(2, '0');
  const size = Math.abs(Math.round(minutes));
  return `${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}

let zone: string | undefined;

/** This page's time zone by name ("Europe/Berlin"), or "". Making a formatter costs, so once. */
export function zoneName(): string {
  if (zone === undefined) {
    try {
      zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    } catch {
      zone = '';
    }
  }
  return zone;
}
