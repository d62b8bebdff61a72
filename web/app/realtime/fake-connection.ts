import { Connection } from "./connection.ts";
import type { RealtimeEvent } from "./events.ts";

export const [SILENCE_MS, PONG_TIMEOUT_MS, OPENING_TIMEOUT_MS] = [25_000, 10_000, 20_000];
const MISSING_MS = 11_000;

class FakeSocket extends EventTarget {
  readyState = 0;
  sent: string[] = [];
  send(text: string): void {
    this.sent.push(text);
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }
  receive(frame: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }
  close(code = 1000): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatchEvent(new CloseEvent("close", { code }));
  }
}

export function fakeConnection({ random = (): number => 1 } = {}) {
  const sockets: FakeSocket[] = [];
  const timers: { act: () => void; ms: number; isOver: boolean }[] = [];
  let isOffline = false;
  const connection = new Connection({
    openSocket: async () => {
      if (isOffline) throw new Error("offline");
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    setTimer: (act, ms) => {
      const timer = { act, ms, isOver: false };
      timers.push(timer);
      return () => (timer.isOver = true);
    },
    random,
  });
  const events: RealtimeEvent[] = [];
  connection.subscribe((event) => events.push(event));
  return {
    connection,
    sockets,
    timers,
    pauses: () =>
      timers
        .map(({ ms }) => ms)
        .filter((ms) => ![SILENCE_MS, PONG_TIMEOUT_MS, OPENING_TIMEOUT_MS, MISSING_MS].includes(ms)),
    events,
    setOffline: (to: boolean) => (isOffline = to),
    /** Runs the newest pending timer and returns its duration. */
    runTimer: () => {
      const timer = timers.findLast(({ isOver }) => !isOver);
      if (timer) timer.isOver = true;
      timer?.act();
      return timer?.ms;
    },
    settled: () => new Promise((done) => setImmediate(done)),
  };
}
