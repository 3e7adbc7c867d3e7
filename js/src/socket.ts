/** The events socket: only tells, never carries an answer. Comes back by itself, with longer and longer waits. */

import { Wakefulness } from './wakefulness';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

export interface SocketOptions {
  open(): WebSocket;
  receive(message: unknown): void;
}

export class EventSocket {
  readonly #options: SocketOptions;
  readonly #wakefulness: Wakefulness;
  #socket: WebSocket | null = null;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#wakefulness = new Wakefulness(slept => {
      // A socket that slept may be dead without knowing it; a new one begins with a snapshot, so nothing is lost.
      if (slept || this.#socket === null) this.#renew();
    });
    this.#connect();
  }

  dispose(): void {
    this.#wakefulness.dispose();
    this.#drop();
  }

  #renew(): void {
    this.#drop();
    this.#failures = 0;
    this.#connect();
  }

  #drop(): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #connect(): void {
    const socket = this.#options.open();
    this.#socket = socket;
    socket.addEventListener('message', event => {
      if (this.#socket !== socket) return;
      this.#failures = 0;
      this.#options.receive(read(event.data));
    });
    socket.addEventListener('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      // A random part, so that many tabs do not all knock at once when a server comes back.
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures) * (0.75 + Math.random() / 2);
      this.#failures += 1;
      this.#timer = setTimeout(() => {
        this.#connect();
      }, wait);
    });
  }
}

function read(data: unknown): unknown {
  if (typeof data !== 'string') return null;
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
