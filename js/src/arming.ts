/**
 * A click counts only after the buttons stood still in sight for half a second: nothing that pops up, or slides
 * under the pointer, gets a click that was meant for something else.
 */

export const ARM_MS = 500;
const MOVE_PX = 10;
const LOOK_MS = 100;

export class Arming {
  readonly #bar: HTMLElement;
  readonly #buttons: readonly HTMLElement[];
  readonly #now: () => number;
  readonly #visible: IntersectionObserver | null;
  readonly #onVisibility = (): void => {
    this.#appear(!document.hidden);
  };
  #appeared = Number.POSITIVE_INFINITY;
  #settled = Number.POSITIVE_INFINITY;
  #place: { x: number; y: number } | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(bar: HTMLElement, buttons: readonly HTMLElement[], now: () => number, inSight: () => void) {
    this.#bar = bar;
    this.#buttons = buttons;
    this.#now = now;
    this.#paint();
    document.addEventListener('visibilitychange', this.#onVisibility);
    if (typeof IntersectionObserver === 'undefined') {
      this.#visible = null;
      this.#appear(true);
      queueMicrotask(inSight);
      return;
    }
    this.#visible = new IntersectionObserver(seen => {
      const here = seen.some(entry => entry.isIntersecting);
      this.#appear(here);
      if (here && !document.hidden) inSight();
    });
    this.#visible.observe(bar);
  }

  /** For keys: typing moves the form (a problem line goes), so only its age counts. */
  ready(): boolean {
    return this.#now() - this.#appeared >= ARM_MS;
  }

  /** For the pointer: also looks where the buttons are right now. */
  readyForPointer(): boolean {
    this.#look();
    return this.ready() && this.#now() - this.#settled >= ARM_MS;
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#visible?.disconnect();
    document.removeEventListener('visibilitychange', this.#onVisibility);
  }

  #appear(here: boolean): void {
    clearInterval(this.#timer);
    if (here) {
      if (this.#appeared === Number.POSITIVE_INFINITY) this.#appeared = this.#now();
      this.#timer = setInterval(() => {
        this.#look();
      }, LOOK_MS);
    } else {
      this.#appeared = Number.POSITIVE_INFINITY;
    }
    this.#look();
  }

  #look(): void {
    const { x, y } = this.#bar.getBoundingClientRect();
    const place = this.#place;
    if (place === null || Math.hypot(x - place.x, y - place.y) > MOVE_PX) {
      this.#place = { x, y };
      this.#settled = this.#now();
    }
    this.#paint();
  }

  #paint(): void {
    const armed = this.ready() && this.#now() - this.#settled >= ARM_MS;
    for (const node of this.#buttons) {
      // Not `disabled`: that would drop focus, and hide the buttons from the Tab order as they settle.
      if (armed) node.removeAttribute('aria-disabled');
      else node.setAttribute('aria-disabled', 'true');
    }
  }
}
