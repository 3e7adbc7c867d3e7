/** The time that is left, as text that ticks and is not read aloud each second. */

import { make } from './dom';
import { everySecond } from './ticker';
import { trans } from './words';

export class Deadline {
  readonly node = make('span', { class: 'jme-time', 'aria-live': 'off' });
  readonly #now: () => number;
  readonly #stop: () => void;
  #end: number | null = null;

  constructor(now: () => number, secondsLeft: number | null) {
    this.#now = now;
    this.set(secondsLeft);
    this.#stop = everySecond(() => {
      this.#paint();
    });
  }

  set(secondsLeft: number | null): void {
    this.#end = secondsLeft === null ? null : this.#now() + secondsLeft * 1000;
    this.#paint();
  }

  dispose(): void {
    this.#stop();
  }

  #paint(): void {
    const text = this.#end === null ? '' : leftWords((this.#end - this.#now()) / 1000);
    if (this.node.textContent !== text) this.node.textContent = text;
  }
}

export function leftWords(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole === 0) return trans.__('time is up');
  if (whole >= 48 * 3600) return trans.__('%1 days left', String(Math.floor(whole / 86400)));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const two = (part: number): string => String(part).padStart(2, '0');
  const rest = two(whole % 60);
  return trans.__('%1 left', `${hours > 0 ? `${hours}:${two(minutes)}` : String(minutes)}:${rest}`);
}
