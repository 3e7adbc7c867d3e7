/** The events socket: only tells, never carries an answer. Comes back by itself, with longer and longer waits. */

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

export interface SocketOptions {
  open(): WebSocket;
  receive(message: unknown): void;
}

export class EventSocket {
  readonly #options: SocketOptions;
  #socket: WebSocket | null = null;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#connect();
  }

  dispose(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#socket = null;
  }

  #connect(): void {
    const socket = this.#options.open();
    this.#socket = socket;
    socket.addEventListener('message', event => {
      this.#failures = 0;
      this.#options.receive(read(event.data));
    });
    socket.addEventListener('close', () => {
      if (this.#closed || this.#socket !== socket) return;
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
