import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { EventSocket } from '../src/socket';

class Wire extends EventTarget {
  closed = false;
  close(): void {
    this.closed = true;
  }
  drop(): void {
    this.dispatchEvent(new Event('close'));
  }
  say(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

let wires: Wire[] = [];
const heard: unknown[] = [];
const connect = (): EventSocket =>
  new EventSocket({
    open: () => {
      const wire = new Wire();
      wires.push(wire);
      return wire as unknown as WebSocket;
    },
    receive: message => heard.push(message)
  });

beforeEach(() => {
  wires = [];
  heard.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('messages are read as JSON, and what is none is nothing', () => {
  const socket = connect();
  wires[0]?.say('{"type":"card"}');
  wires[0]?.say('{');
  expect(heard).toEqual([{ type: 'card' }, null]);
  socket.dispose();
});

test('a socket that drops comes back, each time later, and soon again after news', () => {
  const socket = connect();
  for (let at = 0; at < 8; at += 1) {
    wires.at(-1)?.drop();
    vi.advanceTimersByTime(40_000);
    expect(wires).toHaveLength(at + 2);
  }
  wires.at(-1)?.drop();
  vi.advanceTimersByTime(20_000);
  expect(wires).toHaveLength(9);
  vi.advanceTimersByTime(20_000);
  wires.at(-1)?.say('{}');
  wires.at(-1)?.drop();
  vi.advanceTimersByTime(700);
  expect(wires).toHaveLength(11);
  socket.dispose();
});

test('a disposed socket stays away', () => {
  const socket = connect();
  socket.dispose();
  expect(wires[0]?.closed).toBe(true);
  wires[0]?.drop();
  vi.advanceTimersByTime(60_000);
  expect(wires).toHaveLength(1);
});
