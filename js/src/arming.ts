/**
 * A click counts only after the buttons stood still in sight for half a second: nothing that pops up, or slides
 * under the pointer, gets a click that was meant for something else. For keys the form's own age counts: typing
 * moves the form, and its buttons may be scrolled away.
 */

export const ARM_MS = 500;
const MOVE_PX = 10;
const LOOK_MS = 100;
const NEVER = Number.POSITIVE_INFINITY;

export interface ArmingOptions {
  readonly form: HTMLElement;
  readonly bar: HTMLElement;
  readonly buttons: readonly HTMLElement[];
  /** Milliseconds to stand still, when it is not half a second. */
  readonly wait?: number;
  now(): number;
  /** Told when the buttons become ready, or no longer are. */
  armed?(armed: boolean): void;
  /** The form is in sight; called each time that it comes. */
  inSight(): void;
}

export class Arming {
  readonly #options: ArmingOptions;
  readonly #observer: IntersectionObserver | null;
  readonly #seen = new Set<Element>();
  readonly #onVisibility = (): void => {
    this.#see();
  };
  /** Until the next look, buttons that just moved would still show as ready, and not be. */
  readonly #onScroll = (): void => {
    this.#look();
  };
  /** Since when the form, and the bar with its buttons, are in sight. */
  #formSince = NEVER;
  #barSince = NEVER;
  #still = NEVER;
  #place: { x: number; y: number } | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: ArmingOptions) {
    this.#options = options;
    const watched = [options.form, options.bar];
    document.addEventListener('visibilitychange', this.#onVisibility);
    document.addEventListener('scroll', this.#onScroll, { capture: true, passive: true });
    if (typeof IntersectionObserver === 'undefined') {
      this.#observer = null;
      for (const node of watched) this.#seen.add(node);
      this.#see();
    } else {
      this.#observer = new IntersectionObserver(entries => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) this.#seen.add(target);
          else this.#seen.delete(target);
        }
        this.#see();
      });
      for (const node of watched) this.#observer.observe(node);
      this.#paint();
    }
  }

  readyForKeys(): boolean {
    return this.#since(this.#formSince);
  }

  /** Also looks where the buttons are right now. */
  readyForPointer(): boolean {
    this.#look();
    return this.#armed();
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#observer?.disconnect();
    document.removeEventListener('visibilitychange', this.#onVisibility);
    document.removeEventListener('scroll', this.#onScroll, { capture: true });
  }

  #see(): void {
    const here = (node: HTMLElement): boolean => this.#seen.has(node) && !document.hidden;
    const { form, bar, inSight } = this.#options;
    const came = here(form) && this.#formSince === NEVER;
    this.#formSince = this.#from(here(form), this.#formSince);
    this.#barSince = this.#from(here(bar), this.#barSince);
    clearInterval(this.#timer);
    if (here(bar)) {
      this.#timer = setInterval(() => {
        this.#look();
      }, LOOK_MS);
    }
    this.#look();
    if (came) inSight();
  }

  #from(here: boolean, since: number): number {
    if (!here) return NEVER;
    return since === NEVER ? this.#options.now() : since;
  }

  #look(): void {
    const { x, y } = this.#options.bar.getBoundingClientRect();
    const place = this.#place;
    if (place === null || Math.hypot(x - place.x, y - place.y) > MOVE_PX) {
      this.#place = { x, y };
      this.#still = this.#options.now();
    }
    this.#paint();
  }

  #armed(): boolean {
    return this.#since(this.#barSince) && this.#since(this.#still);
  }

  #since(moment: number): boolean {
    return this.#options.now() - moment >= (this.#options.wait ?? ARM_MS);
  }

  #paint(): void {
    const armed = this.#armed();
    for (const node of this.#options.buttons) {
      // Not `disabled`: that would drop focus, and take the buttons out of the Tab order as they settle.
      if (armed) node.removeAttribute('aria-disabled');
      else node.setAttribute('aria-disabled', 'true');
    }
    this.#options.armed?.(armed);
  }
}
