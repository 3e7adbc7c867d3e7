/** Tells when a page comes back: to the screen, to the network, or from the sleep of its machine. */

const LOOK_MS = 20_000;
/** Browsers run the timers of hidden pages once a minute; longer than this without one was sleep. */
const SLEEP_MS = 150_000;
/** Hidden for this long, a page may have been frozen. */
const AWAY_MS = 60_000;

export class Wakefulness {
  readonly #back: (slept: boolean) => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #looked = Date.now();
  #hidden: number | null = document.hidden ? Date.now() : null;

  /** `back` is told whether connections that were open may have died unnoticed. */
  constructor(back: (slept: boolean) => void) {
    this.#back = back;
    this.#timer = setInterval(this.#look, LOOK_MS);
    window.addEventListener('online', this.#slept);
    document.addEventListener('resume', this.#slept);
    document.addEventListener('visibilitychange', this.#turned);
  }

  dispose(): void {
    clearInterval(this.#timer);
    window.removeEventListener('online', this.#slept);
    document.removeEventListener('resume', this.#slept);
    document.removeEventListener('visibilitychange', this.#turned);
  }

  readonly #slept = (): void => {
    this.#looked = Date.now();
    this.#back(true);
  };

  readonly #look = (): void => {
    const gap = Date.now() - this.#looked;
    this.#looked = Date.now();
    if (gap > SLEEP_MS) this.#back(true);
  };

  readonly #turned = (): void => {
    const since = this.#hidden;
    this.#hidden = document.hidden ? (since ?? Date.now()) : null;
    if (!document.hidden) this.#back(since !== null && Date.now() - since > AWAY_MS);
  };
}
