import { uniformInt } from "pure-rand/distribution/uniformInt";
import { mersenne } from "pure-rand/generator/mersenne";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { type ChatFigures, Chats, type Pair } from "./chats.ts";
import type { ServerProcess } from "./server.ts";
import { pause, split } from "./waiting.ts";

export interface Soak {
  readonly pairs: readonly Pair[];
  readonly devicesEach: number;
  readonly seconds: number;
  readonly pauseMs: readonly [min: number, max: number];
  /** From the last restart to the next kill. */
  readonly killEveryMs: readonly [min: number, max: number];
  readonly seed: number;
  /** Starts a server on the shared database. */
  start(port?: string): Promise<ServerProcess>;
  log?(line: string): void;
}

export interface Figures extends ChatFigures {
  readonly kills: number;
  readonly stops: number;
}

/**
 * Devices chat through two servers, which are killed and restarted alternately at random times. Then compares sent,
 * stored and displayed messages.
 */
export async function soak(options: Soak): Promise<Figures> {
  const random = mersenne(options.seed);
  const servers = [await options.start(), await options.start()];
  try {
    const chats = new Chats({ ...options, servers: servers.map(({ url }) => url), random });
    await chats.connect();
    const end = performance.now() + options.seconds * 1_000;
    const writing = chats.writeUntil(end);
    const ends = await killUntil(end, servers, options, split(random));
    await writing;
    return { ...(await chats.finish()), ...ends };
  } finally {
    await Promise.all(servers.map((server) => server.stop("SIGKILL")));
  }
}

/** Ends the servers alternately, never both; one in five gets SIGTERM. */
async function killUntil(
  end: number,
  servers: ServerProcess[],
  { killEveryMs: [min, max], start, log }: Soak,
  random: RandomGenerator,
): Promise<{ kills: number; stops: number }> {
  const ends = { kills: 0, stops: 0 };
  for (;;) {
    await pause(uniformInt(random, min, max));
    if (performance.now() > end) return ends;
    const index = uniformInt(random, 0, 1);
    const server = servers[index]!;
    const isStop = uniformInt(random, 1, 5) === 1;
    await server.stop(isStop ? "SIGTERM" : "SIGKILL");
    ends[isStop ? "stops" : "kills"]++;
    await pause(uniformInt(random, 0, 1_000));
    servers[index] = await start(new URL(server.url).port);
    log?.(`${isStop ? "stopped" : "killed"} server ${index + 1}; ${ends.kills} kills, ${ends.stops} stops`);
  }
}
