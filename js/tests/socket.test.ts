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

function appear(hidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  document.dispatchEvent(new Event('visibilitychange'));
}

test('a page that comes back to the screen does not wait to connect again', () => {
  const socket = connect();
  for (let at = 0; at < 6; at += 1) {
    wires.at(-1)?.drop();
    vi.advanceTimersByTime(40_000);
  }
  const before = wires.length;
  wires.at(-1)?.drop();
  appear(true);
  appear(false);
  expect(wires).toHaveLength(before + 1);
  appear(true);
  appear(false);
  expect(wires).toHaveLength(before + 1);
  socket.dispose();
});

test.each([
  ['the network was away', () => window.dispatchEvent(new Event('online'))],
  [
    'the machine slept',
    () => {
      vi.setSystemTime(Date.now() + 3_600_000);
      vi.advanceTimersByTime(20_000);
    }
  ],
  [
    'the page was hidden for long',
    () => {
      appear(true);
      vi.setSystemTime(Date.now() + 90_000);
      appear(false);
    }
  ]
])('a socket that may have died unnoticed is replaced: %s', (_, wake) => {
  const socket = connect();
  wires[0]?.say('1');
  wake();
  expect(wires).toHaveLength(2);
  expect(wires[0]?.closed).toBe(true);
  // The old one's last words are in the new one's snapshot.
  wires[0]?.say('2');
  wires[0]?.drop();
  wires[1]?.say('3');
  vi.advanceTimersByTime(60_000);
  expect(wires).toHaveLength(2);
  expect(heard).toEqual([1, 3]);
  socket.dispose();
});
